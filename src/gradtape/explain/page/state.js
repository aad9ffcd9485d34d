// What all views share: the data, what is chosen, and how numbers are written.
const data = JSON.parse(document.getElementById("data").textContent);
let earlier = JSON.parse(document.getElementById("earlier").textContent);
// An op: its name, indices into `locations` and `layers`, times in µs.
const OP = { NAME: 0, LOCATION: 1, INPUTS: 2, FROM: 3, SHAPE: 4, BYTES: 5, FORWARD: 6, BACKWARD: 7, NORM: 8, LAYER: 9 };
const byId = id => document.getElementById(id);
const HEAT = ["#4c78c9", "#7fb0d8", "#cfe0dc", "#f3d58a", "#ef9a58", "#d9533f"];

const consumers = data.ops.map(() => []);
data.ops.forEach((op, i) => op[OP.FROM].forEach(j => consumers[j].push(i)));
const norms = data.ops.map(op => op[OP.NORM]).filter(x => typeof x === "number" && x > 0);
norms.sort((a, b) => a - b);
// A few outliers must not take all colors: the scale is that of the middle nine tenths.
const low = norms[Math.floor(norms.length * 0.05)], high = norms[Math.ceil(norms.length * 0.95) - 1];

let chosen = -1;  // the op whose details are shown
let query = "";

function bytes(n) {
  if (!n) return "";
  for (const unit of ["B", "KiB", "MiB"]) {
    if (n < 1024) return (unit === "B" ? n : n.toFixed(1)) + " " + unit;
    n /= 1024;
  }
  return n.toFixed(1) + " GiB";
}
function micros(t) {
  if (t === null) return "";
  if (t > 0 && t < 0.1) return (t * 1000).toFixed(0) + " ns";
  return t < 1000 ? t.toFixed(1) + " µs" : t < 1e6 ? (t / 1000).toFixed(2) + " ms" : (t / 1e6).toFixed(2) + " s";
}
function number(x) { return typeof x !== "number" ? x ?? "" : x === 0 ? "0" : x.toPrecision(3); }
function heat(x) {
  if (x === "nan" || x === "inf") return "#e03be0";
  if (typeof x !== "number") return "transparent";
  if (x === 0) return "#b9c2cc";
  const at = Math.log(x / low) / (Math.log(high / low) || 1);
  return HEAT[Math.max(0, Math.min(HEAT.length - 1, Math.floor(at * HEAT.length)))];
}
function matches(i) {
  if (!query) return true;
  const op = data.ops[i], location = data.locations[op[OP.LOCATION]];
  return `#${i} ${op[OP.NAME]} ${location[0]}:${location[1]} ${location[2]} ${location[3]} ${op[OP.SHAPE]} ${data.layers[op[OP.LAYER]]}`
    .toLowerCase().includes(query);
}
// The sum of a column over ops, or null where none has a number there.
function total(start, end, column) {
  let sum = 0, any = false;
  for (let i = start; i < end; i++) {
    const x = data.ops[i][column];
    if (typeof x === "number") { sum += x; any = true; }
  }
  return any ? sum : null;
}
function element(tag, kind, text, title) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  if (title) made.title = title;
  return made;
}
const cell = (kind, text, title) => element("span", kind, text, title);
const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
