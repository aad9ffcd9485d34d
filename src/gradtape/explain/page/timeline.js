// Memory and time along the step: forward, then backward. Below the memory, what ran: groups above
// what is inside of them.
const timeline = (() => {
  const LEFT = 74, TOP = 26, STRIP = 17, BAND = "forward backward".split(" ");
  const canvas = byId("timeline").firstElementChild;
  const view = panned(canvas, paint, { click, hover, axis: "x" });
  const n = data.ops.length;
  const spans = new Float64Array(2 * n + 1);  // where each op begins: forward, then backward from the last
  const kept = new Float64Array(2 * n + 1);   // bytes that the tape keeps there
  let drawn = [];

  data.ops.forEach((op, i) => {
    spans[i + 1] = spans[i] + (data.timed ? op[OP.FORWARD] || 0 : 1);
    kept[i + 1] = kept[i] + op[OP.BYTES];
  });
  for (let b = 0; b < n; b++) {
    const op = data.ops[n - 1 - b];
    spans[n + b + 1] = spans[n + b] + (data.timed ? op[OP.BACKWARD] || 0 : 1);
    kept[n + b + 1] = kept[n + b] - op[OP.BYTES];
  }
  const whole = spans[2 * n] || 1, peak = Math.max(...kept) || 1;

  view.limit = () => {
    const room = canvas.getBoundingClientRect().width - LEFT - 14;
    view.x = Math.min(0, Math.max(view.x, room * (1 - view.k)));
  };
  // Steps on the way of ops: x of step s, and the step at x.
  function scale(width) {
    const room = width - LEFT - 14;
    return t => LEFT + view.x + t / whole * room * view.k;
  }
  function paint(ctx, width, height) {
    if (!n) return;
    const color = colors(), x = scale(width);
    const chart = Math.max(80, Math.min(280, height * 0.42)), base = TOP + chart;
    drawn = [];
    ctx.save();
    ctx.beginPath();
    ctx.rect(LEFT, 0, width - LEFT - 14, height);
    ctx.clip();
    ctx.beginPath();
    ctx.moveTo(x(0), base);
    let lastX = -1;
    for (let s = 0; s <= 2 * n; s++) {
      const at = x(spans[s]);
      if (s && s < 2 * n && at - lastX < 0.4 && s !== n) continue;  // not seen
      lastX = at;
      const y = base - kept[s] / peak * chart;
      ctx.lineTo(at, y);
    }
    ctx.lineTo(x(spans[2 * n]), base);
    ctx.fillStyle = color("--memory");
    ctx.globalAlpha = 0.35;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = color("--memory");
    ctx.stroke();
    const middle = x(spans[n]);
    ctx.strokeStyle = color("--edge");
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(middle, 4);
    ctx.lineTo(middle, height);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.font = "12px system-ui, sans-serif";
    ctx.fillStyle = color("--soft");
    BAND.forEach((name, k) => {
      const from = k ? middle : x(0), to = k ? x(spans[2 * n]) : middle;
      const seen = [Math.max(from, LEFT), Math.min(to, width - 14)];
      const time = data.timed ? " " + micros(k ? spans[2 * n] - spans[n] : spans[n]) : "";
      ctx.textAlign = "center";
      if (seen[1] - seen[0] > 90) ctx.fillText(name + time, (seen[0] + seen[1]) / 2, 16);
    });
    for (const child of root.children) strip(ctx, child, 0, x, base + 14, color, width, height);
    ctx.restore();
    ctx.fillStyle = color("--soft");
    ctx.font = "11px system-ui, sans-serif";
    ctx.textAlign = "right";
    ctx.fillText(bytes(peak) || "0 B", LEFT - 8, TOP + 8);
    ctx.fillText("kept", LEFT - 8, TOP + 24);
    ctx.fillText("0 B", LEFT - 8, base);
    ctx.fillText("ops", LEFT - 8, base + 28);
  }
  function strip(ctx, node, level, x, top, color, width, height) {
    const y = top + level * (STRIP + 2);
    if (y > height) return;
    const parts = [[spans[node.start], spans[node.end]], [spans[2 * n - node.end], spans[2 * n - node.start]]];
    const skip = node.isChunk;  // a chunk is no layer: what is inside is drawn in its place
    let seen = false;
    parts.forEach(([from, to], k) => {
      const left = x(from), right = x(to);
      if (right - left < 0.3 || right < LEFT || left > width) return;
      seen = true;
      if (skip) return;
      ctx.fillStyle = node.children ? (k ? color("--bar") : color("--accent")) : color("--edge");
      ctx.globalAlpha = node.children ? Math.max(0.35, 0.85 - 0.14 * level) : node.op === chosen ? 1 : 0.6;
      if (!node.children && node.op === chosen) ctx.fillStyle = color("--mark");
      ctx.fillRect(left, y, Math.max(0.6, right - left - (right - left > 3 ? 1 : 0)), STRIP);
      ctx.globalAlpha = 1;
      drawn.push({ node, left, right, y });
      const from_ = Math.max(left, LEFT), to_ = Math.min(right, width - 14);
      const name = node.children ? node.name : data.ops[node.op][OP.NAME];
      if (to_ - from_ > 26) {
        ctx.fillStyle = node.children && !k && level < 2 ? color("--ground") : color("--ink");
        ctx.font = "11px ui-monospace, monospace";
        ctx.textAlign = "left";
        const letters = Math.floor((to_ - from_ - 8) / 6.7);
        if (letters > 1) ctx.fillText(name.length > letters ? name.slice(0, letters - 1) + "…" : name, from_ + 4, y + 12.5);
      }
    });
    if (seen && node.children) for (const child of node.children) strip(ctx, child, level + (skip ? 0 : 1), x, top, color, width, height);
  }
  const onCanvas = x => x * view.k + view.x;
  function at(x, y) {
    const px = onCanvas(x);
    return drawn.find(d => px >= d.left && px <= d.right && y >= d.y && y <= d.y + STRIP);
  }
  function click(x, y) {
    const hit = at(x, y);
    if (hit && !hit.node.children) choose(hit.node.op, false);
  }
  function hover(x, y) {
    const hit = at(x, y);
    if (hit) {
      const node = hit.node;
      if (!node.children) return describeOp(node.op);
      return `${node.path}\n${count(node.end - node.start, "op")}` + (data.timed
        ? `\n${micros(total(node.start, node.end, OP.FORWARD))} forward, ${micros(total(node.start, node.end, OP.BACKWARD))} backward` : "") +
        `\n${bytes(total(node.start, node.end, OP.BYTES)) || "0 B"} kept`;
    }
    return null;
  }
  return { show: view.paint, redraw: view.paint, reveal: view.paint, foldAll() {}, modeChanged() {} };
})();
