// The page as a whole: its tabs, its tools, its findings, and the details of one op.
const views = { table, graph, timeline, compare };
const detail = byId("detail");
let shown = "table";

function open(name) {
  shown = name;
  for (const each of Object.keys(views)) {
    byId(each).hidden = each !== name;
    byId("tab-" + each).setAttribute("aria-selected", each === name);
  }
  byId("tip").hidden = true;
  byId("own").replaceChildren();
  if (name === "graph") {
    const fit = element("button", "", "Fit");
    fit.onclick = graph.fit;
    byId("own").append(fit);
  }
  views[name].show();
}
for (const name of Object.keys(views)) {
  const tab = element("button", "", name[0].toUpperCase() + name.slice(1));
  tab.id = "tab-" + name;
  tab.setAttribute("role", "tab");
  tab.onclick = () => open(name);
  byId("tabs").append(tab);
}
function choose(i, scroll) {
  chosen = i;
  const op = data.ops[i], [file, line, text, owner, part] = data.locations[op[OP.LOCATION]];
  const links = (label, list) => {
    const p = element("div");
    p.append(label);
    for (const j of list.slice(0, 40)) {
      const a = element("a", "", `#${j} ${data.ops[j][OP.NAME]}`);
      a.onclick = () => choose(j, true);
      p.append(a);
    }
    if (!list.length) p.append("none");
    return p;
  };
  const title = element("div"), layer = data.layers[op[OP.LAYER]];
  title.append(element("strong", "", `#${i} ${op[OP.NAME]}`), ` at ${file}:${line}` +
    (owner === "<module>" ? "" : ` in ${owner}`) + (layer ? `, layer ${layer}` : "") +
    (part && part !== text ? `, computing ${part}` : ""));
  detail.hidden = false;
  detail.replaceChildren(title, text ? element("pre", "", text) : "",
    element("div", "", `inputs: ${op[OP.INPUTS].join(", ")}; result: ${op[OP.SHAPE]}`),
    links("from: ", op[OP.FROM]), links("used by: ", consumers[i]));
  if (scroll) views[shown].reveal(i);
  views[shown].redraw();
}
function regroup() {
  buildGroups();
  buildTree();
  Object.values(views).forEach(view => view.modeChanged?.());
  views[shown].show();
}
byId("search").oninput = event => {
  query = event.target.value.trim().toLowerCase();
  main.scrollTop = 0;
  if (shown === "table") build();
  else views[shown].redraw();
};
byId("fold").onclick = () => views[shown].foldAll(false);
byId("unfold").onclick = () => views[shown].foldAll(true);
byId("mode").value = mode;
byId("mode").onchange = event => { mode = event.target.value; regroup(); };

const ranked = data.ops.map((op, i) => i).filter(i => data.ops[i][OP.NORM] !== null)
  .sort((a, b) => weight(b) - weight(a));
function weight(i) { const x = data.ops[i][OP.NORM]; return typeof x === "number" ? x : Infinity; }
let rank = -1;
byId("largest").onclick = () => {
  if (ranked.length) choose(ranked[rank = (rank + 1) % ranked.length], true);
};

const kept = bytes(data.bytes) || "0 B";
const watched = data.watched.map(w => w[0]);
const spent = data.timed ? `, forward ${micros(total(0, data.ops.length, OP.FORWARD) || 0)}, backward ${micros(total(0, data.ops.length, OP.BACKWARD) || 0)}` : "";
byId("summary").textContent =
  `${count(data.ops.length, "op")}${spent}, keeping ${kept}. Watches ` +
  (watched.length ? watched.slice(0, 3).join(", ") + (watched.length > 3 ? ` and ${watched.length - 3} more` : "") : "nothing") + "." +
  (data.timed ? "" : " Times and gradients were not measured.");
for (const finding of data.findings) {
  const made = element("details", "finding " + finding.kind);
  made.append(element("summary", "", finding.headline));
  if (finding.text) made.append(element("pre", "", finding.text));
  if (finding.op !== null) {
    const link = element("a", "", `Show op #${finding.op}`);
    link.onclick = () => choose(finding.op, true);
    made.append(link);
  }
  made.open = data.findings.length <= 2;
  byId("findings").append(made);
}
const legend = byId("legend");
if (norms.length) {
  legend.append("|gradient| " + number(low));
  for (const color of HEAT) { const i = element("i"); i.style.background = color; legend.append(i); }
  legend.append(number(high));
}
regroup();
open(earlier ? "compare" : "table");
