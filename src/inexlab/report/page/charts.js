// Charts drawn by Vega from the specifications of the figures, in the colours of the page.

const MANY = 1500; // marks beyond which a canvas is faster than a drawing of single elements

/** The look of a chart. In a drawing (SVG) colours may be the page's own names; on a canvas they are grey. */
function look(renderer) {
  const ink = renderer === "svg" ? "var(--ink)" : "#808080";
  const line = "#80808055";
  return {
    background: "transparent",
    font: "system-ui, sans-serif",
    view: { stroke: null },
    title: { color: ink, fontWeight: "normal", fontSize: 13 },
    axis: { labelColor: ink, titleColor: ink, gridColor: line, domainColor: "#808080", tickColor: "#808080", titleFontWeight: "normal", labelFontSize: 11, titleFontSize: 12, labelFlush: false },
    legend: { labelColor: ink, titleColor: ink, titleFontWeight: "normal", labelFontSize: 12, orient: "bottom" },
  };
}

// How many charts are being drawn: whoever watches the page (or tests it) sees when it has come to rest.
let drawing = 0;
function busy(more) {
  drawing += more;
  document.body.dataset.drawing = String(drawing);
}

/** A row without names that every object has, such as `constructor`: Vega would take them for its own. */
function sanitised(row) {
  const taken = Object.entries(row).filter(([, value]) => typeof value === "string" && value in {});
  return taken.length ? { ...row, ...Object.fromEntries(taken.map(([name, value]) => [name, `\u2060${value}`])) } : row;
}

/** A place for one chart, drawn again at will: `place.draw(chart, words, tables, {height})`, with a chart or its name. */
function chartPlace(label, shape = "") {
  const host = make("div", { class: `chart ${shape}`.trim(), role: "figure", "aria-label": label });
  let view = null;
  async function draw(given, words, tables, { height = 0 } = {}) {
    let text = JSON.stringify(typeof given === "string" ? CHARTS[given] : given);
    for (const [place, word] of Object.entries(words)) {
      text = text.replaceAll(JSON.stringify(`{${place}}`), JSON.stringify(word));
    }
    const marks = Math.max(...Object.values(tables).map((rows) => rows.length));
    const chart = fitted(JSON.parse(text), Math.max(220, host.clientWidth || 900), height, marks > MANY);
    if (chart.layer) chart.layer = chart.layer.filter(({ data }) => tables[(data || chart.data)?.name]?.length !== 0);
    chart.datasets = Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.map(sanitised)]));
    chart.description = label;
    const renderer = marks > MANY ? "canvas" : "svg";
    busy(1);
    try {
      const embedded = await window.vegaEmbed(host, chart, {
        // no code is made of text, and no style is put in: the page's policy allows neither
        ast: true, defaultStyle: false, tooltip: { disableDefaultStyle: true },
        renderer, config: look(renderer), actions: { export: true, source: false, compiled: false, editor: false },
      });
      if (view) view.finalize();
      view = embedded.view;
      host.view = view;
    } finally {
      busy(-1);
    }
  }
  return { element: host, draw };
}

/** The specification in the width there is: side by side if there is room, else one below the other. */
function fitted(chart, width, height, many) {
  const parts = chart.hconcat;
  if (parts) {
    const beside = width > 640;
    for (const part of parts) {
      part.width = beside ? (width - 150) / 2 : width - 80;
      if (many) delete part.encoding?.tooltip; // nobody can point at one of thousands of dots
    }
    if (!beside) { chart.vconcat = parts; delete chart.hconcat; }
    return chart;
  }
  if (chart.vconcat || chart.concat || chart.facet || chart.repeat) return chart; // as wide as it was made
  const narrow = width < 500;
  for (const part of chart.layer || [chart]) {
    const { legend } = part.encoding?.color || {};
    if (narrow && legend) legend.columns = legend.columns > 2 ? 2 : 1; // what is wider than a phone is cut off
  }
  for (const layer of chart.layer || []) {
    chart.height = chart.height || layer.height;
    delete layer.width;
    delete layer.height;
  }
  chart.width = "container";
  chart.autosize = { type: "fit-x", contains: "padding" };
  if (height) chart.height = height;
  return chart;
}
