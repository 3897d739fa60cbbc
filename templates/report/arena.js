// One arena as a canvas: boxes, lines, zoom, and finding what is under the pointer.
const MARGIN = { left: 66, right: 10, top: 12, bottom: 24 };
const STRIP = 40;  // pixels below the time axis for the bytes occupied

// Scratch arenas share their time axis, so that they stay side by side when one is zoomed.
const scratchTime = { from: 0, to: slots };

class ArenaView {
  // `chosen` is told which tensor is under the pointer, and which was taken.
  constructor(index, listeners) {
    this.index = index;
    this.arena = map.arenas[index];
    this.timed = this.arena.role === "scratch";
    this.listeners = listeners;
    this.time = this.timed ? scratchTime : { from: 0, to: slots };
    this.boxes = [];
    map.tensors.forEach((tensor, number) => {
      if (tensor.arena === index && tensor.view_of === null) this.boxes.push(number);
    });
    // Earlier ones first, so that an output is drawn over the input that it lies over.
    this.boxes.sort((a, b) => map.tensors[a].first - map.tensors[b].first || map.tensors[a].offset - map.tensors[b].offset);
    this.overlaps = map.overlaps.filter((overlap) => overlap.arena === index);
    this.lines = this.levels();
    this.setTop(false);
    this.build();
  }

  // Heights worth a line; equal ones share it.
  levels() {
    const { used, limit, lower_bound: live, overlap_lower_bound: bound } = this.arena;
    const lines = [];
    const add = (bytes, label, style) => {
      const same = lines.find((line) => line.bytes === bytes);
      if (same) same.label += " = " + label;
      else lines.push({ bytes, label, style });
    };
    add(used, "used", "solid");
    if (bound !== undefined) add(bound, "lower bound", "dashed");
    if (live !== undefined) add(live, "bound without overlap", "dotted");
    if (limit !== null) add(limit, "budget", "budget");
    return lines;
  }

  setTop(toBudget) {
    const within = Math.max(this.arena.used, this.arena.lower_bound || 0, 1);
    const limit = this.arena.limit;
    this.top = 1.07 * (limit !== null && (toBudget || limit < 1.5 * within) ? Math.max(limit, within) : within);
    this.address = { from: 0, to: this.top };
  }

  build() {
    const button = (text, label, run) => element("button", { type: "button", textContent: text, "aria-label": label, onclick: run });
    const { arena } = this;
    const limit = arena.limit === null ? "bytes, no limit"
      : `of ${grouped(arena.limit)} bytes (${percent(arena.used, arena.limit) || "no room"})`;
    const used = element("p", { className: "used" }, `${grouped(arena.used)} ${limit}`);
    if (arena.limit !== null && arena.used > arena.limit) used.classList.add("over");
    if (this.timed) used.append(arena.optimal ? " · proven minimal" : ` · not proven minimal, lower bound ${grouped(arena.overlap_lower_bound)}`);
    if (this.timed && arena.greedy !== null) used.append(` · greedy ${grouped(arena.greedy)}`);
    this.canvas = element("canvas", { tabIndex: 0, role: "application",
      "aria-label": `Map of ${arena.name}: ${this.boxes.length} tensors. Arrows choose one, plus and minus zoom, 0 shows all.` });
    this.root = element("div", { className: this.timed ? "arena timed" : "arena" },
      element("div", { className: "bar" },
        element("h3", { title: arena.name }, `${arena.role} in ${memoryOf(arena)}`),
        button("−", `Zoom out of ${arena.name}`, () => this.zoom(1.5)),
        button("+", `Zoom into ${arena.name}`, () => this.zoom(1 / 1.5)),
        button("⤢", `Show all of ${arena.name}`, () => this.reset())),
      used, this.canvas);
    this.listen();
  }

  get plot() {
    const strip = this.timed ? STRIP : 0;
    return { left: MARGIN.left, top: MARGIN.top, width: Math.max(this.width - MARGIN.left - MARGIN.right, 10),
      height: Math.max(this.height - MARGIN.top - MARGIN.bottom - strip, 10) };
  }

  x(slot) { return this.plot.left + (slot - this.time.from) / (this.time.to - this.time.from) * this.plot.width; }
  y(bytes) { return this.plot.top + (this.address.to - bytes) / (this.address.to - this.address.from) * this.plot.height; }

  // ---- Looking closer ----

  // Scales time and address about a point, 0 to 1 from left and bottom; false when all is shown already.
  zoom(factor, across = 0.5, up = 0.5, axes = "both") {
    const scale = (range, at, whole, least) => {
      const size = Math.min(Math.max((range.to - range.from) * factor, least), whole);
      const changed = size !== range.to - range.from;
      const centre = range.from + at * (range.to - range.from);
      range.from = Math.min(Math.max(centre - at * size, 0), whole - size);
      range.to = range.from + size;
      return changed;
    };
    let changed = false;
    if (axes !== "address" && this.timed) changed = scale(this.time, across, slots, Math.min(2, slots)) || changed;
    if (axes !== "time") changed = scale(this.address, up, this.top, Math.min(64, this.top)) || changed;
    if (changed) this.listeners.moved();
    return changed;
  }

  reset() {
    this.time.from = 0;
    this.time.to = slots;
    this.address.from = 0;
    this.address.to = this.top;
    this.listeners.moved();
  }

  move(pixelsAcross, pixelsUp) {
    const shift = (range, by, whole) => {
      const size = range.to - range.from;
      range.from = Math.min(Math.max(range.from + by, 0), whole - size);
      range.to = range.from + size;
    };
    shift(this.time, -pixelsAcross / this.plot.width * (this.time.to - this.time.from), slots);
    shift(this.address, pixelsUp / this.plot.height * (this.address.to - this.address.from), this.top);
    this.listeners.moved();
  }

  // The tensor drawn uppermost at a place of the canvas, or null.
  find(x, y) {
    const { left, top, width, height } = this.plot;
    if (x < left || x > left + width || y < top || y > top + height) return null;
    const slot = this.time.from + (x - left) / width * (this.time.to - this.time.from);
    const bytes = this.address.to - (y - top) / height * (this.address.to - this.address.from);
    for (let i = this.boxes.length - 1; i >= 0; --i) {
      const tensor = map.tensors[this.boxes[i]];
      if (slot >= tensor.first && slot < tensor.last + 1 && bytes >= tensor.offset && bytes < tensor.offset + tensor.size) {
        return this.boxes[i];
      }
    }
    return null;
  }

  listen() {
    let dragged = null;
    const canvas = this.canvas;
    canvas.addEventListener("wheel", (event) => {
      const { left, top, width, height } = this.plot;
      const axes = event.shiftKey ? "time" : event.altKey ? "address" : "both";
      const delta = event.deltaY || event.deltaX;
      const clamp = (value) => Math.min(Math.max(value, 0), 1);
      // When all is shown already, the wheel scrolls the page.
      if (this.zoom(Math.exp(Math.sign(delta) * Math.min(Math.abs(delta), 120) / 400), clamp((event.offsetX - left) / width),
        clamp(1 - (event.offsetY - top) / height), axes)) event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      dragged = { x: event.clientX, y: event.clientY, far: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (dragged) {
        const across = event.clientX - dragged.x, down = event.clientY - dragged.y;
        if (!dragged.far && Math.abs(across) + Math.abs(down) < 5) return;
        dragged = { x: event.clientX, y: event.clientY, far: true };
        this.move(across, down);
        return;
      }
      this.listeners.hovered(this.find(event.offsetX, event.offsetY), event);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (dragged && !dragged.far) this.listeners.chosen(this.find(event.offsetX, event.offsetY));
      dragged = null;
    });
    canvas.addEventListener("pointercancel", () => { dragged = null; });
    canvas.addEventListener("pointerleave", () => this.listeners.hovered(null));
    canvas.addEventListener("dblclick", () => this.reset());
    canvas.addEventListener("keydown", (event) => { if (this.key(event.key)) event.preventDefault(); });
  }

  // What a key does here; true when it does anything.
  key(key) {
    if (key === "+" || key === "=") return this.zoom(1 / 1.5), true;
    if (key === "-") return this.zoom(1.5), true;
    if (key === "0") return this.reset(), true;
    if (key === "Escape") return this.listeners.chosen(null), true;
    const place = this.boxes.indexOf(state.chosen);
    let next = null;
    if (key === "ArrowRight") next = this.boxes[place + 1];
    else if (key === "ArrowLeft") next = this.boxes[place < 0 ? this.boxes.length - 1 : place - 1];
    else if (key === "ArrowUp" || key === "ArrowDown") next = this.beside(place, key === "ArrowUp" ? 1 : -1);
    else return false;
    if (next !== undefined && next !== null) this.listeners.chosen(next);
    return true;
  }

  // The next tensor above (1) or below (-1) the chosen one, of those that live with it.
  beside(place, direction) {
    if (place < 0) return this.boxes[0];
    const present = map.tensors[this.boxes[place]];
    const together = this.boxes.filter((number) => {
      const other = map.tensors[number];
      return other.first <= present.last && present.first <= other.last && direction * (other.offset - present.offset) > 0;
    });
    return together.reduce((best, number) => best === null
      || direction * (map.tensors[number].offset - map.tensors[best].offset) < 0 ? number : best, null);
  }

  // ---- Drawing ----

  // Draws everything; gives the number of boxes drawn.
  draw() {
    const scale = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    const c = this.c = this.canvas.getContext("2d");
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    c.font = "11px system-ui, sans-serif";
    const { left, top, width, height } = this.plot;
    this.drawPeak();
    this.drawGrid();
    c.save();
    c.beginPath();
    c.rect(left, top, width, height);
    c.clip();
    const drawn = this.boxes.reduce((count, number) => count + this.drawBox(number), 0);
    this.overlaps.forEach((overlap) => this.drawOverlap(overlap));
    this.ink = theme("ink");
    this.boxes.forEach((number) => this.drawLabel(number));
    this.drawChosen();
    this.drawLevels();
    c.restore();
    if (this.timed) this.drawStrip();
    return drawn;
  }

  drawGrid() {
    const { c, plot: { left, top, width, height } } = this;
    const range = this.address.to - this.address.from;
    let step = 16;
    while (range / step > 8) step *= 2;
    c.strokeStyle = theme("line");
    c.fillStyle = theme("quiet");
    c.lineWidth = 1;
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (let bytes = Math.ceil(this.address.from / step) * step; bytes <= this.address.to; bytes += step) {
      const y = Math.round(this.y(bytes)) + 0.5;
      c.beginPath();
      c.moveTo(left, y);
      c.lineTo(left + width, y);
      c.stroke();
      c.fillText(grouped(bytes), left - 6, y);
    }
    c.strokeRect(left + 0.5, top + 0.5, width, height);
    if (this.timed) this.drawTimeAxis();
  }

  drawTimeAxis() {
    const { c, plot: { top, height, width } } = this;
    const each = width / (this.time.to - this.time.from);
    let step = 1;
    while (step * each < 26) step = step * (String(step)[0] === "2" ? 2.5 : 2);
    c.textAlign = "center";
    c.textBaseline = "top";
    for (let slot = Math.ceil(this.time.from / step) * step; slot < Math.min(this.time.to, slots); slot += step) {
      const label = each > 110 && slot > 0 && slot < slots - 1
        ? `${shortStep(slot)} ${map.steps[slot - 1].type}` : shortStep(slot);
      c.fillText(this.fitted(label, step * each - 2), this.x(slot + 0.5), top + height + 6);
    }
  }

  // The part of the text that is no wider than that.
  fitted(text, width) {
    if (this.c.measureText(text).width <= width) return text;
    let length = Math.min(text.length, Math.floor(width / 4));
    while (length > 0 && this.c.measureText(text.slice(0, length) + "…").width > width) --length;
    return length > 0 ? text.slice(0, length) + "…" : "";
  }

  // The rectangle on the canvas, cut to what can be seen; null when nothing of it can.
  rectangle(first, last, begin, end) {
    const { left, top, width, height } = this.plot;
    const x0 = Math.max(this.x(first), left - 2), x1 = Math.min(this.x(last + 1), left + width + 2);
    const y0 = Math.max(this.y(end), top - 2), y1 = Math.min(this.y(begin), top + height + 2);
    return x1 > x0 && y1 > y0 ? { x: x0, y: y0, w: Math.max(x1 - x0, 1), h: Math.max(y1 - y0, 1) } : null;
  }

  boxOf(number) {
    const tensor = map.tensors[number];
    return this.rectangle(tensor.first, tensor.last, tensor.offset, tensor.offset + tensor.size);
  }

  drawBox(number) {
    const { c } = this, box = this.boxOf(number);
    if (!box) return 0;
    const colour = colours(colourKey(number));
    const found = state.found === null || state.found.has(number);
    c.globalAlpha = found ? 1 : 0.16;
    c.fillStyle = colour.fill;
    c.fillRect(box.x, box.y, box.w, box.h);
    if (box.w > 3 && box.h > 3) {
      c.strokeStyle = colour.edge;
      c.lineWidth = state.found !== null && found ? 2.5 : 1;
      c.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
    }
    c.globalAlpha = 1;
    return 1;
  }

  // Id and size, over all boxes: with a rim of the box's colour they can be read on another one.
  drawLabel(number) {
    const { c } = this, tensor = map.tensors[number], box = this.boxOf(number);
    if (!box || box.w <= 22 || box.h <= 13) return;
    c.globalAlpha = state.found === null || state.found.has(number) ? 1 : 0.16;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.lineWidth = 3;
    c.strokeStyle = colours(colourKey(number)).fill;
    c.fillStyle = this.ink;
    const lines = box.h > 30 ? [[tensor.id, -7], [grouped(tensor.size), 7]] : [[tensor.id, 0]];
    for (const [text, down] of lines) {
      const shown = this.fitted(text, box.w - 6);
      c.strokeText(shown, box.x + box.w / 2, box.y + box.h / 2 + down);
      c.fillText(shown, box.x + box.w / 2, box.y + box.h / 2 + down);
    }
    c.globalAlpha = 1;
  }

  // Hatched: here an output lies over an input.
  drawOverlap(overlap) {
    const { c } = this;
    const box = this.rectangle(overlap.slot, overlap.slot, overlap.offset, overlap.offset + overlap.size);
    if (!box) return;
    c.save();
    c.beginPath();
    c.rect(box.x, box.y, box.w, box.h);
    c.clip();
    c.strokeStyle = theme("over");
    c.lineWidth = 1.2;
    c.beginPath();
    for (let x = box.x - box.h; x < box.x + box.w; x += 6) {
      c.moveTo(x, box.y + box.h);
      c.lineTo(x + box.h, box.y);
    }
    c.stroke();
    c.restore();
    c.strokeStyle = theme("over");
    c.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
  }

  drawPeak() {
    if (!this.timed) return;
    const { c, plot: { left, top, width } } = this;
    const from = Math.max(this.x(this.arena.peak), left), to = Math.min(this.x(this.arena.peak + 1), left + width);
    if (to < from) return;
    c.fillStyle = theme("mark");
    c.fillRect(from, top, Math.max(to - from, 1), this.height - top);
  }

  drawChosen() {
    const { c } = this;
    if (state.step !== null && this.timed) {
      c.strokeStyle = theme("accent");
      c.lineWidth = 1.5;
      const from = this.x(state.step + 1);
      c.strokeRect(from, this.plot.top - 2, Math.max(this.x(state.step + 2) - from, 1), this.plot.height + 4);
    }
    for (const [number, width] of [[state.hovered, 2], [state.chosen, 3]]) {
      if (number === null || map.tensors[number].arena !== this.index) continue;
      const box = this.boxOf(number);
      if (!box) continue;
      c.strokeStyle = theme("accent");
      c.lineWidth = width;
      c.strokeRect(box.x + 1, box.y + 1, box.w - 2, box.h - 2);
    }
  }

  drawLevels() {
    const { c, plot: { left, width } } = this;
    c.textAlign = "right";
    c.textBaseline = "bottom";
    let free = Infinity;  // labels stand above each other, lowest first
    for (const line of [...this.lines].sort((a, b) => a.bytes - b.bytes)) {
      const y = Math.round(this.y(line.bytes)) + 0.5;
      c.strokeStyle = c.fillStyle = line.style === "budget" ? theme("over") : theme("ink");
      c.lineWidth = line.style === "solid" ? 1.5 : 1;
      c.setLineDash(line.style === "dashed" ? [7, 4] : line.style === "dotted" ? [2, 3] : []);
      c.beginPath();
      c.moveTo(left, y);
      c.lineTo(left + width, y);
      c.stroke();
      c.setLineDash([]);
      const at = Math.min(y - 2, free);
      free = at - 13;
      const label = this.fitted(`${line.label} ${grouped(line.bytes)}`, width - 8), wide = c.measureText(label).width;
      const colour = c.fillStyle;
      c.globalAlpha = 0.82;
      c.fillStyle = theme("card");
      c.fillRect(left + width - wide - 8, at - 13, wide + 6, 13);
      c.globalAlpha = 1;
      c.fillStyle = colour;
      c.fillText(label, left + width - 5, at);
    }
  }

  // Bytes occupied, and outlined those live, step by step: where the peaks are.
  drawStrip() {
    const { c, plot: { left, top, width, height } } = this;
    const floor = top + height + MARGIN.bottom + STRIP - 4, tall = STRIP - 10;
    const most = Math.max(...[0, 1].map((i) => this.arena[i ? "live" : "occupied"].reduce((a, b) => Math.max(a, b), 1)));
    const from = Math.floor(this.time.from), to = Math.min(Math.ceil(this.time.to), slots);
    c.save();
    c.beginPath();
    c.rect(left, floor - tall - 2, width, tall + 4);
    c.clip();
    for (const [values, fill] of [["live", theme("line")], ["occupied", theme("accent")]]) {
      c.fillStyle = fill;
      c.beginPath();
      c.moveTo(this.x(from), floor);
      for (let slot = from; slot < to; ++slot) {
        const y = floor - this.arena[values][slot] / most * tall;
        c.lineTo(this.x(slot), y);
        c.lineTo(this.x(slot + 1), y);
      }
      c.lineTo(this.x(to), floor);
      c.fill();
    }
    c.restore();
    c.fillStyle = theme("quiet");
    c.textAlign = "right";
    c.textBaseline = "middle";
    c.fillText("bytes", left - 6, floor - tall / 2);
  }
}
