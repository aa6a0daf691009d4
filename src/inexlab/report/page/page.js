// The rest of the sections, and the page itself: one task at a time.

function differences(task, draws) {
  if (!task.comparison) return null;
  const order = task.comparison.order;
  const state = { a: order[0], b: order[1], measure: task.main };
  const place = chartPlace("Difference of two systems on every topic");
  const summary = make("p", { "aria-live": "polite" });
  const numbers = make("div");
  const draw = async () => {
    const measure = task.measures[state.measure];
    const [a, b] = [task.systems[state.a], task.systems[state.b]];
    const rows = differenceRows(task, measure, state.a, state.b);
    const [more, less] = [rows.filter((row) => row.difference > 0).length, rows.filter((row) => row.difference < 0).length];
    const apart = mean(rows.map((row) => row.difference));
    summary.textContent = `${a} is better on ${more}, worse on ${less} and equal on ${rows.length - more - less} of ${counted(rows.length, "topic")}; mean difference ${apart < 0 ? "−" : "+"}${Math.abs(apart).toFixed(4)}.`;
    const table = sortable("Scores of the two systems", [
      { name: "topic", value: (row) => row.topic }, { name: "title", class: "wide", value: (row) => row.title },
      ...["a", "b", "difference"].map((name) => ({ name: { a, b }[name] || name, number: true, value: (row) => row[name], text: (row) => row[name].toFixed(4) })),
    ], rows);
    numbers.replaceChildren(copyButton(table.copied), table.element);
    await place.draw("differences", { y: `${measure.name}: ${a} − ${b}` }, { topics: rows });
  };
  draws.push(draw);
  const options = order.map((s) => [s, task.systems[s]]);
  const set = (name) => (value) => { state[name] = Number(value); return draw(); };
  return section("differences", "Two systems, topic by topic", "A bar is the difference on one topic: up (blue) where the first system is better, down (vermilion) where the second is.",
    make("div", { class: "controls" }, choice("First system", options, state.a, set("a")), choice("Second system", options, state.b, set("b")),
      choice("Measure", meansOnly(task).map(({ measure, i }) => [i, measure.name]), state.measure, set("measure"))),
    summary, place.element, details("Numbers", numbers));
}

function agreementSection(task, draws) {
  const conditions = task.conditions;
  if (!conditions || conditions.decisions.length < 2) return null;
  const state = { x: 0, y: 1 };
  const place = chartPlace("Pairs of systems that either of two measures finds different");
  const summary = make("p", { "aria-live": "polite" });
  const names = conditions.decisions.map((decision) => decision.name);
  const draw = async () => {
    const [x, y] = [conditions.decisions[state.x], conditions.decisions[state.y]];
    const pairs = agreementRows(task, x, y);
    const count = (kind) => pairs.filter((row) => row.found === kind).length;
    summary.textContent = `Pairs found different: ${count("hit")} by both, ${count("miss")} only by ${y.name}, ${count("false alarm")} only by ${x.name}.`;
    if (pairs.length) await place.draw(pairs.length >= FEWEST_OF_A_DENSITY ? "agreement" : "agreement of few", { x: `difference in ${x.name}`, y: `difference in ${y.name}` }, { pairs });
    else place.element.replaceChildren(make("p", {}, "Neither finds any pair different: there is nothing to draw."));
  };
  draws.push(draw);
  const found = conditions.agreement;
  const options = names.map((name, i) => [i, name]);
  const set = (name) => (value) => { state[name] = Number(value); return draw(); };
  const share = sortable("How much each measure finds", [
    { name: "measure", value: (i) => names[i] },
    { name: "% of pairs found different", number: true, value: (i) => found.share[i], text: (i) => shown(found.share[i], 1) },
  ], names.map((_, i) => i));
  const tables = [["recall", "Recall: of what the column finds, how much the row finds too"], ["precision", "Precision: of what the row finds, how much the column finds too"], ["f1", "F1 of the two"]]
    .map(([key, caption]) => shaded(caption, names, found[key]));
  return section("agreement", "Do measures agree on who is better?",
    `Differences of pairs of systems that at least one of two measures (or quantisations) finds, on ${counted(conditions.topics, "topic")} defined in all of them. A miss is found only by the measure on the y-axis, a false alarm only by that on the x-axis. Right: the same pairs as stacked densities, or a histogram of fewer than ${FEWEST_OF_A_DENSITY}. After Ogilvie and Lalmas (2006), Figure 1.`,
    ...warned(conditions.few),
    make("div", { class: "controls" }, choice("x-axis", options, 0, set("x")), choice("y-axis", options, 1, set("y"))),
    summary, place.element, details("Recall, precision and F1 of decisions", share.element, ...tables.flatMap((table) => [make("p", {}), copyButton(table.copied), table.element])));
}

function correlationSection(task, draws) {
  const conditions = task.conditions;
  if (!conditions) return null;
  const state = { x: 0, y: 1 };
  const place = chartPlace("Means of the systems by two measures", "square");
  const draw = () => {
    const tau = conditions.tau[state.x][state.y];
    return place.draw("correlation",
      { x: conditions.names[state.x], y: conditions.names[state.y], title: tau === null ? "" : `Kendall's τ = ${tau.toFixed(3)}` },
      { systems: correlationRows(task, conditions.means[state.x], conditions.means[state.y]), diagonal: diagonalRows(conditions.means[state.x], conditions.means[state.y]) });
  };
  draws.push(draw);
  const options = conditions.names.map((name, i) => [i, name]);
  const set = (name) => (value) => { state[name] = Number(value); return draw(); };
  const table = shaded("Kendall's tau between measures", conditions.names, conditions.tau, { low: -1 });
  return section("correlation", "Do measures rank systems alike?",
    "Each dot is a system; the dashed line is where both means are equal. On a rising line both measures rank alike; a cloud means that they reward different things. After Trotman and Lalmas (2005), Figures 1–3.",
    make("div", { class: "controls" }, choice("x-axis", options, 0, set("x")), choice("y-axis", options, 1, set("y"))),
    place.element, details("Kendall's tau of all measures", copyButton(table.copied), table.element));
}

function profileSection(task, picked, draws) {
  const profile = task.profile;
  if (!profile) return null;
  const places = { granularity: chartPlace("Elements that systems return"), depth: chartPlace("Depth of what systems return") };
  const draw = async () => {
    const order = byRank(task);
    const some = new Set((order.length <= 30 ? order : order.filter((s) => picked.has(s))).map((s) => task.systems[s]));
    for (const [name, place] of Object.entries(places)) {
      const { tables, message } = task.figures[name];
      if (message) saidInstead(place, message);
      else await place.draw(name, {}, { shares: tables.shares.filter((row) => some.has(row.system)) }, { height: Math.max(60, 20 * some.size) });
    }
  };
  draws.push(draw);
  const ranked = byRank(task).map((s) => profile.rows[profile.systems.indexOf(task.systems[s])]).filter(Boolean);
  const table = sortable("What each system returns", profile.columns.map((name, i) => (
    { name: name === "run" ? "system" : name, number: i > 0, value: (row) => row[i], text: (row) => (typeof row[i] === "number" && !Number.isInteger(row[i]) ? row[i].toFixed(1) : shown(row[i], 0)) })), ranked);
  return section("returned", "What systems return",
    `Which elements, how deep in the document (1 is the whole of it), and how much of it overlaps.${task.systems.length > 30 ? " The charts show the systems ticked in the ranking, the table all." : ""}`,
    make("h3", {}, "Elements"), places.granularity.element, make("h3", {}, "Depth"), places.depth.element,
    make("h3", {}, "Size, overlap and what is judged"), copyButton(table.copied), table.element);
}

function topicsSection(task, draws) {
  if (task.systems.length < 2) return null;
  const measure = task.measures[task.main];
  const place = chartPlace("Scores of all systems on each topic, hard to easy");
  const { tables } = task.figures.topics;
  const rows = tables.topics;
  draws.push(() => place.draw("topics", { y: measure.name }, tables));
  const table = sortable(`${counted(rows.length, "topic")}, hardest first`, [
    { name: "topic", value: (row) => row.topic }, { name: "title", class: "wide", value: (row) => row.title },
    ...["mean", "median", "low", "high"].map((name) => ({ name, number: true, value: (row) => row[name], text: (row) => row[name].toFixed(4) })),
    { name: "highest score by", class: "name", value: (row) => row.best },
  ], rows, { sort: 2 });
  return section("topics", "Hard and easy topics", "The scores of all systems on each topic. Left are the topics that all find hard.",
    place.element, copyButton(table.copied), table.element);
}

/** How far those agree who judged the same documents, and whether they rank systems alike. */
function assessorsSection(task, draws) {
  if (!task.assessors) return null;
  const { names, tables, notes } = task.assessors;
  const parts = [["assessors", "Text: F1 of each pair on every topic, the mean, and its interval"], ["assessor-ranking", "Systems ranked by two assessors"]].map(([name, label]) => {
    const made = task.figures[name];
    const place = chartPlace(label, name === "assessor-ranking" ? "square" : "");
    draws.push(() => (made.message ? saidInstead(place, made.message) : place.draw(name, made.words, made.tables, { height: made.height })));
    return [make("h3", {}, label), ...(made.title ? [make("p", {}, made.title)] : []), place.element];
  });
  const grids = tables.map(({ title, columns, rows }) => {
    const table = sortable(title, columns.map((name, i) => ({
      name, number: rows.some((row) => typeof row[i] === "number"), value: (row) => row[i],
      text: (row) => (typeof row[i] === "number" && !Number.isInteger(row[i]) ? row[i].toFixed(3) : shown(row[i], 0)),
    })), rows);
    return details(title, copyButton(table.copied), table.element);
  });
  if (grids.length) grids[0].open = true;
  return section("assessors", "Do assessors agree?",
    `${names.join(", ")} judged some of the same documents. F1 is of the characters both highlighted; 1 is the same text.`,
    ...parts.flat(), make("h3", {}, "All numbers"), ...grids, details("How this was made", make("ul", {}, ...notes.map((note) => make("li", {}, note)))));
}

/** What stands in the place of a chart that has nothing to draw. */
function saidInstead(place, message) {
  place.element.replaceChildren(make("p", {}, message[0].toUpperCase() + message.slice(1)));
}

/** A figure as it is: its rows, and the chart of them, come with the page. */
function figureSection(task, draws, { id, heading, how, figure }) {
  const made = task.figures[figure];
  if (!made) return null;
  const place = chartPlace(heading);
  draws.push(() => (made.message ? saidInstead(place, made.message) : place.draw(made.chart, {}, made.tables, { height: made.height })));
  return section(id, heading, how, ...warned(made.note), ...(made.title ? [make("p", {}, made.title)] : []), place.element);
}

function foot() {
  const rows = DATA.files.map(([what, name, hash]) => make("tr", {}, make("td", {}, what), make("td", {}, name), make("td", {}, make("code", {}, hash || "read from standard input"))));
  document.getElementById("foot").replaceChildren(
    make("h2", {}, "How to make it again"),
    make("p", {}, Object.entries(DATA.versions).map(([name, version]) => `${name} ${version}`).join(", "),
      `.${DATA.testing.samples ? ` ${whole(DATA.testing.resamples)} resamples, seed ${DATA.testing.seed}.` : ""} Colours: Okabe–Ito and cividis, which can be told apart with any colour vision.`),
    details(`${counted(DATA.files.length, "file")} with SHA-256`, make("table", {}, make("tbody", {}, ...rows))));
}

async function showTask(index) {
  const task = DATA.tasks[index];
  const started = performance.now();
  redraws.length = 0;
  document.querySelectorAll("#tasks button").forEach((button, i) => button.setAttribute("aria-current", String(i === index)));
  const picked = new Set(byRank(task).slice(0, MOST_IN_COLOUR));
  const draws = [];
  const follow = [];
  const [heat, matrix] = [heatMap(task), significance(task)];
  const own = {
    overview: () => overview(task),
    cuts: () => cutsSection(task),
    ranking: () => ranking(task, picked, () => follow.forEach((draw) => draw())),
    curves: () => curves(task, picked, follow),
    heatmap: () => heat.element,
    significance: () => matrix && matrix.element,
    differences: () => differences(task, draws),
    agreement: () => agreementSection(task, draws),
    correlation: () => correlationSection(task, draws),
    returned: () => profileSection(task, picked, follow),
    topics: () => topicsSection(task, draws),
    assessors: () => assessorsSection(task, draws),
  };
  const sections = DATA.sections.map((part) => (part.figure ? figureSection(task, draws, part) : own[part.id]())).filter(Boolean);
  const short = Object.fromEntries(DATA.sections.map((part) => [part.id, part.short]));
  const content = document.getElementById("content");
  content.replaceChildren(...(DATA.tasks.length > 1 ? [make("h2", { class: "task" }, task.title)] : []), ...sections);
  document.getElementById("toc").replaceChildren(...sections.map((part) => make("a", { href: `#${part.id}` }, short[part.id])));
  heat.draw();
  if (matrix) matrix.draw();
  for (const draw of [...follow, ...draws]) await draw();
  document.body.dataset.ready = String(Math.round(performance.now() - started));
}

if (DATA.tasks.length > 1) {
  document.getElementById("tasks").append(...DATA.tasks.map((task, i) => make("button", { type: "button", onclick: () => showTask(i) }, task.name)));
}
foot();
showTask(0);
