// Tables that sort by a click on a heading; long ones show their first rows until asked for all.
const FEW = 200;

class Table {
  // `columns`: {title, value(row) to sort by, text(row) to show, number, long}; `rows` are indices.
  constructor(root, columns, rows, chosen) {
    Object.assign(this, { root, columns, rows, chosen, filter: null, all: false, sorted: null, descending: false });
    this.draw();
  }

  show(filter) {
    this.filter = filter;
    this.draw();
  }

  sortBy(column) {
    this.descending = this.sorted === column ? !this.descending : Boolean(column.number && column.largestFirst);
    this.sorted = column;
    this.draw();
    this.root.querySelector(`th[aria-sort] button`).focus();
  }

  order() {
    const rows = this.filter === null ? [...this.rows] : this.rows.filter((row) => this.filter.has(row));
    if (!this.sorted) return rows;
    const { value } = this.sorted, sign = this.descending ? -1 : 1;
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    return rows.sort((a, b) => sign * compare(value(a), value(b)) || a - b);
  }

  heading(column) {
    const heading = element("th", { scope: "col", className: column.number ? "number" : "" },
      element("button", { type: "button", textContent: column.title, title: column.tip || "", onclick: () => this.sortBy(column) }));
    if (this.sorted === column) heading.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
    return heading;
  }

  row(row) {
    const made = element("tr", { onclick: () => this.chosen(row) });
    made.dataset.row = row;
    for (const column of this.columns) {
      const text = String((column.text || column.value)(row));
      made.append(element("td", { className: column.number ? "number" : column.long ? "long" : "", textContent: text,
        title: column.long ? text : "" }));
    }
    return made;
  }

  draw() {
    const rows = this.order();
    const few = this.all ? rows : rows.slice(0, FEW);
    const head = element("tr", {}, ...this.columns.map((column) => this.heading(column)));
    const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...few.map((row) => this.row(row))));
    const parts = [element("div", { className: "scroll" }, table)];
    if (few.length < rows.length) {
      parts.push(element("button", { type: "button", textContent: `Show all ${grouped(rows.length)} rows`,
        onclick: () => { this.all = true; this.draw(); } }));
    }
    if (rows.length === 0) parts.push(element("p", { className: "quiet" }, this.filter === null ? "None." : "None matches."));
    this.root.replaceChildren(...parts);
    this.root.dataset.rows = rows.length;
  }

  mark(row) {
    for (const other of this.root.querySelectorAll("tr.chosen")) other.classList.remove("chosen");
    const made = row === null ? null : this.root.querySelector(`tr[data-row="${row}"]`);
    if (made) made.classList.add("chosen");
  }
}

const numeric = (title, value, tip) => ({ title, value, text: (row) => grouped(value(row)), number: true, largestFirst: true, tip });

// Ids are numbers as text, or names: numbers first, by value.
function idOrder(id) {
  return /^\d+$/.test(id) ? "0" + id.padStart(12, "0") : "1" + id;
}

function operatorTable(chosen) {
  const step = (row) => map.steps[row];
  const inOrder = map.steps.every((one, i) => i === 0 || map.steps[i - 1].id < one.id);
  return new Table(byId("operators"), [
    ...(inOrder ? [] : [{ title: "Step", value: (row) => row, number: true, tip: "place in the order of execution" }]),
    { title: "No.", value: (row) => step(row).id, number: true, tip: "the operator's number in the model" },
    { title: "Type", value: (row) => step(row).type },
    { title: "Makes", value: (row) => step(row).label, text: (row) => shown(step(row).label), long: true },
    numeric("MACs", (row) => step(row).macs, "multiply-accumulates an inference"),
    numeric("Bytes touched", (row) => step(row).touched_bytes, "bytes read and written an inference, repeated reads included"),
    numeric("Constants", (row) => step(row).constant_bytes, "bytes of weights, sums, multipliers, tables"),
    numeric("Scratch", (row) => step(row).scratch_bytes, "bytes of work buffers"),
    numeric("Overlap", (row) => step(row).overlap_bytes, "bytes of its outputs that lie over inputs that it consumes"),
    { title: "Kernel", value: (row) => step(row).kernels.join(", ") || (step(row).view ? "none: a view" : ""), long: true },
    { title: "Note", value: (row) => step(row).note, long: true },
  ], map.steps.map((_, row) => row), chosen);
}

function tensorTable(chosen) {
  const tensor = (row) => map.tensors[row];
  const arena = (row) => map.arenas[tensor(row).arena];
  return new Table(byId("tensors"), [
    { title: "Id", value: (row) => idOrder(tensor(row).id), text: (row) => tensor(row).id },
    { title: "Name", value: (row) => tensor(row).name, text: (row) => shown(tensor(row).name), long: true },
    { title: "What", value: (row) => tensor(row).kind + (tensor(row).view_of === null ? "" : " (view)") },
    { title: "Type", value: (row) => `${tensor(row).type} [${tensor(row).shape.join("×")}]` },
    numeric("Bytes", (row) => tensor(row).size),
    { title: "Memory", value: (row) => memoryOf(arena(row)) },
    { ...numeric("Offset", (row) => tensor(row).offset), largestFirst: false },
    { title: "From", value: (row) => tensor(row).first, number: true, text: (row) => tensor(row).role === "scratch" ? shortStep(tensor(row).first) : "" },
    { title: "To", value: (row) => tensor(row).last, number: true, text: (row) => tensor(row).role === "scratch" ? shortStep(tensor(row).last) : "" },
    { title: "Why there", value: (row) => tensor(row).why, long: true },
  ], map.tensors.map((_, row) => row), chosen);
}
