// The sections of the page: each gets a task and the place to fill, and gives back how to draw what is left.

function section(id, title, how, ...children) {
  return make("section", { id, "aria-labelledby": `${id}-title` },
    make("h2", { id: `${id}-title` }, title), make("p", { class: "how" }, how), ...children);
}

const whole = (number) => number.toLocaleString("en");
const plain = (text) => text.replaceAll("`", "");
const details = (title, ...children) => make("details", {}, make("summary", {}, title), ...children);
const meansOnly = (task) => task.measures.map((measure, i) => ({ measure, i })).filter(({ measure }) => !measure.sum);
const byRank = (task) => task.comparison ? task.comparison.order : task.systems.map((_, s) => s);
const warned = (text) => (text ? [make("p", { class: "warning" }, text)] : []);
const rowOf = (task, s) => [...task.comparison.better[s]];
const hits = (row) => row.filter((bit) => bit === "1").length;

/** Who leads: the best, if it is found better than all others; else only the highest mean. */
function leader(task) {
  const first = task.comparison.order[0];
  const others = task.systems.length - 1 - hits(rowOf(task, first));
  const name = task.systems[first];
  return others ? ["Highest mean", `${name}, not shown to be better than ${counted(others, "other")}`] : ["Best", name];
}

function overview(task) {
  const { testing } = DATA;
  const main = task.measures[task.main];
  const found = task.comparison;
  const facts = [["Systems", shown(task.systems.length, 0)], ["Topics", shown(task.topics.length, 0)], ["Ranked by", main.name]];
  if (found) {
    const pairs = task.systems.length * (task.systems.length - 1) / 2;
    const different = found.better.reduce((sum, row) => sum + hits([...row]), 0);
    facts.push(leader(task));
    facts.push(["Pairs shown to differ", `${shown(different, 0)} of ${shown(pairs, 0)} (${percent(100 * different / pairs)})`]);
    facts.push(["Test", testing.test]);
  }
  const sampled = testing.samples ? `, ${whole(testing.resamples)} resamples, seed ${testing.seed}` : "";
  const assumed = [
    ...(found ? [
      `${found.how}${sampled}, on the ${counted(found.topics.length, "topic")} on which every system has a score; ${whole(found.found)} of ${counted(found.hypotheses, "hypothesis", "hypotheses")} rejected`,
    ] : []),
    ...task.notes.filter((note) => !note.startsWith("policy: ")),
    ...(task.policy.length ? [make("span", {}, "choices that differ from inexlab's default:", make("ul", {}, ...task.policy.map((line) => make("li", {}, line))))] : []),
  ];
  return section("overview", "What was compared", plain(main.summary),
    make("dl", { class: "facts" }, ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", { class: value.length > 14 ? "long" : null }, ...soft(value))))),
    ...(found ? found.warnings.map((text) => make("p", { class: "warning" }, text)) : [make("p", { class: "warning" }, "One system only: there is nothing to compare it with.")]),
    make("h3", {}, "What was assumed"), make("ul", {}, ...assumed.map((text) => make("li", {}, text))));
}

function ranking(task, picked, changed) {
  const found = task.comparison;
  const main = task.measures[task.main];
  const order = byRank(task);
  const bounds = found ? [Math.min(...found.low.map((v, s) => v ?? found.means[s])), Math.max(...found.high.map((v, s) => v ?? found.means[s]))] : [0, 1];
  const at = (value) => `${(100 * (value - bounds[0])) / (bounds[1] - bounds[0] || 1)}%`;
  const interval = ({ s }) => {
    if (found.low[s] === null) return "–";
    const bar = make("i", { style: `left:${at(found.low[s])};right:calc(100% - ${at(found.high[s])})` });
    return make("span", { class: "interval", title: `${shown(found.low[s])} … ${shown(found.high[s])}` }, ...lines(), bar, make("b", { style: `left:${at(found.means[s])}` }));
  };
  const marks = ticks(...bounds, 5);
  const lines = () => marks.map((value) => make("u", { style: `left:${at(value)}` }));
  const scale = () => make("span", { class: "interval scale", "aria-hidden": "true" }, ...lines(), ...marks.map((value) => make("small", { style: `left:${at(value)}` }, String(value))));
  const pick = ({ s }) => {
    const box = make("input", { type: "checkbox", class: "pick", "aria-label": `draw the curve of ${task.systems[s]}` });
    box.checked = picked.has(s);
    boxes.set(s, box);
    box.addEventListener("change", () => {
      if (box.checked) picked.add(s); else picked.delete(s);
      while (picked.size > MOST_IN_COLOUR) {
        const first = [...picked][0];
        picked.delete(first);
        boxes.get(first).checked = false;
      }
      changed();
    });
    return box;
  };
  const boxes = new Map();
  const teams = task.participants.some((name, s) => name && name !== task.systems[s]);
  const columns = [
    { name: "drawn", unsorted: true, html: pick, value: () => "", title: `the curves of up to ${MOST_IN_COLOUR} systems are drawn in colour`, class: "pick" },
    { name: "rank", number: true, value: (row) => row.rank, text: (row) => String(row.rank) },
    { name: "system", class: "name", value: ({ s }) => task.systems[s] },
    ...(teams ? [{ name: "participant", value: ({ s }) => task.participants[s] }] : []),
    ...(task.submitted.some(Boolean) ? [{ name: "submitted to", value: ({ s }) => task.submitted[s] }] : []),
    { name: main.name + (main.doubtful ? " ?" : ""), number: true, value: ({ s }) => main.means[s], text: ({ s }) => score(main, main.means[s]), title: plain(main.summary) },
    ...(found ? [
      { name: `${100 - 100 * DATA.testing.alpha}% interval`, html: interval, value: ({ s }) => found.low[s], under: scale },
      { name: "from", number: true, value: ({ s }) => found.low[s] },
      { name: "to", number: true, value: ({ s }) => found.high[s] },
      ...(found.letters.some(Boolean) ? [{ name: "group", value: ({ s }) => found.letters[s], html: ({ s }) => make("span", { title: found.letters[s] }, found.short[s]) }] : []),
      { name: "better than", number: true, value: ({ s }) => hits(rowOf(task, s)), text: ({ s }) => String(hits(rowOf(task, s))) },
      { name: "worse than", number: true, value: ({ s }) => hits(found.better.map((row) => row[s])), text: ({ s }) => String(hits(found.better.map((row) => row[s]))) },
    ] : []),
    ...(task.unjudged ? [{ name: "unjudged", number: true, value: ({ s }) => task.unjudged[s], text: ({ s }) => share(task.unjudged[s]), title: "results in documents that nobody judged" }] : []),
    ...task.measures.map((measure, i) => ({ measure, i })).filter(({ i }) => i !== task.main).map(({ measure }) => (
      { name: measure.name + (measure.doubtful ? " ?" : ""), number: true, value: ({ s }) => measure.means[s], text: ({ s }) => score(measure, measure.means[s]), title: plain(measure.summary) })),
    ...(task.descriptions.some(Boolean) ? [{ name: "description", class: "wide", value: ({ s }) => task.descriptions[s] }] : []),
  ];
  const rows = order.map((s, i) => ({ s, rank: i + 1 }));
  const table = sortable(`${counted(task.systems.length, "system")} by ${main.name}`, columns, rows, { sort: 1, broad: columns.length > 12 });
  const search = make("input", { type: "search", placeholder: "part of a name", oninput: () => {
    const wanted = search.value.toLowerCase();
    table.show(rows.filter(({ s }) => `${task.systems[s]} ${task.participants[s]} ${task.submitted[s]} ${task.descriptions[s]}`.toLowerCase().includes(wanted)));
  } });
  const controls = make("div", { class: "controls" }, make("label", { class: "onscreen" }, "Find a system", search), copyButton(table.copied));
  return section("ranking", "Ranking",
    found ? `The mark is the mean over topics, the bar its confidence interval. ${found.letters.some(Boolean) ? "Systems that share a letter are not shown to differ. " : ""}Any column sorts; a ? marks a value that no paper confirms.`
      : "Any column sorts.", ...warned(found && found.few), controls, table.element);
}

function curves(task, picked, draws) {
  if (!task.curves.length) return null;
  let chosen = 0;
  const place = chartPlace("Curves of the chosen systems");
  const numbers = make("div");
  const draw = async () => {
    const curve = task.curves[chosen];
    const systems = byRank(task).filter((s) => picked.has(s));
    const thin = curve.points.map((_, i) => i).filter((i) => curve.points.length < 40 || i % 10 === 0 || i === curve.points.length - 1);
    const table = sortable(`${curve.name} at some of its points`, [
      { name: "system", value: (s) => task.systems[s] },
      ...thin.map((i) => ({ name: `${curve.axis === "rank" ? "" : "at "}${curve.points[i]}`, number: true, value: (s) => curve.values[s][i] })),
    ], systems);
    numbers.replaceChildren(copyButton(() => [["system", ...curve.points], ...task.systems.map((name, s) => [name, ...curve.values[s]])], "Copy all points of all systems"), table.element);
    await place.draw(`curves over ${curve.axis}`, { y: curve.name }, curveRows(task, curve, systems));
  };
  draws.push(draw);
  const options = task.curves.map((curve, i) => [i, `${curve.name} over ${curve.axis}`]);
  return section("curves", "Curves",
    `Means over topics at each ${task.curves.map((c) => (c.axis === "recall" ? "recall level" : "rank")).filter((v, i, all) => all.indexOf(v) === i).join(" or ")}. Tick systems in the ranking to draw them; grey is the range of all systems, dark grey the middle half of them.`,
    make("div", { class: "controls" }, choice("Curve", options, 0, (value) => { chosen = Number(value); draw(); })),
    place.element, details("Numbers", numbers));
}

function heatMap(task) {
  const state = { measure: task.main, topics: "difficulty", systems: "rank", topic: -1, system: -1 };
  const difficulty = (measure) => task.topics.map((_, t) => {
    const known = measure.scores.map((row) => row[t]).filter((value) => value !== null);
    return known.length ? mean(known) : Infinity;
  });
  const spread = (measure) => task.topics.map((_, t) => {
    const known = measure.scores.map((row) => row[t]).filter((value) => value !== null);
    return known.length ? Math.max(...known) - Math.min(...known) : -1;
  });
  const model = () => {
    const measure = task.measures[state.measure];
    const places = task.topics.map((_, t) => t);
    const key = state.system >= 0 ? measure.scores[state.system].map((v) => v ?? Infinity)
      : state.topics === "difficulty" ? difficulty(measure) : state.topics === "spread" ? spread(measure).map((v) => -v) : null;
    if (key) places.sort((a, b) => key[a] - key[b] || a - b);
    const systems = [...byRank(task)];
    if (state.topic >= 0) systems.sort((a, b) => (measure.scores[b][state.topic] ?? -1) - (measure.scores[a][state.topic] ?? -1));
    else if (state.systems === "name") systems.sort((a, b) => task.systems[a].localeCompare(task.systems[b], "en", { numeric: true }));
    const most = Math.max(...measure.scores.flat().filter((value) => value !== null), measure.sum ? 1 : 0) || 1;
    const hole = rgb(colour("undefined"));
    return {
      rows: systems.length, columns: places.length,
      rowName: (r) => task.systems[systems[r]], columnName: (c) => task.topics[places[c]],
      paint: (r, c) => { const v = measure.scores[systems[r]][places[c]]; return v === null ? hole : cividis(v / most); },
      tell: (r, c) => `${task.systems[systems[r]]}\n${topicName(task.topics[places[c]])}\n${measure.name}: ${score(measure, measure.scores[systems[r]][places[c]])}`,
      rowTip: (r) => `${task.systems[systems[r]]}\nclick: order the topics by its scores`,
      columnTip: (c) => `${topicName(task.topics[places[c]])}\nclick: order the systems by their scores on it`,
      row: (r) => { state.system = systems[r]; drawn.draw(); }, column: (c) => { state.topic = places[c]; drawn.draw(); },
      most,
    };
  };
  const drawn = grid("Heat map of scores, systems by topics; arrow keys move from cell to cell", model);
  const ramp = make("canvas", { width: 90, height: 1, "aria-hidden": "true" });
  const pixels = new ImageData(90, 1);
  for (let i = 0; i < 90; i += 1) pixels.data.set([...cividis(i / 89), 255], 4 * i);
  ramp.getContext("2d").putImageData(pixels, 0, 0);
  const set = (name, value) => { state[name] = value; if (name === "topics") state.system = -1; if (name === "systems") state.topic = -1; drawn.draw(); };
  const table = () => {
    const measure = task.measures[state.measure];
    return [["system", ...task.topics], ...task.systems.map((name, s) => [name, ...measure.scores[s]])];
  };
  const made = section("heatmap", "Topic by topic",
    "Each row is a system, each column a topic; bright is a high score. Point at a cell for the topic's title; click a name to sort by it.",
    make("div", { class: "controls" },
      choice("Measure", task.measures.map((m, i) => [i, m.name]), state.measure, (value) => set("measure", Number(value))),
      choice("Topics", [["difficulty", "hard to easy"], ["spread", "most disputed first"], ["id", "by number"]], state.topics, (value) => set("topics", value)),
      choice("Systems", [["rank", "best first"], ["name", "by name"]], state.systems, (value) => set("systems", value)),
      copyButton(table)),
    make("div", { class: "key" }, "0", ramp, "highest", make("span", { style: "--swatch: var(--undefined)" }, "undefined")), ...drawn.elements);
  return { element: made, draw: drawn.draw };
}

function significance(task) {
  const found = task.comparison;
  if (!found) return null;
  const order = found.order;
  const won = (a, b) => found.better[a][b] === "1";
  const model = () => {
    const paints = { won: rgb(colour("blue")), lost: rgb(colour("orange")), none: rgb(colour("empty")), self: rgb(colour("paper")) };
    const kind = (r, c) => (r === c ? "self" : won(order[r], order[c]) ? "won" : won(order[c], order[r]) ? "lost" : "none");
    const p = (a, b) => { const value = found.p[a][b]; return value === null ? "" : `, adjusted p ${value === 0 ? "0 (below the resolution of the resamples)" : value}`; };
    return {
      rows: order.length, columns: order.length,
      rowName: (r) => `${task.systems[order[r]]} ${r + 1}`, columnName: (c) => `${c + 1}${order.length <= 40 ? ` ${task.systems[order[c]]}` : ""}`,
      paint: (r, c) => paints[kind(r, c)],
      mark: (r, c) => (kind(r, c) === "won" ? "*" : ""),
      tell: (r, c) => {
        const [a, b] = [order[r], order[c]];
        if (a === b) return task.systems[a];
        const outcome = { won: "is better than", lost: "is worse than", none: "is not shown to differ from" }[kind(r, c)];
        const apart = found.means[a] - found.means[b];
        return `${task.systems[a]}\n${outcome}\n${task.systems[b]}\ndifference ${apart < 0 ? "−" : "+"}${Math.abs(apart).toFixed(4)}${kind(r, c) === "lost" ? p(b, a) : p(a, b)}`;
      },
      rowTip: (r) => task.systems[order[r]], columnTip: (c) => task.systems[order[c]],
    };
  };
  const drawn = grid("Significance matrix: which system is better than which; arrow keys move from cell to cell", model, { least: order.length > 60 ? 1 : 12 });
  const sizes = choice("Size", [[1, "the whole at once"], [12, "with all names"]], 1, (value) => drawn.draw(Number(value)));
  const pairs = () => [["a", "b", "difference", "adjusted p", "a better"], ...order.flatMap((a) => order.filter((b) => a !== b).map((b) => (
    [task.systems[a], task.systems[b], found.means[a] - found.means[b], found.p[a][b], won(a, b)])))];
  const made = section("significance", "Who is really better",
    `The row against the column, best systems first: ${DATA.testing.test}, ${found.family}, level ${DATA.testing.alpha}.`, ...warned(found.few),
    make("div", { class: "controls" }, order.length > 60 ? sizes : null, copyButton(pairs, "Copy all pairs")),
    make("div", { class: "key" }, make("span", { style: "--swatch: var(--blue)" }, "* better"), make("span", { style: "--swatch: var(--orange)" }, "worse"),
      make("span", { style: "--swatch: var(--empty)" }, "not shown to differ")), ...drawn.elements);
  return { element: made, draw: drawn.draw };
}
