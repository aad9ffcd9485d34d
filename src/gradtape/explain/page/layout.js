// Where the boxes of the graph stand. An open group is a box around the boxes of its children,
// laid out by itself: in rows, each below all that it is computed from.
const BOX = { HEIGHT: 36, GAP: 16, ROW: 30, PAD: 12, HEAD: 22, LETTER: 6.7, MAX_LETTERS: 44 };

function titleOf(node) {
  return node.children ? node.name || "(no layer)" : data.ops[node.op][OP.NAME];
}
function belowOf(node) {
  if (!node.children) return data.ops[node.op][OP.SHAPE];
  const spent = total(node.start, node.end, OP.FORWARD), back = total(node.start, node.end, OP.BACKWARD);
  const time = spent === null && back === null ? "" : `, ${micros((spent || 0) + (back || 0))}`;
  return count(node.end - node.start, "op") + time;
}
// Gives every box of an open group its place, relative to the group, and the group its size.
function layOut(group) {
  for (const child of group.children) {
    if (child.children && child.open) layOut(child);
    else {
      child.title = titleOf(child).slice(0, BOX.MAX_LETTERS);
      child.below = belowOf(child).slice(0, BOX.MAX_LETTERS);
      child.width = Math.max(child.title.length + (child.children ? 2 : 0), child.below.length) * BOX.LETTER + 20;
      child.height = BOX.HEIGHT;
    }
  }
  const { ranks, parents } = ranksOf(group);
  const levels = [];
  group.children.forEach((child, c) => (levels[ranks[c]] ??= []).push(c));
  const breadth = level => level.reduce((sum, c) => sum + group.children[c].width + BOX.GAP, -BOX.GAP);
  const widest = Math.max(...levels.map(breadth), group.name.length * BOX.LETTER + 30);
  const isRoot = group === root;
  let y = BOX.PAD + (isRoot ? 0 : BOX.HEAD);
  for (const level of levels) {
    const wanted = new Map(level.map(c => [c, mean(parents[c].map(p => center(group.children[p])), widest / 2 + BOX.PAD)]));
    level.sort((a, b) => wanted.get(a) - wanted.get(b));
    const middle = mean([...wanted.values()], widest / 2 + BOX.PAD), wide = breadth(level);
    let x = Math.min(Math.max(middle - wide / 2, BOX.PAD), BOX.PAD + widest - wide);
    for (const c of level) {
      const child = group.children[c];
      child.x = x;
      child.y = y;
      x += child.width + BOX.GAP;
    }
    y += Math.max(...level.map(c => group.children[c].height)) + BOX.ROW;
  }
  group.width = widest + 2 * BOX.PAD;
  group.height = y - BOX.ROW + BOX.PAD;
}
function center(node) { return node.x + node.width / 2; }
function mean(numbers, otherwise) {
  return numbers.length ? numbers.reduce((a, b) => a + b, 0) / numbers.length : otherwise;
}
// By child of a group: how many stand above it at least, and which children it is computed from.
function ranksOf(group) {
  const childAt = new Int32Array(group.end - group.start);
  group.children.forEach((child, c) => childAt.fill(c, child.start - group.start, child.end - group.start));
  const ranks = new Int32Array(group.children.length), parents = group.children.map(() => []);
  for (let i = group.start; i < group.end; i++) {
    const c = childAt[i - group.start];
    for (const j of data.ops[i][OP.FROM]) {
      if (j < group.start) continue;
      const p = childAt[j - group.start];
      if (p === c) continue;
      if (ranks[p] + 1 > ranks[c]) ranks[c] = ranks[p] + 1;
      if (parents[c].length < 8 && !parents[c].includes(p)) parents[c].push(p);
    }
  }
  return { ranks, parents };
}
// Whether a straight line between two boxes would run behind another one.
function passesBoxes(from, to, boxes) {
  const x = from.left + from.width / 2;
  if (boxes.length > 800 || Math.abs(x - to.left - to.width / 2) > 40) return false;
  return boxes.some(box => box.top > from.top + from.height && box.top + box.height < to.top &&
    box.left < x && x < box.left + box.width);
}
// The boxes to draw with their places in the whole, the frames of open groups, and the lines.
function placed() {
  if (!root.children.length) return { boxes: [], frames: [], lines: [], width: 0, height: 0 };
  layOut(root);
  const boxes = [], frames = [], boxOf = new Int32Array(data.ops.length);
  const place = (group, left, top) => {
    for (const child of group.children) {
      child.left = left + child.x;
      child.top = top + child.y;
      if (child.children && child.open) {
        frames.push(child);
        place(child, child.left, child.top);
      } else {
        boxOf.fill(boxes.length, child.start, child.end);
        boxes.push(child);
      }
    }
  };
  place(root, 0, 0);
  const known = new Set(), lines = [];
  data.ops.forEach((op, i) => {
    for (const j of op[OP.FROM]) {
      const a = boxOf[j], b = boxOf[i], key = a * boxes.length + b;
      if (a === b || known.has(key)) continue;
      known.add(key);
      lines.push([boxes[a], boxes[b], passesBoxes(boxes[a], boxes[b], boxes)]);
    }
  });
  return { boxes, frames, lines, width: root.width, height: root.height };
}
