// The page: totals, search, what is chosen, and the address's part after `#`, which may hold
// `search=TEXT`, `tensor=ID` and `theme=light|dark`.
const state = { found: null, chosen: null, hovered: null, step: null };
const wanted = new URLSearchParams(location.hash.slice(1));
let operators, tensors, views, drawAgain = false;

function draw() {
  if (drawAgain) return;
  drawAgain = true;
  requestAnimationFrame(drawNow);
}

function drawNow() {
  drawAgain = false;
  byId("map").dataset.boxes = views.reduce((sum, view) => sum + view.draw(), 0);
}

// ---- Light and dark ----

const systemDark = matchMedia("(prefers-color-scheme: dark)");

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").textContent = name === "dark" ? "Light" : "Dark";
  if (views) { drawLegend(); drawMemories(); draw(); }
}

function startTheme() {
  const asked = wanted.get("theme");
  let own = asked === "light" || asked === "dark";
  setTheme(own ? asked : systemDark.matches ? "dark" : "light");
  systemDark.addEventListener("change", () => { if (!own) setTheme(systemDark.matches ? "dark" : "light"); });
  byId("theme").addEventListener("click", () => {
    own = true;
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  });
}

// ---- Totals, memories, hints ----

function drawFigures() {
  const { totals, stack } = map;
  const scratch = map.arenas.filter((arena) => arena.role === "scratch");
  const sum = (list, key) => list.reduce((total, one) => total + one[key], 0);
  const figure = (what, value, note) => element("li", {}, element("div", { className: "what" }, what),
    element("div", { className: "value" }, value), element("div", { className: "note" }, note));
  const proven = scratch.every((arena) => arena.optimal) ? "proven minimal" : `lower bound ${grouped(sum(scratch, "overlap_lower_bound"))}`;
  byId("figures").append(
    figure("Scratch arenas", grouped(sum(scratch, "used")), `bytes · ${proven}`),
    figure("Liveness bound", grouped(sum(scratch, "lower_bound")), "bytes, without overlap"),
    figure("RAM, all arenas", grouped(totals.written_arena_bytes), "bytes written"),
    figure("Constants", grouped(totals.constant_bytes), "bytes"),
    figure("Work an inference", grouped(totals.macs), `MACs · ${grouped(totals.touched_bytes)} bytes touched`),
    figure("Operators", grouped(map.steps.length), `${grouped(map.tensors.length)} tensors`));
  if (stack) byId("figures").append(figure("Stack", grouped(stack.bytes), `bytes · ${stack.core}`));
  byId("facts").textContent = `${map.platform} (${map.cpu}) · planner ${map.planner} · prefix ${map.prefix}`;
  byId("footer").textContent = `Made by Ingot ${map.compiler_version} · plan ${map.plan_hash}`;
}

function drawMemories() {
  const shades = { scratch: colours(typeOrder[2] || "state").fill, persistent: theme("accent"), constant: theme("quiet") };
  const meters = map.memories.filter((memory) => memory.used > 0 || memory.binds).map((memory) => {
    const whole = Math.max(memory.budget === null ? memory.used : memory.budget, memory.used, 1);
    const track = element("div", { className: "track" });
    for (const arena of map.arenas) {
      if (arena.memory !== memory.name && arena.source_memory !== memory.name) continue;
      const part = element("span", { title: `${arena.name}: ${grouped(arena.used)} bytes` });
      part.style.width = 100 * arena.used / whole + "%";
      part.style.background = shades[arena.role];
      track.append(part);
    }
    const over = memory.budget !== null && memory.used > memory.budget;
    const text = memory.budget === null ? `${grouped(memory.used)} bytes, no limit`
      : `${grouped(memory.used)} of ${grouped(memory.budget)} (${percent(memory.used, memory.budget) || "no room"})`;
    return element("div", { className: "meter" }, element("b", {}, memory.name), track,
      element("span", { className: over ? "numbers over" : "numbers" }, text + (memory.binds ? " · full: tensors went elsewhere" : "")));
  });
  byId("memories").replaceChildren(...meters);
  if (meters.length === 0) byId("memories").textContent = "Nothing is in any memory.";
  for (const tensor of map.spilled) {
    byId("memories").append(element("p", { className: "quiet" },
      `tensor ${tensor.id} (${grouped(tensor.size)} bytes) had no room in ${tensor.wanted} and is in ${tensor.memory}`));
  }
}

function drawHints() {
  byId("hints-section").hidden = map.hints.length === 0;
  for (const hint of map.hints) {
    const item = element("li", {}, hint.message);
    if (hint.saves > 0) item.append(element("b", {}, ` · saves ${hint.at_most ? "at most " : ""}${grouped(hint.saves)} bytes`));
    if (hint.flag) item.append(element("br"), element("code", {}, hint.flag));
    byId("hints").append(item);
  }
}

function drawLegend() {
  const scratch = map.tensors.map((_, index) => index).filter((index) => map.tensors[index].view_of === null);
  const used = new Set(scratch.map(colourKey));
  const items = typeOrder.filter((key) => used.has(key)).map((key) => {
    const swatch = element("i"), colour = colours(key);
    swatch.style.background = colour.fill;
    swatch.style.borderColor = colour.edge;
    return element("li", {}, swatch, key);
  });
  const special = (background, text) => {
    const swatch = element("i");
    swatch.style.background = background;
    return element("li", {}, swatch, text);
  };
  if (map.overlaps.length > 0) {
    items.push(special(`repeating-linear-gradient(135deg, ${theme("over")} 0 1px, transparent 1px 4px)`, "an output over an input that it consumes"));
  }
  items.push(special(theme("mark"), "the step with most bytes occupied"));
  byId("legend").replaceChildren(...items);
}

// ---- Search and choice ----

const tensorWords = map.tensors.map((tensor) => [tensor.id, tensor.name, tensor.kind, tensor.role, tensor.type,
  map.arenas[tensor.arena].memory].join("\n").toLowerCase());
const stepWords = map.steps.map((step) => [step.id, step.type, step.name, step.label, ...step.kernels].join("\n").toLowerCase());

// A tensor is found by its own words or by those of the operator that makes it.
function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const all = (texts) => new Set(texts.map((_, i) => i).filter((i) => words.every((word) => texts[i].includes(word))));
  const foundSteps = words.length === 0 ? null : all(stepWords);
  state.found = words.length === 0 ? null : all(tensorWords.map((own, i) => {
    const { producer } = map.tensors[i];
    return producer === null ? own : own + "\n" + stepWords[producer];
  }));
  // A root lights up with its views.
  if (state.found) [...state.found].forEach((i) => { if (map.tensors[i].view_of !== null) state.found.add(map.tensors[i].view_of); });
  byId("matches").textContent = state.found ? `${grouped(state.found.size)} tensors, ${grouped(foundSteps.size)} operators` : "";
  byId("map").dataset.matches = state.found ? state.found.size : 0;
  operators.show(foundSteps);
  tensors.show(state.found);
  draw();
}

function facts(pairs) {
  return element("dl", {}, ...pairs.map(([word, text]) => element("div", {}, element("dt", {}, word), element("dd", {}, text))));
}

function drawDetails() {
  const details = byId("details");
  if (state.step !== null) {
    const step = map.steps[state.step];
    const list = (indices) => indices.map((index) => map.tensors[index].id).join(", ") || "none";
    details.replaceChildren(element("h3", {}, `operator ${step.id} · ${step.type} · ${step.name}`), facts([
      ["makes", shown(step.label)], ["reads", list(step.reads)], ["writes", list(step.writes)], ["constants", list(step.constants)],
      ["work", list(step.work)], ["kernel", step.kernels.join(", ") || "none"], ["MACs", grouped(step.macs)],
      ["touches", `${grouped(step.touched_bytes)} bytes`], ["overlap", `${grouped(step.overlap_bytes)} bytes`],
      ...(step.note ? [["note", step.note]] : [])]));
  } else if (state.chosen !== null) {
    details.replaceChildren(element("h3", {}, tensorTitle(map.tensors[state.chosen])), facts(tensorFacts(state.chosen)));
  } else {
    details.replaceChildren(element("p", { className: "quiet" }, "Point at a tensor for a summary; click it, or a row below, for everything about it."));
  }
}

function choose(tensor, step = null) {
  state.chosen = tensor;
  state.step = step;
  tensors.mark(tensor);
  operators.mark(step);
  byId("map").dataset.chosen = tensor === null ? "" : map.tensors[tensor].id;
  drawDetails();
  draw();
}

// A view has no box: its root is shown, and the view told about.
function chooseRow(row) {
  choose(row);
  if (map.tensors[row].view_of !== null) state.hovered = map.tensors[row].view_of;
  byId("map").scrollIntoView({ block: "nearest" });
}

function hover(tensor, event) {
  const tip = byId("tip");
  tip.hidden = tensor === null;
  if (tensor !== null) {
    const one = map.tensors[tensor];
    const made = one.producer === null ? "" : `, made by ${stepName(one.producer + 1)}`;
    tip.replaceChildren(element("b", {}, tensorTitle(one)), `${one.kind}, ${grouped(one.size)} bytes at ${grouped(one.offset)}${made}`,
      element("br"), one.role === "scratch" ? `lives ${stepName(one.first)} to ${stepName(one.last)}` : "lives always",
      element("br"), `placed by: ${one.why || "platform order"}`);
    const { clientWidth, clientHeight } = document.documentElement;
    tip.style.left = Math.max(Math.min(event.clientX + 14, clientWidth - tip.offsetWidth - 8), 4) + "px";
    tip.style.top = Math.max(Math.min(event.clientY + 16, clientHeight - tip.offsetHeight - 8), 4) + "px";
  }
  if (state.hovered !== tensor) {
    state.hovered = tensor;
    draw();
  }
}

// ---- Start ----

startTheme();
views = map.arenas.map((_, index) => new ArenaView(index, { hovered: hover, chosen: (tensor) => choose(tensor), moved: draw }));
byId("arenas").append(...views.map((view) => view.root));
if (views.length === 0) byId("arenas").append(element("p", { className: "quiet" }, "The program needs no memory."));
operators = operatorTable((row) => { choose(null, row); byId("map").scrollIntoView({ block: "nearest" }); });
tensors = tensorTable(chooseRow);
drawFigures();
drawMemories();
drawHints();
drawLegend();
byId("search").value = wanted.get("search") || "";
search(byId("search").value);
const first = map.tensors.findIndex((tensor) => tensor.id === wanted.get("tensor"));
choose(first < 0 ? null : first);
byId("search").addEventListener("input", (event) => search(event.target.value));
byId("to-budget").addEventListener("change", (event) => {
  views.forEach((view) => view.setTop(event.target.checked));
  draw();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === byId("search")) return;
  byId("search").focus();
  event.preventDefault();
});
addEventListener("resize", draw);
drawNow();
