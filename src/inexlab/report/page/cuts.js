// Where chunkings cut the gold: how many highlights are in one chunk, and highlights with the borders in them.

const SHOWN_AT_ONCE = 12;

/** The text around a highlight, with the borders of one chunking drawn into it. */
function cutText(span, borders) {
  const places = [...new Set([0, span.start, span.end, ...borders, span.text.length])].filter((at) => at >= 0 && at <= span.text.length).sort((a, b) => a - b);
  const cut = new Set(borders);
  const parts = [];
  places.slice(0, -1).forEach((from, i) => {
    if (cut.has(from)) parts.push(make("b", { class: "border", "aria-label": "border" }, "│"));
    const text = span.text.slice(from, places[i + 1]).replace(/\s+/g, " ");
    parts.push(from >= span.start && from < span.end ? make("mark", {}, text) : text);
  });
  return make("p", { class: "cut" }, ...parts);
}

function cutsSection(task) {
  const cuts = task.cuts;
  if (!cuts) return null;
  const order = cuts.systems.map((_, s) => s).sort((a, b) => cuts.best[b] - cuts.best[a]);
  const table = sortable(`${counted(cuts.total, "highlight")} of the gold`, [
    { name: "chunks", class: "name", value: (s) => cuts.systems[s] },
    { name: "in one chunk", number: true, value: (s) => cuts.whole[s] / cuts.total, text: (s) => share(cuts.whole[s] / cuts.total) },
    { name: "of a highlight in its best chunk", number: true, value: (s) => cuts.best[s], text: (s) => share(cuts.best[s]) },
    { name: "borders in a highlight", number: true, value: (s) => cuts.cut[s], text: (s) => cuts.cut[s].toFixed(2) },
  ], order);
  const topics = Object.keys(cuts.questions);
  const state = { topic: "cut" };
  const place = make("div", { "aria-live": "polite" });
  const draw = () => {
    const cutMost = [...cuts.shown].sort((a, b) => mean(a.share) - mean(b.share)).slice(0, SHOWN_AT_ONCE);
    const spans = state.topic === "cut" ? cutMost : cuts.shown.filter((span) => span.topic === state.topic);
    place.replaceChildren(...spans.map((span) => make("article", { class: "gold" },
      make("h3", {}, topicName(span.topic), make("small", {}, ` ${span.doc}`)),
      ...order.map((s) => make("div", {}, make("p", { class: "whose" }, `${cuts.systems[s]}: `, span.share[s] >= 1 ? "in one chunk" : span.share[s] > 0 ? `at most ${share(span.share[s])} in one chunk` : "in no chunk"),
        cutText(span, span.borders[s]))))));
  };
  draw();
  const some = cuts.shown.length < cuts.total ? ` The page has the first ${counted(cuts.shown.length, "highlight")} of them.` : "";
  return section("cuts", "Where chunks cut the gold",
    `A highlight that is in one chunk can be returned whole; one that a border cuts needs several results.${some}`,
    copyButton(table.copied), table.element,
    make("div", { class: "controls" }, choice("Highlights", [["cut", "those that are cut most"], ...topics.map((topic) => [topic, topicName(topic)])], state.topic, (value) => { state.topic = value; draw(); })),
    place);
}
