// The rows of charts that depend on what a reader chooses, made from the scores; the same that `inexlab plot` makes
// in Python. The rows of all others come with the page.

const MOST_IN_COLOUR = 6;
const FEWEST_OF_A_DENSITY = 30;
const FOUND = ["hit", "miss", "false alarm"];

function curveRows(task, curve, systems) {
  const lines = [];
  for (const s of systems) {
    curve.points.forEach((x, i) => lines.push({ system: task.systems[s], x, y: curve.values[s][i] }));
  }
  const defined = curve.values.filter((row) => !row.includes(null)); // a system without any topic has no curve
  const everyone = task.systems.length <= systems.length || !defined.length ? [] : curve.points.map((x, i) => {
    const sorted = defined.map((row) => row[i]).sort((a, b) => a - b);
    return { x, low: sorted[0], q1: quantile(sorted, 0.25), q3: quantile(sorted, 0.75), high: sorted.at(-1) };
  });
  return { lines, everyone };
}

/** The topics on which all systems have a score, with their places. */
function comparedTopics(task, measure) {
  return task.topics.map((topic, t) => ({ topic, t }))
    .filter(({ t }) => measure.scores.every((row) => row[t] !== null));
}

function differenceRows(task, measure, a, b) {
  return comparedTopics(task, measure)
    .map(({ topic, t }) => {
      const [x, y] = [measure.scores[a][t], measure.scores[b][t]];
      return { topic, title: DATA.titles[topic] || "", a: x, b: y, difference: x - y };
    })
    .sort((one, two) => two.difference - one.difference);
}

function agreementRows(task, x, y) {
  const rows = [];
  task.systems.forEach((a, i) => task.systems.forEach((b, j) => {
    const [byX, byY] = [x.better[i][j] === "1", y.better[i][j] === "1"];
    if (!byX && !byY) return;
    rows.push({
      a, b, x: x.means[i] - x.means[j], y: y.means[i] - y.means[j],
      found: FOUND[byX && byY ? 0 : byY ? 1 : 2],
    });
  }));
  return rows;
}

const [MOST_NAMES, MOVED_NAMES, LEAST_SPREAD] = [20, 8, 0.25];

/** A dot for each system; of many, those are named whose ranks differ most. */
function correlationRows(task, x, y) {
  const places = task.systems.map((_, s) => s);
  const ranks = [x, y].map((values) => {
    const rank = [];
    [...places].sort((a, b) => values[b] - values[a]).forEach((s, i) => { rank[s] = i; });
    return rank;
  });
  const apart = (s) => Math.abs(ranks[0][s] - ranks[1][s]);
  const named = new Set(places.length <= MOST_NAMES ? places : [...places].sort((a, b) => apart(b) - apart(a)).slice(0, MOVED_NAMES));
  const middle = (Math.min(...x) + Math.max(...x)) / 2; // names on the right go before their dots, to stay inside
  return task.systems.map((system, s) => {
    const name = named.has(s) ? system : "";
    return { system, x: x[s], y: y[s], after: x[s] > middle ? "" : name, before: x[s] > middle ? name : "" };
  });
}

/** The ends of the line of equal means; none where the axes have too little in common. */
function diagonalRows(x, y) {
  const [low, high] = [Math.min(...x, ...y), Math.max(...x, ...y)];
  const spread = Math.min(...[x, y].map((values) => Math.max(...values) - Math.min(...values)));
  return low === high || spread < LEAST_SPREAD * (high - low) ? [] : [{ x: low, y: low }, { x: high, y: high }];
}
