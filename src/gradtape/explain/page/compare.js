// Two recordings beside each other, by layer (or function) and op.
const compare = (() => {
  const place = byId("compare");
  const COLUMNS = [["ops", null], ["kept", OP.BYTES], ["forward", OP.FORWARD], ["backward", OP.BACKWARD]];

  function sums(recording) {
    const found = new Map();
    for (const op of recording.ops) {
      const location = recording.locations[op[OP.LOCATION]];
      const group = mode === "layer" ? recording.layers[op[OP.LAYER]] || "(no layer)" : location[3];
      for (const key of ["", group]) {
        const sum = found.get(key) || [0, 0, 0, 0];
        COLUMNS.forEach(([, column], c) => sum[c] += column === null ? 1 : op[column] || 0);
        found.set(key, sum);
      }
    }
    return found;
  }
  const written = (value, c) => c === 0 ? String(value) : c === 1 ? bytes(value) || "0 B" : micros(value);
  function difference(before, now, c) {
    const change = now - before;
    const made = element("td", "", "");
    const share = before ? Math.abs(change) / before : change ? 1 : 0;
    if (share > (c < 2 ? 0 : 0.1)) {  // times vary by themselves
      made.className = change > 0 ? "more" : "less";
      const text = written(Math.abs(change), c);
      made.textContent = (change > 0 ? "+" : "−") + text + (before ? ` (${(100 * share).toFixed(0)} %)` : "");
    }
    return made;
  }
  function line(name, before, now) {
    const made = element("tr", name ? "" : "total");
    made.append(element("td", "", name || "all"));
    COLUMNS.forEach((_, c) => {
      const texts = [before, now].map(sum => sum ? written(sum[c], c) : "–");
      made.append(element("td", "", texts[0] === texts[1] ? texts[0] : texts.join(" → ")),
        difference(before ? before[c] : 0, now ? now[c] : 0, c));
    });
    return made;
  }
  function show() {
    const ask = element("p", "", earlier
      ? `Before: ${earlier.title || "an earlier page"}. Now: ${data.title || "this page"}. Another page: `
      : "Choose a page that was written before, to compare this one with: ");
    const file = element("input");
    file.type = "file";
    file.accept = ".html";
    file.onchange = () => file.files[0]?.text().then(read);
    ask.append(file);
    place.replaceChildren(ask);
    if (!earlier) return;
    const before = sums(earlier), now = sums(data);
    const weight = key => Math.max(...[before, now].map(s => s.get(key) ? s.get(key)[2] + s.get(key)[3] + s.get(key)[1] / 1e6 : 0));
    const keys = [...new Set([...before.keys(), ...now.keys()])].sort((a, b) => (b === "") - (a === "") || weight(b) - weight(a));
    const made = element("table"), head = element("tr");
    head.append(element("th", "", mode));
    for (const [name] of COLUMNS) head.append(element("th", "", name), element("th", "", "change"));
    made.append(head, ...keys.slice(0, 500).map(key => line(key, before.get(key), now.get(key))));
    place.append(made);
  }
  function read(text) {
    try {
      const parsed = new DOMParser().parseFromString(text, "text/html");
      const found = JSON.parse(parsed.getElementById("data").textContent);
      if (!found.ops || !found.layers) throw new Error("no ops");
      earlier = found;
      show();
    } catch {
      show();
      place.append(element("p", "more", "That file is no page of a tape. Choose one that tape.to_html or gradtape view wrote."));
    }
  }
  return { show, redraw() {}, reveal() {}, foldAll() {}, modeChanged: () => {} };
})();
