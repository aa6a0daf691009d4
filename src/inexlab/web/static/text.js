// The text of the page: places in it, counted as browsers do (UTF-16) and as we do (code points), and the
// words, sentences and elements it consists of. The text nodes are never changed.

/** Return the first place in a sorted array whose value is not below the given one. */
export function lowerBound(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
}

const BLOCKS = "p,h1,h2,h3,h4,h5,h6,li,td,th,div,caption";

export class PageText {
  constructor(root) {
    this.root = root;
    this.nodes = [];
    this.starts = [];  // of each text node, in UTF-16
    this.numbers = new Map();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let length = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      this.numbers.set(node, this.nodes.length);
      this.nodes.push(node);
      this.starts.push(length);
      length += node.length;
    }
    this.text = root.textContent;
    this.length = length;
    this.pairs = [];  // where characters of two UTF-16 units begin
    for (const found of this.text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) this.pairs.push(found.index);
    this.pairPoints = this.pairs.map((place, i) => place - i);
  }

  /** Return code points for a UTF-16 offset; one inside a character moves to its start. */
  toPoints(offset) {
    return offset - lowerBound(this.pairs, offset);  // inside one, it counts as gone by
  }

  /** Return the UTF-16 offset of code points. */
  fromPoints(points) { return points + lowerBound(this.pairPoints, points); }

  /** Return the number of the text node that has a character. */
  nodeAt(offset) {
    const next = lowerBound(this.starts, offset + 1);
    return Math.max(0, next - 1);
  }

  /** Return the range of a span: it begins in the node of its first character and ends in that of its last. */
  range(start, end) {
    const first = this.nodeAt(start), last = this.nodeAt(Math.max(start, end - 1));
    return new StaticRange({
      startContainer: this.nodes[first], startOffset: start - this.starts[first],
      endContainer: this.nodes[last], endOffset: end - this.starts[last],
    });
  }

  /** Return the boxes of a span on the screen. */
  rects(start, end) {
    const { startContainer, startOffset, endContainer, endOffset } = this.range(start, end);
    const live = document.createRange();
    live.setStart(startContainer, startOffset);
    live.setEnd(endContainer, endOffset);
    return [...live.getClientRects()].filter((box) => box.height > 0);
  }

  /** Return the box of the first character that is shown from a place on, forwards or backwards. */
  box(offset, step = 1) {
    for (let at = offset, tries = 0; at >= 0 && at < this.length && tries < 400; at += step, tries += 1) {
      if (/\s/.test(this.text[at])) continue;
      const found = this.rects(at, at + 1);
      if (found.length) return found[step > 0 ? 0 : found.length - 1];
    }
    return null;
  }

  /** Return the offset of a point in the DOM. */
  offsetOf(container, offset) {
    const known = this.numbers.get(container);
    if (known !== undefined) return this.starts[known] + offset;
    if (container.nodeType === Node.TEXT_NODE || !this.root.contains(container)) {
      const side = this.root.compareDocumentPosition(container);
      if (side & Node.DOCUMENT_POSITION_CONTAINS) {  // around the text: the point is before or after it
        const child = container.childNodes[offset];
        return child && this.root.compareDocumentPosition(child) & Node.DOCUMENT_POSITION_FOLLOWING
          ? this.length : child ? 0 : this.length;
      }
      return side & Node.DOCUMENT_POSITION_PRECEDING ? 0 : this.length;
    }
    const walker = document.createTreeWalker(this.root, NodeFilter.SHOW_TEXT);
    const child = container.childNodes[offset];
    walker.currentNode = child ?? container;
    let node;
    if (child) node = child.nodeType === Node.TEXT_NODE ? child : walker.nextNode();
    else {  // after all that is in the element
      node = walker.nextNode();
      while (node && container.contains(node)) node = walker.nextNode();
    }
    return node ? this.starts[this.numbers.get(node)] : this.length;
  }

  /** Return the span that is selected in the page, without white space around it; null if there is none. */
  selected() {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.root)) return null;
    return this.trimmed(
      this.offsetOf(range.startContainer, range.startOffset), this.offsetOf(range.endContainer, range.endOffset));
  }

  /** Return the span from where a selection began to a point of the screen beside the text: to what is nearest to it. */
  selectedTo(x, y) {
    const { anchorNode, anchorOffset, isCollapsed } = getSelection();
    if (!anchorNode || isCollapsed || !this.root.contains(anchorNode)) return this.selected();
    const { left, right, top, bottom } = this.root.getBoundingClientRect();
    const within = (value, least, most) => Math.min(Math.max(value, least), most);
    const focus = this.offsetAt(within(x, left + 1, right - 1), within(y, Math.max(top, 0) + 1, Math.min(bottom, innerHeight) - 1));
    if (focus < 0) return this.selected();
    const anchor = this.offsetOf(anchorNode, anchorOffset);
    return this.trimmed(Math.min(anchor, focus), Math.max(anchor, focus));
  }

  /** Return a span of whole characters without white space around it; null if nothing is left. */
  trimmed(start, end) {
    const whole = (offset) => this.fromPoints(this.toPoints(offset));
    start = whole(start);
    end = whole(end);
    while (start < end && /\s/.test(this.text[start])) start += 1;
    while (end > start && /\s/.test(this.text[end - 1])) end -= 1;
    return start < end ? { start, end } : null;
  }

  /** Return the offset under a point of the screen, -1 where there is no text. */
  offsetAt(x, y) {
    let node, offset;
    if (document.caretPositionFromPoint) {
      const found = document.caretPositionFromPoint(x, y);
      if (!found) return -1;
      ({ offsetNode: node, offset } = found);
    } else {
      const found = document.caretRangeFromPoint(x, y);
      if (!found) return -1;
      ({ startContainer: node, startOffset: offset } = found);
    }
    return this.root.contains(node) ? this.offsetOf(node, offset) : -1;
  }

  /** Return the span of the innermost element around a span that is larger. */
  around(start, end) {
    let element = this.nodes[this.nodeAt(start)].parentElement;
    for (; element && this.root.contains(element); element = element.parentElement) {
      const span = this.spanOf(element);
      if (span && span.start <= start && span.end >= end && (span.start < start || span.end > end)) return span;
    }
    return null;
  }

  /** Return the span of an element's text, without white space around it. */
  spanOf(element) {
    return this.trimmed(this.offsetOf(element, 0), this.offsetOf(element, element.childNodes.length));
  }

  /** Take over where sentences are, in code points. */
  setSentences(spans) {
    this.units = {
      sentence: new Units(spans.map(([a]) => this.fromPoints(a)), spans.map(([, b]) => this.fromPoints(b))),
      word: new Words(this),
    };
  }

  /** Return the units of a kind: word, sentence or element. */
  unitsOf(kind) {
    if (kind === "element" && !this.units.element) this.units.element = this.blocks();
    return this.units[kind];
  }

  /** Return the innermost blocks with text: paragraphs, titles, items, cells. */
  blocks() {
    const starts = [], ends = [];
    let last = null;
    this.nodes.forEach((node, i) => {
      const from = node.data.search(/\S/);
      if (from < 0) return;
      const block = node.parentElement.closest(BLOCKS);
      const end = this.starts[i] + node.data.trimEnd().length;
      if (block !== last) {
        starts.push(this.starts[i] + from);
        ends.push(end);
        last = block;
      } else ends[ends.length - 1] = end;
    });
    return new Units(starts, ends);
  }
}

/** Parts of a text in order, which do not overlap. */
class Units {
  constructor(starts, ends) { this.starts = starts; this.ends = ends; }

  at(i) { return i >= 0 && i < this.starts.length ? { start: this.starts[i], end: this.ends[i] } : null; }

  /** Return the first unit that ends after a place. */
  endingAfter(offset) { return this.at(lowerBound(this.ends, offset + 1)); }

  /** Return the last unit that ends before a place. */
  endingBefore(offset) { return this.at(lowerBound(this.ends, offset) - 1); }

  /** Return the last unit that begins before a place. */
  beginningBefore(offset) { return this.at(lowerBound(this.starts, offset) - 1); }

  /** Return the first unit that begins after a place. */
  beginningAfter(offset) { return this.at(lowerBound(this.starts, offset + 1)); }
}

/** The words of a text, cut where they are needed: sentence by sentence, as no word is in two of these. */
class Words {
  constructor(text) {
    this.text = text;
    this.segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "word" }) : null;
  }

  words({ start, end }) {
    const text = this.text.text.slice(start, end);
    const found = this.segmenter
      ? [...this.segmenter.segment(text)].filter((part) => part.isWordLike).map((part) => [part.index, part.segment.length])
      : [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((part) => [part.index, part[0].length]);
    return found.map(([at, length]) => ({ start: start + at, end: start + at + length }));
  }

  /** Return the first word, sentence by sentence from a place on, of which something holds. */
  search(offset, forwards, holds) {
    const sentences = this.text.units.sentence;
    let i = lowerBound(sentences.ends, offset + (forwards ? 0 : 1));
    if (!forwards && i >= sentences.starts.length) i = sentences.starts.length - 1;
    for (; i >= 0 && i < sentences.starts.length; i += forwards ? 1 : -1) {
      const words = this.words(sentences.at(i)).filter(holds);
      if (words.length) return words[forwards ? 0 : words.length - 1];
    }
    return null;
  }

  endingAfter(offset) { return this.search(offset, true, (word) => word.end > offset); }

  endingBefore(offset) { return this.search(offset, false, (word) => word.end < offset); }

  beginningBefore(offset) { return this.search(offset, false, (word) => word.start < offset); }

  beginningAfter(offset) { return this.search(offset, true, (word) => word.start > offset); }
}
