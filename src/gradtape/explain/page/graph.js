// The graph: drag to move, wheel to zoom, click a group to open or fold it.
const graph = (() => {
  const canvas = byId("graph").firstElementChild;
  const view = panned(canvas, paint, { click, hover });
  let scene = null, fitted = false;

  function rebuild() {
    scene = placed();
    if (!fitted) fit();
    else view.paint();
  }
  function fit() {
    fitted = true;
    const { width, height } = canvas.getBoundingClientRect();
    if (!width || !scene.width) return;
    // What does not fit is not made so small that it cannot be read.
    view.k = Math.min(1.2, Math.max(0.8, Math.min((width - 40) / scene.width, (height - 40) / scene.height)));
    view.x = (width - scene.width * view.k) / 2;
    view.y = scene.height * view.k < height ? (height - scene.height * view.k) / 2 : 16;
    view.paint();
  }
  function paint(ctx, width, height) {
    if (!scene) return;
    const color = colors();
    const ground = frame => frame.depth % 2 ? color("--band") : color("--ground");
    const inSight = node => node.left * view.k + view.x < width && (node.left + node.width) * view.k + view.x > 0 &&
      node.top * view.k + view.y < height && (node.top + node.height) * view.k + view.y > 0;
    ctx.lineWidth = 1;
    for (const frame of scene.frames) {
      if (!inSight(frame)) continue;
      rounded(ctx, frame, 8);
      ctx.fillStyle = ground(frame);
      ctx.fill();
      ctx.strokeStyle = color("--line");
      ctx.stroke();
    }
    ctx.strokeStyle = color("--edge");
    ctx.lineWidth = Math.max(1, 0.6 / view.k);
    ctx.beginPath();
    for (const [from, to, passesBoxes] of scene.lines) {
      if (from.top * view.k + view.y > height || (to.top + to.height) * view.k + view.y < 0) continue;
      const x1 = center2(from), y1 = from.top + from.height, x2 = center2(to), y2 = to.top;
      const bend = Math.min(60, Math.max(12, (y2 - y1) / 2));
      ctx.moveTo(x1, y1);
      // A line that passes boxes by goes around them.
      const aside = passesBoxes ? Math.max(from.width, to.width) / 2 + 40 : 0;
      ctx.bezierCurveTo(x1 + aside, y1 + bend, x2 + aside, y2 - bend, x2, y2);
    }
    ctx.stroke();
    ctx.font = "600 12px system-ui, sans-serif";
    ctx.textAlign = "left";
    for (const frame of scene.frames) {
      if (!inSight(frame)) continue;
      const title = "▾ " + frame.name;
      ctx.fillStyle = ground(frame);
      ctx.fillRect(frame.left + 8, frame.top + 4, ctx.measureText(title).width + 4, 16);
      ctx.fillStyle = color("--soft");
      ctx.fillText(title, frame.left + 10, frame.top + 16);
    }
    for (const box of scene.boxes) if (inSight(box)) paintBox(ctx, box, color);
  }
  function paintBox(ctx, box, color) {
    const isGroup = Boolean(box.children), isChosen = !isGroup && box.op === chosen;
    const faded = query && !found(box);
    ctx.globalAlpha = faded ? 0.25 : 1;
    ctx.lineWidth = isChosen ? 2.5 : 1;
    ctx.strokeStyle = isChosen ? color("--accent") : color("--edge");
    ctx.fillStyle = isChosen ? color("--mark") : isGroup ? color("--group") : color("--ground");
    rounded(ctx, box, isGroup ? 6 : 3);
    ctx.fill();
    ctx.stroke();
    const norm = isGroup ? null : data.ops[box.op][OP.NORM];
    if (norm !== null) {
      ctx.fillStyle = heat(norm);
      ctx.fillRect(box.left + 1, box.top + 1, 4, box.height - 2);
    }
    if (view.k > 0.3) {
      ctx.textAlign = "center";
      ctx.fillStyle = color("--ink");
      ctx.font = (isGroup ? "600 " : "") + "11px ui-monospace, monospace";
      ctx.fillText((isGroup ? "▸ " : "") + box.title, center2(box), box.top + 15);
      ctx.fillStyle = color("--soft");
      ctx.font = "10px ui-monospace, monospace";
      ctx.fillText(box.below, center2(box), box.top + 29);
    }
    ctx.globalAlpha = 1;
  }
  function found(box) {
    for (let i = box.start; i < box.end; i++) if (matches(i)) return true;
    return false;
  }
  function at(x, y) {
    const inside = node => x >= node.left && x <= node.left + node.width && y >= node.top && y <= node.top + node.height;
    return scene && (scene.boxes.find(inside) ||
      scene.frames.findLast(frame => inside(frame) && y < frame.top + BOX.HEAD));
  }
  function click(x, y) {
    const node = at(x, y);
    if (!node) return;
    if (!node.children) return choose(node.op, false);
    const left = node.left * view.k, top = node.top * view.k;
    node.open = !node.open;
    rebuild();
    // What was clicked stays where it was.
    view.x += left - node.left * view.k;
    view.y += top - node.top * view.k;
    view.paint();
  }
  function hover(x, y) {
    const node = at(x, y);
    if (!node) return null;
    if (node.children) return `${node.path || node.name}\n${belowOf(node)}, ${bytes(total(node.start, node.end, OP.BYTES)) || "0 B"} kept\nClick to ${node.open ? "fold" : "open"}.`;
    return describeOp(node.op);
  }
  return {
    show() { rebuild(); },
    redraw() { view.paint(); },
    reveal(i) {
      openAround(i);
      rebuild();
      const box = scene.boxes.find(b => b.start <= i && i < b.end);
      const { width, height } = canvas.getBoundingClientRect();
      view.k = Math.max(view.k, 0.6);
      view.x = width / 2 - center2(box) * view.k;
      view.y = height / 2 - box.top * view.k;
      view.paint();
    },
    foldAll(open) {
      // All at once would be too much to see in a long recording.
      groupsOf(root).forEach(g => g.open = false);
      if (open) openSome(600);
      fitted = false;
      rebuild();
    },
    modeChanged() { fitted = false; },
    fit,
  };
})();
function center2(box) { return box.left + box.width / 2; }
function rounded(ctx, box, radius) {
  ctx.beginPath();
  ctx.roundRect(box.left, box.top, box.width, box.height, radius);
}
function colors() {
  const style = getComputedStyle(document.documentElement), known = {};
  return name => known[name] ??= style.getPropertyValue(name).trim();
}
function describeOp(i) {
  const op = data.ops[i], [file, line, text] = data.locations[op[OP.LOCATION]];
  const spent = op[OP.FORWARD] === null ? "" : `, ${micros(op[OP.FORWARD])} forward, ${micros(op[OP.BACKWARD])} backward`;
  const layer = data.layers[op[OP.LAYER]];
  return `#${i} ${op[OP.NAME]} ${op[OP.SHAPE]}${spent}\n${layer ? layer + "\n" : ""}${file}:${line}  ${text}`;
}
// A canvas that can be moved and zoomed. `x`, `y` and `k` map what is drawn to the canvas.
function panned(canvas, paint, { click, hover, axis = "both" }) {
  const view = { x: 0, y: 0, k: 1, paint: () => requestAnimationFrame(repaint) };
  const tip = byId("tip");
  function repaint() {
    const { width, height } = canvas.getBoundingClientRect();
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const ctx = canvas.getContext("2d");
    ctx.scale(ratio, ratio);
    if (axis === "both") {
      ctx.translate(view.x, view.y);
      ctx.scale(view.k, view.k);
    }
    paint(ctx, width, height);
  }
  const point = event => {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left - view.x) / view.k;
    return axis === "both" ? [x, (event.clientY - box.top - view.y) / view.k] : [x, event.clientY - box.top];
  };
  const zoom = (factor, x, y) => {
    const k = Math.min(axis === "both" ? 4 : 1e5, Math.max(axis === "both" ? 0.02 : 1, view.k * factor));
    view.x = x - (x - view.x) * k / view.k;
    view.y = y - (y - view.y) * k / view.k;
    view.k = k;
    view.limit?.();
    view.paint();
  };
  let drag = null;
  canvas.onpointerdown = event => {
    drag = { x: event.clientX, y: event.clientY, moved: false };
    canvas.setPointerCapture(event.pointerId);
  };
  canvas.onpointermove = event => {
    if (drag) {
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      Object.assign(drag, { x: event.clientX, y: event.clientY, moved: true });
      view.x += dx;
      view.y += dy;
      view.limit?.();
      tip.hidden = true;
      return view.paint();
    }
    const text = hover(...point(event));
    tip.hidden = !text;
    canvas.style.cursor = text ? "pointer" : "grab";
    if (!text) return;
    tip.textContent = text;
    tip.style.left = Math.max(0, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(0, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + "px";
  };
  canvas.onpointerup = event => {
    const moved = drag && drag.moved;
    drag = null;
    if (!moved) click(...point(event));
  };
  canvas.onpointerleave = () => { tip.hidden = true; };
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  canvas.onkeydown = event => {
    const { width, height } = canvas.getBoundingClientRect();
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (event.key === "+" || event.key === "=") zoom(1.25, width / 2, height / 2);
    else if (event.key === "-") zoom(0.8, width / 2, height / 2);
    else if (step) { view.x += step[0]; view.y += step[1]; view.limit?.(); view.paint(); }
    else return;
    event.preventDefault();
  };
  new ResizeObserver(view.paint).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", view.paint);
  return view;
}
