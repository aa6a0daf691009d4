// The judging page: what people do with mouse, finger and keys becomes judgements, which are painted, told and saved.

import { Clock } from "./clock.js";
import { History, add, erase, highlightAt, replace, setBest, toggleDone, toggleIrrelevant, union } from "./judgement.js";
import { Marks } from "./marks.js";
import { Outbox } from "./outbox.js";
import { Placing } from "./placing.js";
import { remember, remembered } from "./remember.js";
import { resend } from "./resend.js";
import { letSettle, tellRefusal } from "./settling.js";
import { TROUBLE, announce, tellState } from "./telling.js";
import { PageText, lowerBound } from "./text.js";

const find = (id) => document.getElementById(id);
const known = JSON.parse(find("knowledge").textContent);
const article = find("text");

if (!globalThis.Highlight || !CSS.highlights) {
  find("saved").textContent = "This browser cannot paint highlights. Use a newer one.";
  throw new Error("no CSS.highlights");
}

const text = new PageText(article);
text.setSentences(known.sentences);
const marks = new Marks(text);
const placing = new Placing(text, find("paper"));
const clock = new Clock();

const spans = (pairs) => pairs.map(([start, end]) => ({ start: text.fromPoints(start), end: text.fromPoints(end) }));
const hints = spans(known.hints);
marks.setBackground("hint", hints);
marks.setBackground("term", spans(known.terms));

// between the judgement of this page, which counts in UTF-16, and that of the server, which counts code points

function fromServer({ highlights, best_entry: best, status }) {
  return { highlights: union(spans(highlights)), best: best === null ? null : text.fromPoints(best), status };
}

function toServer({ highlights, best, status }) {
  return {
    highlights: highlights.map(({ start, end }) => (
      { start: text.toPoints(start), end: text.toPoints(end), quote: text.text.slice(start, end) })),
    best_entry: best === null ? null : text.toPoints(best),
    status,
  };
}

const history = new History(fromServer(known));
const outbox = new Outbox(known, whenSaved);

// what is chosen

let chosen = -1;  // the place of a highlight
let edge = "end";  // that keys move
let handy = false;  // whether its edges can be dragged, and its tools are shown: they cover some text
let cursor = null;  // the text that keys have reached
let anchor = null;  // where it began, while more is taken
let held = null;  // what was selected when a button was pressed
let reached = 0;  // where somebody clicked or went last

const now = () => history.now;
const chosenSpan = () => now().highlights[chosen] ?? null;

/** Return what a span says, or how it begins and ends. */
function quote({ start, end }, most = 60) {
  const words = (from, to) => text.text.slice(from, to).replace(/\s+/g, " ").trim();
  const half = Math.floor(most / 2) - 1;
  const long = end - start > 8 * most;  // then the rest need not be looked at
  const said = long ? words(start, start + 4 * most) : words(start, end);
  if (!long && said.length <= most) return said;
  const last = long ? words(end - 4 * most, end) : said;
  // whole words, where there are spaces between them
  return `${said.slice(0, half).replace(/(\S)\s\S{0,15}$/u, "$1")} … ${last.slice(-half).replace(/^\S{0,15}\s/u, "")}`;
}

// acts

function change(next, said) {
  if (!history.go(next)) return false;
  changed(said);
  return true;
}

function changed(said) {
  outbox.put(toServer(now()), clock.take());
  if (chosen >= now().highlights.length) chosen = -1;
  show();
  announce(said);
}

function count() {
  const { length } = now().highlights;
  return `${length} highlight${length === 1 ? "" : "s"}`;
}

function highlight(span) {
  if (!span) return announce("Nothing is selected.");
  const made = change(add(now(), span), "");
  choose(highlightAt(now(), span.start), { handy: !made });
  if (made) announce(`Highlighted: ${quote(span)}. ${count()}.`);
  return made;
}

/** Highlight what is selected, or what is under the cursor. */
function highlightSelected() {
  const span = text.selected() ?? held ?? cursor;
  held = null;
  if (highlight(span)) forgetSelection();
}

function forgetSelection() {
  getSelection().removeAllRanges();
  setCursor(null);
}

function remove() {
  const selected = text.selected() ?? (chosen < 0 ? cursor : null);
  if (selected) {
    const rest = erase(now(), selected);
    if (change(rest, `Removed: ${quote(selected)}. ${rest.highlights.length} left.`)) forgetSelection();
    return;
  }
  const span = chosenSpan();
  if (!span) return announce("No highlight is chosen.");
  chosen = -1;
  change(erase(now(), span), `Removed: ${quote(span)}.`);
}

function choose(place, { scroll = false, handy: withTools = true } = {}) {
  handy = withTools;
  chosen = place >= 0 && place < now().highlights.length ? place : -1;
  edge = "end";
  show();
  const span = chosenSpan();
  if (!span) return;
  reached = span.start;
  if (scroll) placing.reveal(span.start);
  announce(`Highlight ${chosen + 1} of ${now().highlights.length}: ${quote(span, 200)}`);
}

function chooseNext(step) {
  const { highlights } = now();
  if (!highlights.length) return announce("There are no highlights.");
  if (chosen >= 0) return choose((chosen + step + highlights.length) % highlights.length, { scroll: true });
  const following = highlights.findIndex(({ start }) => start >= reached);
  return choose(step > 0 ? Math.max(following, 0) : (following < 0 ? highlights.length : following) - 1, { scroll: true });
}

const step = () => find("step").value;

/** Move an edge of the chosen highlight by a unit, forwards or backwards. */
function moveEdge(which, forwards) {
  const span = chosenSpan();
  const units = text.unitsOf(step());
  const unit = which === "end"
    ? (forwards ? units.endingAfter(span.end) : units.endingBefore(span.end))
    : (forwards ? units.beginningAfter(span.start) : units.beginningBefore(span.start));
  if (!unit) return announce("There is no more text.");
  const moved = which === "end" ? { ...span, end: unit.end } : { ...span, start: unit.start };
  if (moved.start >= moved.end) return announce(`It has no ${step()} less.`);
  return setChosen(moved, which);
}

function setChosen(span, which = edge) {
  edge = which;
  if (!change(replace(now(), chosen, span), "")) return;
  chosen = highlightAt(now(), span.start);
  show();
  placing.reveal(edge === "end" ? span.end - 1 : span.start);
  announce(`From here: ${quote(chosenSpan(), 120)}`);
}

function widen() {
  const span = chosenSpan() ?? cursor ?? text.selected();
  if (!span) return announce("Nothing is chosen.");
  const around = text.around(span.start, span.end);
  if (!around) return announce("That is the whole document.");
  if (chosenSpan()) return setChosen(around);
  setCursor(around);
  return announce(quote(around, 200));
}

function setEntry() {
  const span = text.selected() ?? chosenSpan() ?? cursor;
  const best = span ? span.start : reached;
  change(setBest(now(), best), `Best entry point: ${quote({ start: best, end: Math.min(text.length, best + 80) })}`);
}

function removeEntry() {
  change({ ...now(), best: null }, "No best entry point.");
}

function decide(next) {
  change(next, `The document is ${next.status === "irrelevant" ? "not relevant" : next.status}.`);
}

function goBack() {
  if (history.undo()) changed(`Undone. ${count()}.`); else announce("There is nothing to undo.");
}

function goForth() {
  if (history.redo()) changed(`Done again. ${count()}.`); else announce("There is nothing to do again.");
}

function toggleShown() {
  marks.show(!marks.shown);
  find("show").setAttribute("aria-pressed", marks.shown);
  remember("words", marks.shown);
  announce(marks.shown ? "Query words and hints are shown." : "Query words and hints are hidden.");
}

async function goOn() {
  await outbox.work;  // whatever is not sent yet is kept
  if (TROUBLE.includes(find("saved").dataset.state)) {
    announce("This page stays: what is on it has not been saved.");
    find("saved").classList.add("look");
    return;
  }
  location.assign(find("next").href);
}

// the cursor of the keyboard

function setCursor(span) {
  cursor = span;
  if (!span) anchor = null;
  else reached = span.start;
  marks.paint("cursor", span ? [span] : []);
}

function moveCursor(forwards, more) {
  const units = text.unitsOf(step());
  const from = cursor ?? { start: reached, end: reached };
  let unit;
  if (!cursor) unit = forwards ? units.endingAfter(from.start) : units.beginningBefore(from.start);
  else if (forwards) unit = units.endingAfter(from.end);
  else unit = more ? units.endingBefore(from.end) : units.beginningBefore(from.start);
  if (!unit) return announce(forwards ? "That is the end of the document." : "That is its beginning.");
  if (more && cursor) {
    anchor ??= cursor.start;
    setCursor(forwards || unit.end > anchor ? { start: cursor.start, end: unit.end } : cursor);
  } else {
    anchor = null;
    setCursor({ start: unit.start, end: unit.end });
  }
  if (chosen >= 0) choose(-1);
  placing.reveal(forwards ? cursor.end - 1 : cursor.start);
  return announce(quote(cursor, 400));
}

function toHint(stepBy) {
  if (!hints.length) return announce("There are no parts that systems found.");
  const starts = hints.map(({ start }) => start);
  const place = stepBy > 0 ? lowerBound(starts, reached + 1) : lowerBound(starts, reached) - 1;
  const hint = hints[place];
  if (!hint) return announce(stepBy > 0 ? "There is none further on." : "There is none before.");
  const first = text.unitsOf("sentence").endingAfter(hint.start);
  setCursor({ start: hint.start, end: Math.min(hint.end, first?.end ?? hint.end) });
  placing.reveal(hint.start);
  return announce(`Part ${place + 1} of ${hints.length} that systems found: ${quote(hint, 200)}`);
}

// what the page shows

function show() {
  const { highlights, best, status } = now();
  marks.paint("mine", highlights);
  const span = chosenSpan();
  marks.paint("chosen", span ? [span] : []);
  placing.place(handy ? span : null, best);
  showList();
  find("none").hidden = highlights.length > 0;
  find("entry").textContent = best === null ? "No best entry point."
    : `Best entry point: ${quote({ start: best, end: Math.min(text.length, best + 80) }, 80)}`;
  find("entry-go").hidden = find("entry-remove").hidden = best === null;
  const state = find("status");
  state.className = `state ${status.replace(" ", "-")}`;
  state.textContent = status === "irrelevant" ? "not relevant" : status;
  find("irrelevant").setAttribute("aria-pressed", status === "irrelevant");
  find("done").setAttribute("aria-pressed", status === "done");
  find("undo").disabled = !history.past.length;
  find("redo").disabled = !history.future.length;
}

/** Show all highlights as a list of buttons, which are kept where they stand for the same text. */
function showList() {
  const list = find("highlights");
  const { highlights } = now();
  list.hidden = !highlights.length;
  while (list.children.length > highlights.length) list.lastElementChild.remove();
  highlights.forEach((span, place) => {
    let button = list.children[place]?.firstElementChild;
    if (!button) {
      const item = document.createElement("li");
      button = document.createElement("button");
      button.addEventListener("click", () => choose(place, { scroll: true }));
      item.append(button);
      list.append(item);
    }
    const key = `${span.start} ${span.end}`;
    if (button.dataset.span !== key) {
      button.dataset.span = key;
      button.textContent = quote(span, 90);
      button.setAttribute("aria-label", `Highlight ${place + 1}: ${quote(span, 200)}`);
    }
    const current = String(place === chosen);
    if (button.getAttribute("aria-current") !== current) button.setAttribute("aria-current", current);
  });
}

function whenSaved(state, { other, reason } = {}) {
  if (state === "refused") tellRefusal(reason, () => outbox.settle(outbox.version, null));
  else tellState(state);
  if (state === "outdated") settle(other);
}

/** Let somebody choose between what is here and what was saved elsewhere. */
function settle(other) {
  const theirs = fromServer(other);
  marks.paint("other", theirs.highlights);
  letSettle(now(), theirs, (judgement) => {
    marks.paint("other", []);
    chosen = -1;
    history.go(judgement);
    outbox.settle(other.version, judgement === theirs ? null : toServer(judgement));
    show();
    announce("Settled.");
  });
}


// mouse and finger

let pressed = null;

article.addEventListener("pointerdown", (event) => {
  pressed = event.button === 0 ? event.pointerType : null;
  document.body.classList.toggle("pressing", Boolean(pressed));  // what is around the text cannot be selected with it
});

addEventListener("pointercancel", () => document.body.classList.remove("pressing"));
addEventListener("pointerup", (event) => {
  document.body.classList.remove("pressing");
  if (!pressed || placing.dragging) return;
  const kind = pressed;
  pressed = null;
  // the browser settles what is selected after this event
  setTimeout(() => {
    const inside = article.contains(event.target);
    const span = inside ? text.selected() : text.selectedTo(event.clientX, event.clientY);
    if (span && kind === "mouse") {
      if (highlight(span)) forgetSelection();
      return;
    }
    if (!span && inside) click(event.clientX, event.clientY);
  });
});

function click(x, y) {
  const offset = text.offsetAt(x, y);
  if (offset < 0) return choose(-1);
  reached = offset;
  setCursor(null);
  const place = [offset, offset - 1].map((at) => highlightAt(now(), at)).find((at) => at >= 0) ?? -1;
  const near = place >= 0 && text.rects(Math.max(0, offset - 1), Math.min(text.length, offset + 1))
    .some((box) => x > box.left - 12 && x < box.right + 12 && y > box.top - 4 && y < box.bottom + 4);
  return choose(near ? place : -1);
}

placing.onDrag = (which, offset, finished) => {
  const span = chosenSpan();
  if (!span) return;
  const moved = which === "start"
    ? text.trimmed(Math.min(offset, span.end - 1), span.end) : text.trimmed(span.start, Math.max(offset, span.start + 1));
  if (!moved) return;
  if (finished) setChosen(moved, which);
  else {
    marks.paint("chosen", [moved]);
    placing.place(moved, now().best, false);
  }
};

document.addEventListener("selectionchange", () => {
  document.body.classList.toggle("selecting", Boolean(text.selected()));
});

// buttons

const ACTS = {
  "start-back": () => moveEdge("start", false),
  "start-on": () => moveEdge("start", true),
  "end-back": () => moveEdge("end", false),
  "end-on": () => moveEdge("end", true),
  widen,
  entry: setEntry,
  remove,
};
for (const button of find("tools").querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => {
    ACTS[button.dataset.act]();
    if (find("tools").hidden) article.focus({ preventScroll: true });
  });
}
const BUTTONS = {
  irrelevant: () => decide(toggleIrrelevant(now())),
  done: () => decide(toggleDone(now())),
  undo: goBack,
  redo: goForth,
  show: toggleShown,
  highlight: highlightSelected,
  "entry-go": () => placing.reveal(now().best),
  "entry-remove": removeEntry,
  "help-open": () => find("help").showModal(),
};
for (const [id, act] of Object.entries(BUTTONS)) find(id).addEventListener("click", act);
find("highlight").addEventListener("pointerdown", (event) => {
  held = text.selected();  // pressing a button may end the selection
  event.preventDefault();
});
find("next").addEventListener("click", (event) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  goOn();
});

// keys

function setStep(value) {
  find("step").value = value;
  announce(`By ${value}.`);
}

function arrow(forwards, more) {
  if (chosenSpan() && !more) return moveEdge(edge, forwards);
  return moveCursor(forwards, more);
}

function letGo() {
  forgetSelection();
  choose(-1);
}

const KEYS = {
  1: () => setStep("word"),
  2: () => setStep("sentence"),
  3: () => setStep("element"),
  ArrowRight: () => arrow(true, false),
  ArrowLeft: () => arrow(false, false),
  "Shift+ArrowRight": () => arrow(true, true),
  "Shift+ArrowLeft": () => arrow(false, true),
  j: () => arrow(true, false),
  k: () => arrow(false, false),
  "Shift+j": () => arrow(true, true),
  "Shift+k": () => arrow(false, true),
  h: highlightSelected,
  f: () => chooseNext(1),
  "Shift+f": () => chooseNext(-1),
  s: () => setEdge("start"),
  e: () => setEdge("end"),
  w: widen,
  r: remove,
  Delete: remove,
  Backspace: remove,
  b: setEntry,
  "Shift+b": removeEntry,
  x: BUTTONS.irrelevant,
  d: BUTTONS.done,
  n: goOn,
  u: goBack,
  "Shift+u": goForth,
  t: toggleShown,
  p: () => toHint(1),
  "Shift+p": () => toHint(-1),
  "?": BUTTONS["help-open"],
  Escape: letGo,
};
const WITH_CONTROL = { z: goBack, y: goForth, "Shift+z": goForth };

function setEdge(which) {
  if (!chosenSpan()) chooseNext(1);
  if (!chosenSpan()) return;
  edge = which;
  show();
  announce(`The arrows move its ${which}.`);
}

addEventListener("keydown", (event) => {
  if (event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, select, textarea")) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const letter = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase();
  const combined = event.shiftKey && !letter ? `Shift+${name}` : name;
  const control = event.ctrlKey || event.metaKey;
  const act = control ? WITH_CONTROL[combined] : find("keys").checked || combined === "Escape" ? KEYS[combined] : undefined;
  if (!act) return;
  event.preventDefault();
  act();
});

// choices of this browser

find("keys").checked = remembered("keys") !== false;
find("keys").addEventListener("change", () => remember("keys", find("keys").checked));
if (remembered("words") === false) toggleShown();

// the beginning

show();
tellState("saved");
if (!known.version) find("saved").textContent = "Nothing to save yet";
const left = await outbox.takeOver();
if (left) {
  const pairs = left.highlights.map(({ start, end }) => [start, end]);
  history.go(fromServer({ ...left, highlights: pairs }));
  show();
  announce("Work that was kept in this browser is being saved.");
}
document.body.dataset.ready = Math.round(performance.now());
const here = (record) => record.topic === known.topic && record.document === known.document;
resend(known.laboratory, known.account, document.querySelector(".columns"), here);
