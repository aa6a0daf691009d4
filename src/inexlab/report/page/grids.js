// Grids of thousands of cells on a canvas: the heat map and the significance matrix.

// Cividis, which looks the same with and without red-green blindness, at eleven points.
const CIVIDIS = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#f3db3f", "#fee838"]
  .map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));

function cividis(share) {
  const place = Math.max(0, Math.min(1, share)) * (CIVIDIS.length - 1);
  const below = Math.min(Math.floor(place), CIVIDIS.length - 2);
  return CIVIDIS[below].map((part, i) => part + (CIVIDIS[below + 1][i] - part) * (place - below));
}

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/**
 * A grid with names at its sides. `model()` gives {rows, columns, rowName, columnName, paint(r, c) -> [r, g, b],
 * tell(r, c) -> text, mark(r, c) -> text, column(c), row(r)}, the last two called on a click on a name.
 * Cells are at least so wide; where that is too narrow for names, every second, third, … is named.
 */
function grid(label, model, { least = 12 } = {}) {
  const canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": label });
  const host = make("div", { class: "grid" }, canvas);
  const readout = make("p", { class: "readout", "aria-live": "polite" });
  let now, cell, left, top, step, cursor = null;

  function draw(narrowest) {
    if (typeof narrowest === "number") least = narrowest;
    now = model();
    const context = canvas.getContext("2d");
    context.font = "11px system-ui, sans-serif";
    const longest = (count, name) => {
      let width = 0;
      for (let i = 0; i < count; i += 1) width = Math.max(width, context.measureText(name(i)).width);
      return Math.min(170, Math.ceil(width) + 8);
    };
    left = longest(now.rows, now.rowName);
    top = longest(now.columns, now.columnName);
    const space = Math.max(200, (host.clientWidth || 900) - left - 2);
    const fit = Math.min(36, space / now.columns);
    const wide = Math.max(least, fit < 8 ? fit : Math.floor(fit));
    cell = { w: wide, h: Math.max(least, Math.min(22, wide)) };
    step = Math.ceil(11 / cell.h);
    host.classList.toggle("whole", least < 12);
    const [width, height] = [left + cell.w * now.columns + 1, top + cell.h * now.rows + 1];
    const ratio = Math.min(2, devicePixelRatio || 1) * (width * height > 4e6 ? 0.75 : 1);
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    context.scale(ratio, ratio);
    const image = new ImageData(now.columns, now.rows);
    for (let r = 0, at = 0; r < now.rows; r += 1) {
      for (let c = 0; c < now.columns; c += 1, at += 4) {
        const [red, green, blue] = now.paint(r, c);
        image.data.set([red, green, blue, 255], at);
      }
    }
    const small = document.createElement("canvas");
    small.width = now.columns;
    small.height = now.rows;
    small.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, left, top, cell.w * now.columns, cell.h * now.rows);
    lines(context);
    names(context);
    if (cursor) outline(context, cursor);
  }

  function lines(context) {
    if (cell.w < 8) return;
    context.strokeStyle = colour("paper");
    context.lineWidth = 0.5;
    context.beginPath();
    for (let c = 0; c <= now.columns; c += 1) { context.moveTo(left + c * cell.w, top); context.lineTo(left + c * cell.w, top + now.rows * cell.h); }
    for (let r = 0; r <= now.rows; r += 1) { context.moveTo(left, top + r * cell.h); context.lineTo(left + now.columns * cell.w, top + r * cell.h); }
    context.stroke();
  }

  function names(context) {
    context.fillStyle = colour("ink");
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "right";
    for (let r = 0; r < now.rows; r += step) context.fillText(cut(context, now.rowName(r)), left - 5, top + (r + 0.5) * cell.h);
    context.textAlign = "left";
    for (let c = 0; c < now.columns; c += step) {
      context.save();
      context.translate(left + (c + 0.5) * cell.w, top - 4);
      context.rotate(-Math.PI / 2);
      context.fillText(cut(context, now.columnName(c)), 0, 0);
      context.restore();
    }
    if (!now.mark || step > 1) return;
    context.textAlign = "center";
    context.fillStyle = "#fff";
    for (let r = 0; r < now.rows; r += 1) {
      for (let c = 0; c < now.columns; c += 1) {
        const mark = now.mark(r, c);
        if (mark) context.fillText(mark, left + (c + 0.5) * cell.w, top + (r + 0.5) * cell.h + 2);
      }
    }
  }

  function cut(context, name) {
    if (context.measureText(name).width <= 162) return name;
    let short = name;
    while (short && context.measureText(`${short}…`).width > 162) short = short.slice(0, -1);
    return `${short}…`;
  }

  function outline(context, [r, c]) {
    context.strokeStyle = colour("ink");
    context.lineWidth = 2;
    context.strokeRect(left + c * cell.w, top + r * cell.h, cell.w, cell.h);
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const scale = (left + cell.w * now.columns + 1) / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const [r, c] = [Math.floor((y - top) / cell.h), Math.floor((x - left) / cell.w)];
    return { r: r < now.rows && y >= top ? r : -1, c: c < now.columns && x >= left ? c : -1 };
  }

  canvas.addEventListener("pointermove", (event) => {
    const { r, c } = at(event);
    const text = r >= 0 && c >= 0 ? now.tell(r, c) : r >= 0 ? now.rowTip(r) : c >= 0 ? now.columnTip(c) : "";
    if (text) showTip(event, text); else hideTip();
    canvas.style.cursor = (r < 0) !== (c < 0) && now.row ? "pointer" : "default";
  });
  canvas.addEventListener("pointerleave", hideTip);
  canvas.addEventListener("click", (event) => {
    const { r, c } = at(event);
    if (r >= 0 && c < 0 && now.row) now.row(r);
    else if (c >= 0 && r < 0 && now.column) now.column(c);
    else if (r >= 0 && c >= 0) { cursor = [r, c]; readout.textContent = now.tell(r, c).replaceAll("\n", ", "); draw(); }
  });
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    const [r, c] = cursor ? cursor.map((place, i) => place + steps[event.key][i]) : [0, 0];
    cursor = [Math.max(0, Math.min(now.rows - 1, r)), Math.max(0, Math.min(now.columns - 1, c))];
    readout.textContent = now.tell(...cursor).replaceAll("\n", ", ");
    draw();
  });
  redraws.push(() => draw());
  return { elements: [host, readout], draw };
}

// Whatever is drawn on a canvas is drawn again when the colours of the page change, or before it is printed.
const redraws = [];
const redraw = () => redraws.forEach((draw) => draw());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
matchMedia("print").addEventListener("change", redraw);
addEventListener("beforeprint", redraw);
addEventListener("afterprint", redraw);
let resizing;
addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(redraw, 150); });
