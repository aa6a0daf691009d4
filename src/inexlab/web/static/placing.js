// What is laid over the text and moves with it: the tools and edges of the chosen highlight, the flag of the best
// entry point. They are beside the text in the page, never in it.

const find = (id) => document.getElementById(id);

export class Placing {
  constructor(text, paper) {
    this.text = text;
    this.paper = paper;
    this.span = null;
    this.best = null;
    this.dragging = null;
    this.onDrag = () => {};
    const again = () => this.soon();
    addEventListener("scroll", again, { passive: true });
    addEventListener("resize", again);
    new ResizeObserver(again).observe(text.root);
    for (const which of ["start", "end"]) this.letDrag(which);
  }

  /** Show the edges of a span and its tools, and the flag of a place; null for none. */
  place(span, best, tools = true) {
    this.span = span;
    this.best = best;
    find("handle-start").hidden = find("handle-end").hidden = !span;
    find("tools").hidden = !span || !tools;
    find("flag").hidden = best === null;
    this.soon();
  }

  soon() {
    if (this.waiting || (!this.span && this.best === null)) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.now();
    });
  }

  now() {
    const around = this.paper.getBoundingClientRect();
    const put = (element, x, y) => {
      element.style.left = `${Math.round(x - around.left)}px`;
      element.style.top = `${Math.round(y - around.top)}px`;
    };
    if (this.span) {
      const first = this.text.box(this.span.start), last = this.text.box(this.span.end - 1, -1);
      if (first && last) {
        put(find("handle-start"), first.left, first.top);
        put(find("handle-end"), last.right, last.bottom);
        const tools = find("tools");
        const x = Math.max(around.left, Math.min(last.right - 60, around.right - tools.offsetWidth));
        put(tools, x, last.bottom + 14);
      }
    }
    if (this.best !== null) {
      const box = this.text.box(this.best);
      if (box) put(find("flag"), this.text.root.getBoundingClientRect().left, box.top);
      find("flag").hidden = !box;
    }
  }

  /** Let a handle be dragged: the edge goes where the pointer is. */
  letDrag(which) {
    const handle = find(`handle-${which}`);
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.dragging = which;
      document.body.classList.add("dragging");
      const follow = ({ clientX, clientY }, finished) => {
        const offset = this.text.offsetAt(clientX, clientY - (which === "end" ? 4 : -4));
        if (offset >= 0 || finished) this.onDrag(which, offset >= 0 ? offset : this.span[which], finished);
      };
      const move = (moved) => follow(moved, false);
      const stop = (moved) => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", stop);
        removeEventListener("pointercancel", stop);
        follow(moved, true);
        document.body.classList.remove("dragging");
        setTimeout(() => { this.dragging = null; });
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", stop);
      addEventListener("pointercancel", stop);
    });
  }

  /** Scroll so that a place can be seen; once more when what is around it has been laid out. */
  reveal(offset, tries = 3) {
    const box = this.text.box(offset);
    if (!box) return;
    const top = 110, bottom = innerHeight - 120;
    if (box.top < top || box.bottom > bottom) {
      scrollBy({ top: box.top - innerHeight * 0.35, behavior: "instant" });
      if (tries) requestAnimationFrame(() => requestAnimationFrame(() => this.reveal(offset, tries - 1)));
    }
    this.soon();
  }
}
