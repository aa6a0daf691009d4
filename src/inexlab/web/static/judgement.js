// What an assessor says of a document, and how it changes. A judgement is never changed: every act makes a new one.

export const NOTHING = { highlights: [], best: null, status: "unassessed" };

/** Return spans sorted and joined where they overlap or touch. */
export function union(spans) {
  const joined = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Return a judgement with other highlights: something was found, or nothing is left of it. */
function withHighlights(judgement, highlights) {
  const done = judgement.status === "done" && highlights.length > 0;
  return { ...judgement, highlights, status: done ? "done" : "in progress" };
}

export function add(judgement, span) {
  return withHighlights(judgement, union([...judgement.highlights, span]));
}

export function erase(judgement, { start, end }) {
  const left = judgement.highlights.flatMap((old) => [
    { start: old.start, end: Math.min(old.end, start) },
    { start: Math.max(old.start, end), end: old.end },
  ]).filter((part) => part.start < part.end);
  return withHighlights(judgement, left);
}

export function replace(judgement, place, span) {
  const others = judgement.highlights.filter((_, i) => i !== place);
  return withHighlights(judgement, union([...others, span]));
}

export function setBest(judgement, best) {
  const status = ["unassessed", "irrelevant"].includes(judgement.status) ? "in progress" : judgement.status;
  return { ...judgement, best, status };
}

export function toggleIrrelevant(judgement) {
  if (judgement.status === "irrelevant") return { ...NOTHING, status: "in progress" };
  return { ...NOTHING, status: "irrelevant" };
}

/** Mark as done, or not; where nothing is highlighted, what is done is not relevant. */
export function toggleDone(judgement) {
  if (judgement.status === "done") return { ...judgement, status: "in progress" };
  if (!judgement.highlights.length) return toggleIrrelevant(judgement);
  return { ...judgement, status: "done" };
}

/** Return the place of the highlight that has a character, -1 if there is none. */
export function highlightAt(judgement, offset) {
  return judgement.highlights.findIndex(({ start, end }) => start <= offset && offset < end);
}

export function same(a, b) {
  return a.best === b.best && a.status === b.status && a.highlights.length === b.highlights.length
    && a.highlights.every(({ start, end }, i) => start === b.highlights[i].start && end === b.highlights[i].end);
}

const MOST = 1000;

/** The judgements there were, to go back and forth between. */
export class History {
  constructor(first) { this.past = []; this.now = first; this.future = []; }

  /** Go on to another judgement; return whether it is another. */
  go(next) {
    if (same(next, this.now)) return false;
    this.past.push(this.now);
    if (this.past.length > MOST) this.past.shift();
    this.now = next;
    this.future = [];
    return true;
  }

  undo() {
    if (!this.past.length) return false;
    this.future.push(this.now);
    this.now = this.past.pop();
    return true;
  }

  redo() {
    if (!this.future.length) return false;
    this.past.push(this.now);
    this.now = this.future.pop();
    return true;
  }
}
