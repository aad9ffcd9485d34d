// The table: one row for each op, in groups; only the rows in sight are drawn.
const HEIGHT = 24;
const main = byId("main"), space = byId("space");
const times = data.ops.flatMap(op => [op[OP.FORWARD], op[OP.BACKWARD]]).filter(t => t > 0).sort((a, b) => a - b);
// One op that took very long must not make all other bars vanish.
const fullBar = times[Math.ceil(times.length * 0.98) - 1] || 1;
let groups = [], rows = [];

function buildGroups() {
  groups = [];
  const nameOf = op => mode === "layer" ? data.layers[op[OP.LAYER]] : data.locations[op[OP.LOCATION]][3];
  data.ops.forEach((op, i) => {
    const name = nameOf(op), file = data.locations[op[OP.LOCATION]][0];
    const last = groups[groups.length - 1];
    if (last && last.name === name && (last.file === file || (mode === "layer" && name))) last.end = i + 1;
    else groups.push({ name, file, start: i, end: i + 1, open: true });
  });
}
function build() {
  rows = [];
  for (const group of groups) {
    const found = [];
    for (let i = group.start; i < group.end; i++) if (matches(i)) found.push(i);
    if (!found.length) continue;
    rows.push({ group, count: found.length });
    if (group.open || query) for (const i of found) rows.push({ op: i });
  }
  space.style.height = rows.length * HEIGHT + "px";
  draw();
}
function bar(kind, t) {
  const made = cell("time " + kind, "");
  if (t !== null) {
    const b = element("b");
    b.style.width = Math.min(100, Math.max(1, 100 * t / fullBar)) + "%";
    made.append(b, cell("", micros(t)));
  }
  return made;
}
function drawGroup(row) {
  const g = row.group, made = element("div", "row fold");
  const sum = column => total(g.start, g.end, column);
  made.append(
    cell("n", g.open || query ? "▾" : "▸"), cell("op", g.name || "(no layer)", g.name),
    cell("", count(row.count, "op")),
    cell("b", bytes(sum(OP.BYTES))), cell("time forward", micros(sum(OP.FORWARD))),
    cell("", ""), cell("time backward", micros(sum(OP.BACKWARD))), cell("", ""), cell("", g.file));
  made.onclick = () => { g.open = !g.open; build(); };
  return made;
}
function drawOp(i) {
  const op = data.ops[i], [file, line, text] = data.locations[op[OP.LOCATION]];
  const made = element("div", "row item");
  if (i === chosen) made.classList.add("chosen");
  else if (chosen >= 0 && (data.ops[chosen][OP.FROM].includes(i) || consumers[chosen].includes(i)))
    made.classList.add("linked");
  const norm = cell("norm", number(op[OP.NORM]));
  norm.style.background = heat(op[OP.NORM]);
  const layer = data.layers[op[OP.LAYER]] + "/";
  const inputs = op[OP.INPUTS].map(x => x.startsWith(layer) ? x.slice(layer.length) : x).join(", ");
  made.append(
    cell("n", i), cell("op", op[OP.NAME]), cell("mono", inputs, op[OP.INPUTS].join(", ")),
    cell("mono", op[OP.SHAPE]), cell("b", bytes(op[OP.BYTES])), bar("forward", op[OP.FORWARD]),
    cell("arrow", op[OP.BACKWARD] ? "⇄" : "→"), bar("backward", op[OP.BACKWARD] || null), norm,
    cell("code", `${file.split("/").pop()}:${line}  ${text}`, `${file}:${line}`));
  made.onclick = () => choose(i, false);
  return made;
}
function draw() {
  const first = Math.max(0, Math.floor(main.scrollTop / HEIGHT) - 8);
  const last = Math.min(rows.length, Math.ceil((main.scrollTop + main.clientHeight) / HEIGHT) + 8);
  const parts = document.createDocumentFragment();
  for (let r = first; r < last; r++) {
    const made = rows[r].group ? drawGroup(rows[r]) : drawOp(rows[r].op);
    made.style.top = r * HEIGHT + "px";
    parts.append(made);
  }
  if (!rows.length) parts.append(cell("empty", data.ops.length ? "Nothing found." : "No ops were recorded."));
  space.replaceChildren(parts);
}
function revealRow(i) {
  const group = groups.find(g => g.start <= i && i < g.end);
  if (!group.open || (query && !matches(i))) {
    group.open = true;
    query = byId("search").value = "";
    build();
  }
  const r = rows.findIndex(row => row.op === i);
  main.scrollTop = Math.max(0, r * HEIGHT - main.clientHeight / 2);
}
const table = {
  show() { build(); },
  redraw: draw,
  reveal: revealRow,
  foldAll(open) { groups.forEach(g => g.open = open); build(); },
};
main.onscroll = draw;
new ResizeObserver(draw).observe(main);
