// The data, joined for drawing, and how numbers and places are written.
const map = JSON.parse(document.getElementById("data").textContent);
const slots = map.steps.length + 2;

const byId = (id) => document.getElementById(id);

// A new element; children are elements or text. Text is never taken as HTML.
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const percent = (part, whole) => (whole > 0 ? (100 * part / whole).toFixed(1) + " %" : "");

// Names come from the model: characters that have no shape are shown as such, long ones end in dots.
function shown(name, limit = 120) {
  const visible = name.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");
  return visible.length > limit ? visible.slice(0, limit - 1) + "…" : visible;
}

function stepName(slot) {
  if (slot === 0) return "before the first operator";
  if (slot >= slots - 1) return "after the last operator";
  const step = map.steps[slot - 1];
  return `operator ${step.id} (${step.type})`;
}

const shortStep = (slot) => slot === 0 ? "in" : slot >= slots - 1 ? "out" : String(map.steps[slot - 1].id);

const memoryOf = (arena) => arena.memory === arena.source_memory
  ? arena.memory : `${arena.memory}, copied from ${arena.source_memory}`;

// What a tensor is coloured by: the type of the operator that makes it, or that reads a constant.
const readers = map.tensors.map(() => []);
map.steps.forEach((step, number) => {
  for (const tensor of [...step.reads, ...step.constants]) {
    if (readers[tensor][readers[tensor].length - 1] !== number) readers[tensor].push(number);
  }
});

function colourKey(index) {
  const tensor = map.tensors[index];
  if (tensor.kind === "input") return "input";
  if (tensor.kind === "work") return "work buffer";
  if (tensor.producer !== null) return map.steps[tensor.producer].type;
  return readers[index].length > 0 ? map.steps[readers[index][0]].type : tensor.kind;
}

// Hues far apart for the types that come first; then they repeat with other brightness.
const HUES = [212, 28, 150, 335, 268, 186, 52, 8, 96, 300];
const typeOrder = ["input", "work buffer", ...new Set(map.steps.map((step) => step.type)), "state", "constant"];

function colours(key) {
  const dark = document.documentElement.dataset.theme === "dark";
  if (key === "input") return dark ? { fill: "#4b5563", edge: "#a7b0bd" } : { fill: "#c7ced8", edge: "#5d6875" };
  if (key === "work buffer") return dark ? { fill: "#5a4a2a", edge: "#d3b26a" } : { fill: "#f0e0b8", edge: "#8d6d1f" };
  const place = typeOrder.indexOf(key) - 2;
  const hue = HUES[place % HUES.length], round = Math.floor(place / HUES.length) % 3;
  return dark
    ? { fill: `hsl(${hue} 42% ${36 - 7 * round}%)`, edge: `hsl(${hue} 55% 66%)` }
    : { fill: `hsl(${hue} 68% ${80 - 9 * round}%)`, edge: `hsl(${hue} 55% 36%)` };
}

const theme = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

// Views lie within other tensors: they are listed, and their roots drawn.
const viewsOf = map.tensors.map(() => []);
map.tensors.forEach((tensor, index) => { if (tensor.view_of !== null) viewsOf[tensor.view_of].push(index); });

// For each tensor the overlaps that it has a part in.
const overlapsOf = map.tensors.map(() => []);
for (const overlap of map.overlaps) {
  overlapsOf[overlap.input].push(overlap);
  overlapsOf[overlap.output].push(overlap);
}

// What is said of a tensor, as pairs of a word and a sentence.
function tensorFacts(index) {
  const tensor = map.tensors[index], arena = map.arenas[tensor.arena];
  const facts = [
    ["what", `${tensor.role}, ${tensor.kind}`],
    ["type", `${tensor.type} [${tensor.shape.join(" × ")}]`],
    ["size", `${grouped(tensor.size)} bytes`],
    ["place", `${memoryOf(arena)} at ${grouped(tensor.offset)}`],
    ["arena", arena.name],
    ["lives", tensor.role === "scratch" ? `${stepName(tensor.first)} to ${stepName(tensor.last)}` : "always"]];
  if (tensor.producer !== null) facts.push(["made by", `${stepName(tensor.producer + 1)} ${map.steps[tensor.producer].name}`]);
  if (readers[index].length > 0) {
    const some = readers[index].slice(0, 6).map((number) => map.steps[number].id).join(", ");
    facts.push(["read by", `operator ${some}${readers[index].length > 6 ? ", …" : ""}`]);
  }
  if (tensor.view_of !== null) {
    const root = map.tensors[tensor.view_of];
    facts.push(["view of", `tensor ${root.id} at ${grouped(tensor.offset - root.offset)}`]);
  }
  if (viewsOf[index].length > 0) {
    facts.push(["views", viewsOf[index].slice(0, 8).map((view) => map.tensors[view].id).join(", ")
      + (viewsOf[index].length > 8 ? ", …" : "")]);
  }
  for (const overlap of overlapsOf[index]) {
    const over = overlap.output === index;
    facts.push([over ? "lies over" : "under", `tensor ${map.tensors[over ? overlap.input : overlap.output].id} by `
      + `${grouped(overlap.size)} bytes in ${stepName(overlap.slot)}`]);
  }
  facts.push(["why there", tensor.why || "platform order"]);
  if (tensor.rules.length > 0) facts.push(["rules", tensor.rules.join("; ")]);
  return facts;
}

const tensorTitle = (tensor) => `tensor ${tensor.id}${tensor.name ? " · " + shown(tensor.name) : ""}`;
