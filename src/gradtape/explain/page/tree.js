// Ops in groups inside of each other: by layer (model, encoder, dense) or by function.
// A group is a run of ops that follow each other, so that what groups give to each other is again
// a graph without cycles.
const MAX_CHILDREN = 60;
let mode = data.layers.some(layer => layer) ? "layer" : "function";
let root = null;

function partsOf(op) {
  if (mode === "function") {
    const location = data.locations[op[OP.LOCATION]];
    return [location[3] === "<module>" ? location[0].split("/").pop() : location[3]];
  }
  return layerParts[op[OP.LAYER]];
}
const layerParts = data.layers.map(layer => layer ? layer.split("/") : []);

function buildTree() {
  const parts = data.ops.map(partsOf);
  const build = (group, depth) => {
    for (let i = group.start; i < group.end;) {
      const name = parts[i][depth];
      if (name === undefined) {
        group.children.push({ op: i, start: i, end: ++i, parent: group, depth: depth + 1 });
        continue;
      }
      let end = i + 1;
      while (end < group.end && parts[end][depth] === name) end++;
      const path = group.path ? group.path + "/" + name : name;
      const child = { name, path, start: i, end, parent: group, depth: depth + 1, open: false, children: [] };
      group.children.push(child);
      build(child, depth + 1);
      i = end;
    }
    group.children = inChunks(group);
    return group;
  };
  root = build({ name: "", path: "", start: 0, end: data.ops.length, parent: null, depth: 0, open: true, children: [] }, 0);
  openSome(24);
}
// Of many children of one group, those that follow each other are put into groups of their own.
function inChunks(group) {
  let children = group.children;
  while (children.length > MAX_CHILDREN) {
    const size = Math.max(20, Math.ceil(children.length / MAX_CHILDREN));
    const chunks = [];
    for (let i = 0; i < children.length; i += size) {
      const inside = children.slice(i, i + size);
      const start = inside[0].start, end = inside[inside.length - 1].end;
      const chunk = { name: `#${start} – #${end - 1}`, path: group.path, start, end, parent: group,
        depth: group.depth + 1, open: false, children: inside, isChunk: true };
      for (const child of inside) child.parent = chunk;
      chunks.push(chunk);
    }
    children = chunks;
  }
  return children;
}
function groupsOf(group, found = []) {
  for (const child of group.children)
    if (child.children) { found.push(child); groupsOf(child, found); }
  return found;
}
// Opens the outermost groups, as long as not too much is shown.
function openSome(most) {
  let shown = root.children.length;
  const queue = root.children.filter(child => child.children);
  for (const group of queue) {
    if (shown + group.children.length > most) continue;
    group.open = true;
    shown += group.children.length - 1;
    queue.push(...group.children.filter(child => child.children));
  }
}
// Opens every group around an op.
function openAround(i) {
  let group = root;
  while (group) {
    group.open = true;
    group = group.children.find(child => child.children && child.start <= i && i < child.end);
  }
}
