// Tables that sort by a click or a key on their header, and copy with all digits.

/**
 * Columns are {name, value(row), text(row), html(row), number, title, under()}; only `name` and `value` are needed.
 * `under` makes what stands in the header below the name, such as a scale.
 * Returns the element; `table.rows(rows)` shows other rows.
 */
function sortable(caption, columns, rows, { sort = -1, down = false, broad = false } = {}) {
  let order = { column: sort, down };
  const body = make("tbody");
  const headers = columns.map((column, i) =>
    make("th", { scope: "col", class: column.class === "pick" ? "pick" : column.number ? "number" : null, title: column.title },
      column.html && column.unsorted ? column.name : make("button", { type: "button", onclick: () => sortBy(i) }, ...soft(column.name)),
      column.under ? column.under() : null));
  const elements = new Map();

  function line(row) {
    if (elements.has(row)) return elements.get(row);
    const cells = columns.map((column) => {
      const cell = make("td", { class: column.class || (column.number ? "number" : null) });
      cell.append(column.html ? column.html(row) : column.text ? column.text(row) : shown(column.value(row)));
      if (column.look) column.look(cell, row);
      return cell;
    });
    const made = make("tr", {}, ...cells);
    elements.set(row, made);
    return made;
  }

  function sortBy(i) {
    order = { column: i, down: order.column === i ? !order.down : Boolean(columns[i].number) };
    fill();
    say(`Sorted by ${columns[i].name}, ${order.down ? "largest first" : "smallest first"}.`);
  }

  function fill() {
    const { column, down: falling } = order;
    let sorted = [...rows];
    if (column >= 0) {
      const value = columns[column].value;
      sorted.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === null || y === null) return (x === null) - (y === null);
        const less = typeof x === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
        return falling ? -less : less;
      });
    }
    headers.forEach((header, i) => {
      if (i === column) header.setAttribute("aria-sort", falling ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
    });
    body.replaceChildren(...sorted.map(line));
  }

  const table = make("table", { class: broad ? "broad" : null },
    make("caption", {}, caption), make("thead", {}, make("tr", {}, ...headers)), body);
  const host = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
  fill();
  return {
    element: host,
    show(others) { rows = others; elements.clear(); fill(); },
    copied: () => [columns.filter((c) => !c.unsorted).map((c) => c.name), ...rows.map((row) => columns.filter((c) => !c.unsorted).map((c) => c.value(row)))],
  };
}

/** A square table of numbers with cells shaded by their value. */
function shaded(caption, names, values, { digits = 3, low = 0 } = {}) {
  const columns = [
    { name: "", value: (row) => row.name },
    ...names.map((name, j) => ({
      name, number: true, value: (row) => row.values[j], text: (row) => shown(row.values[j], digits),
      look: (cell, row) => {
        const value = row.values[j];
        if (value === null) return;
        cell.classList.add("heat");
        cell.style.background = `color-mix(in srgb, #56B4E9 ${Math.round(75 * Math.max(0, (value - low) / (1 - low)))}%, #f4f6f8)`;
      },
    })),
  ];
  return sortable(caption, columns, names.map((name, i) => ({ name, values: values[i] })));
}
