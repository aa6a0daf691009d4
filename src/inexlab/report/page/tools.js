// What all parts of the page use: elements, numbers as text, the tip beside the pointer, copying.

const DATA = JSON.parse(document.getElementById("data").textContent);
const CHARTS = JSON.parse(document.getElementById("charts").textContent);

/** Make an element; attributes beginning with "on" are listeners, children are elements or text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value; // the attribute itself the page's policy forbids
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A number as people read it: four digits, counts whole, a dash where there is none. */
function shown(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) && Math.abs(value) > 1 ? value.toLocaleString("en") : value.toFixed(digits);
}

/** A number with its noun. */
const counted = (count, noun, plural = `${noun}s`) => `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;

/** A share as people read it; what is not nothing never shows as 0. */
const share = (value) => (value > 0 && value < 0.01 ? "<1%" : `${Math.round(100 * value)}%`);

/** About so many round numbers between two. */
function ticks(low, high, most = 4) {
  if (!(high > low)) return [low];
  const rough = (high - low) / most;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * size).find((one) => one >= rough * 0.999);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) found.push(Number((at * step).toPrecision(6)));
  return found;
}

const score = (measure, value) =>
  value === null ? "–" : measure.sum ? shown(value, 0) : value.toFixed(4);
const percent = (value) => (value === null || value === undefined ? "–" : `${value.toFixed(1)}%`);
const topicName = (topic) => (DATA.titles[topic] ? `${topic} · ${DATA.titles[topic]}` : topic);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** A name that may be broken after brackets and commas, without anything in it to copy. */
const soft = (text) => text.split(/(?<=[(,])(?=[a-z])/).flatMap((part, i) => (i ? [make("wbr"), part] : [part]));

/** Quantile with linear interpolation, of numbers in order. */
function quantile(sorted, share) {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const tip = document.getElementById("tip");
function showTip(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - box.width - 4)}px`;
  tip.style.top = `${event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 18}px`;
}
const hideTip = () => { tip.hidden = true; };

function say(text) {
  document.getElementById("announced").textContent = text;
}

/** Copy a table as text with tabs, which every spreadsheet takes. */
async function copy(rows) {
  const text = rows.map((row) => row.map((cell) => (cell === null ? "" : String(cell))).join("\t")).join("\n");
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say("Copied.");
}

function copyButton(rows, label = "Copy numbers") {
  const button = make("button", { type: "button", class: "copy" }, label);
  button.addEventListener("click", async () => {
    await copy(rows());
    button.textContent = "Copied ✓";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

/** A labelled choice among options [value, text]; `changed` gets the value. */
function choice(label, options, chosen, changed) {
  const select = make("select", { onchange: () => changed(select.value) });
  for (const [value, text] of options) {
    select.append(make("option", { value, selected: String(value) === String(chosen) ? "" : null }, text));
  }
  return make("label", {}, label, select);
}
