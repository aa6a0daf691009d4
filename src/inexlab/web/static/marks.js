// Marks painted over the text (CSS Custom Highlight API): the DOM of the text stays as it is. There is one highlight
// of each kind, whatever the number of marks; words and hints are painted near the screen only.

const KINDS = ["term", "hint", "mine", "chosen", "other", "cursor"];  // the later lie over the earlier

export class Marks {
  constructor(text) {
    this.text = text;
    this.layers = {};
    this.painted = {};  // the ranges of each kind, by their spans
    KINDS.forEach((kind, priority) => {
      const layer = new Highlight();
      layer.priority = priority;
      this.layers[kind] = layer;
      this.painted[kind] = new Map();
      CSS.highlights.set(kind, layer);
    });
    this.background = { term: [], hint: [] };
    this.shown = true;
    this.near = [0, text.length];
    this.watch();
  }

  /** Paint all marks of a kind; those that are painted already are left alone. */
  paint(kind, spans) {
    const layer = this.layers[kind], before = this.painted[kind], after = new Map();
    for (const { start, end } of spans) {
      if (start >= end) continue;
      const key = `${start} ${end}`;
      const known = before.get(key) ?? after.get(key);
      after.set(key, known ?? this.text.range(start, end));
      if (!known) layer.add(after.get(key));
    }
    for (const [key, range] of before) if (!after.has(key)) layer.delete(range);
    this.painted[kind] = after;
  }

  /** Set the marks of a kind that is painted near the screen. */
  setBackground(kind, spans) {
    this.background[kind] = spans;
    this.paintBackground();
  }

  /** Show words and hints, or not. */
  show(shown) {
    this.shown = shown;
    this.paintBackground();
  }

  paintBackground() {
    const [from, to] = this.near;
    for (const [kind, spans] of Object.entries(this.background)) {
      const visible = this.shown
        ? spans.filter(({ start, end }) => end > from && start < to)
          .map(({ start, end }) => ({ start: Math.max(start, from), end: Math.min(end, to) }))
        : [];
      this.paint(kind, visible);
    }
  }

  /** Follow which parts of the text are near the screen: they are those that the browser lays out. */
  watch() {
    const parts = [...this.text.root.querySelectorAll(".lazy")];
    if (!parts.length) return;
    const near = new Set();
    const observer = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) if (isIntersecting) near.add(target); else near.delete(target);
      if (!near.size) return;
      let from = Infinity, to = 0;
      for (const part of near) {
        from = Math.min(from, this.text.offsetOf(part, 0));
        to = Math.max(to, this.text.offsetOf(part, part.childNodes.length));
      }
      if (from === this.near[0] && to === this.near[1]) return;
      this.near = [from, to];
      this.paintBackground();
    }, { rootMargin: "60% 0px" });
    this.near = [0, 0];
    parts.forEach((part) => observer.observe(part));
  }
}
