// Starts the page: what the trace is, where the reader is (in the address), and the keys.
"use strict";

(() => {
  const {byId, count, make} = page;
  let frame = null;
  let place = -1;
  let words = "";
  let searched = 0;
  inspect.marked = null;  // a token: {event, offset}

  const kKeys = [
    {key: "j", text: "next item (in the list: arrow keys)", act: () => step(1)},
    {key: "k", text: "item before", act: () => step(-1)},
    {key: "ArrowDown", label: "↓", text: "next item", act: () => step(1)},
    {key: "ArrowUp", label: "↑", text: "item before", act: () => step(-1)},
    {key: "e", text: "next item with findings", act: () => step(1, hasFindings)},
    {key: "E", text: "item with findings before", act: () => step(-1, hasFindings)},
    {key: "]", text: "next frame", act: () => stepFrame(1)},
    {key: "[", text: "frame before", act: () => stepFrame(-1)},
    {key: " ", label: "space", text: "play the items as a film, or stop", act: () => inspect.film.toggle()},
    ...inspect.picture.kViews.map(({name, key, label}) => ({key, text: label.toLowerCase(), act: () => inspect.picture.choose(name)})),
    {key: "w", text: "wireframe, on and off", act: () => byId("wire").click()},
    {key: "b", text: "frame around the change, on and off", act: () => byId("box").click()},
    {key: "t", text: "show the target of each item, on and off", act: () => byId("follow").click()},
    {key: "+", text: "zoom in", act: () => page.panes.zoomBy(1)},
    {key: "-", text: "zoom out", act: () => page.panes.zoomBy(-1)},
    {key: "0", text: "fit into the page", act: () => page.panes.zoomTo(0)},
    {key: "f", text: "only what changed the selected pixels, on and off", act: () => byId("only-selection").click()},
    {key: "Escape", label: "Esc", text: "select no pixel", act: () => select(null)},
    {key: "n", text: "next pane of the item", act: () => stepPane(1)},
    {key: "p", text: "pane before", act: () => stepPane(-1)},
    {key: "/", text: "find", act: () => byId("find").focus()},
  ];

  // What the address says: f frame, i item (or d draw), t target, v view, p pane, x and y (and w, h) the selection, q the search, b the bars of the live page.
  function where(more = {}) {
    const {view, target} = inspect.picture.state();
    const chosen = inspect.selection.current();
    const at = {f: frame?.number, i: place, t: byId("follow").checked ? undefined : target, v: view, p: inspect.detail.pane(), q: words || undefined, b: inspect.live?.bars()};
    if (chosen) {
      const [left, top, right, bottom] = chosen.rect;
      Object.assign(at, {x: left, y: top, w: right - left > 1 ? right - left : undefined, h: bottom - top > 1 ? bottom - top : undefined});
    }
    return {...at, ...more};
  }

  inspect.addressOf = (more) => `#${new URLSearchParams(Object.entries(where(more)).filter(([, value]) => value !== undefined && value !== null))}`;

  function remember() {
    if (frame) history.replaceState(null, "", inspect.addressOf());
  }

  // Shows the item; all panes follow. A token of it is marked where one is given.
  inspect.go = async (next, token = null) => {
    inspect.marked = token;
    if (token) inspect.detail.choose("tokens");
    place = Math.min(Math.max(next, 0), frame.items.length - 1);
    inspect.timeline.mark(place);
    inspect.film.show(place, frame.items.length);
    remember();
    await Promise.all([inspect.picture.show(frame, place), inspect.detail.show(frame, place)]);
  };

  const hasFindings = ({findings}) => findings !== undefined;

  async function step(by, test = undefined) {
    const next = inspect.timeline.step(by, test);
    if (next === null) return false;
    await inspect.go(next);
    return true;
  }

  function stepPane(by) {
    const {kPanes, pane, choose} = inspect.detail;
    const at = kPanes.findIndex(({name}) => name === pane());
    choose(kPanes[(at + by + kPanes.length) % kPanes.length].name);
  }

  // The filter of the list: the search, and the selection where it counts.
  async function find() {
    const mine = ++searched;
    let found = await inspect.search.find(frame, words);
    const chosen = inspect.selection.current();
    if (byId("only-selection").checked && chosen) {
      const touching = new Set(await frame.touching(chosen.target, chosen.rect));
      found = (found ?? frame.items.map((_, i) => i)).filter((one) => touching.has(one));
    }
    if (mine !== searched) return;
    inspect.timeline.show(frame, found);
    inspect.timeline.mark(place);
    byId("timeline").dataset.found = words;
  }

  inspect.findItems = (text) => {
    byId("find").value = words = text;
    remember();
    return find();
  };

  async function select(rect) {
    const {target} = inspect.picture.state();
    await inspect.selection.show(frame, rect && target !== null ? {target, rect} : null);
    remember();
    if (byId("only-selection").checked) await find();
  }

  // Where a frame is opened: what it presents is whole, and the item says something. Without pictures, where something was found.
  function opening() {
    if (inspect.run.findings_only) return Math.max(0, frame.items.findIndex(hasFindings));
    const isShown = ({target}) => target !== undefined && (frame.targets[target]?.shown || !frame.targets.some(({shown}) => shown));
    const place = frame.items.findLastIndex((item) => item.kind === "draw" && isShown(item));
    return place < 0 ? frame.items.length - 1 : place;
  }

  async function openFrame(number) {
    inspect.film.stop();
    const opened = new inspect.Frame(number, await page.data(`frames/${number}`));
    if (inspect.live) showLimits((await page.data(`limits/${number}`)).limits);
    frame = opened;
    byId("frame").value = number;
    inspect.live?.mark(number);
    const places = inspect.run.frames.map((one) => one.frame);
    byId("frame-before").disabled = places[0] === number;
    byId("frame-next").disabled = places.at(-1) === number;
    await inspect.selection.show(frame, null);
    place = -1;
    await find();
  }

  // Opens a frame, and in it the item whose tokens hold what lies at an offset of an event.
  inspect.openPlace = async (number, event, offset) => {
    if (frame?.number !== number) await openFrame(number);
    const item = event === undefined ? -1 : frame.itemAt(event, offset ?? 0);
    await inspect.go(item < 0 ? opening() : item);
  };

  async function stepFrame(by) {
    const places = inspect.run.frames.map((one) => one.frame);
    const next = places[places.indexOf(frame?.number) + by];
    if (next === undefined) return;
    await openFrame(next);
    await inspect.go(opening());
  }

  let addressed = 0;  // of several addresses the last one holds

  // Goes where the address says, as far as there is such a place.
  async function goToAddress() {
    const mine = ++addressed;
    const at = new URLSearchParams(location.hash.slice(1));
    await inspect.live?.reach(Number(at.get("f")));
    if (mine !== addressed) return;
    const number = (name) => (/^\d+$/.test(at.get(name) ?? "") ? Number(at.get(name)) : undefined);
    const {frames} = inspect.run;
    const wanted = frames.find((one) => one.frame === number("f"))?.frame ?? frames[0].frame;
    byId("find").value = words = at.get("q") ?? "";
    inspect.picture.setView(at.get("v"));
    inspect.live?.setBars(at.get("b"));
    inspect.detail.choose(at.get("p"));
    const [x, y, w, h] = ["x", "y", "w", "h"].map(number);
    if (frame?.number !== wanted) await openFrame(wanted);
    else await find();
    const draw = number("d") === undefined ? -1 : frame.items.findIndex((item) => item.draw === number("d"));
    inspect.picture.show(frame, -1);
    byId("follow").checked = true;
    if (number("t") !== undefined && frame.targets[number("t")]) inspect.picture.setTarget(number("t"));
    await inspect.go(draw >= 0 ? draw : number("i") ?? opening());
    const target = inspect.picture.target();
    const isInside = x !== undefined && y !== undefined && target && x < target.width && y < target.height;
    await select(isInside ? [x, y, Math.min(target.width, x + (w ?? 1)), Math.min(target.height, y + (h ?? 1))] : null);
  }

  function describeRun() {
    const {run} = inspect;
    if (run.findings_only) {
      document.body.classList.add("findings-only");
      inspect.detail.choose("findings");
    }
    byId("trace-name").textContent = run.trace ?? "Inspect";
    document.title = `${run.trace ?? "trace"}: dp2trace inspect`;
    byId("run").textContent = [run.tool, inspect.live ? "" : count(run.frames.length, "frame"), run.findings_only ? "findings only; use dp2trace inspect for pictures" : ""].filter(Boolean).join(", ");
    showLimits(run.limits);
    byId("frame").replaceChildren();
    inspect.addFrames(run.frames);
    byId("find-terms").replaceChildren(...inspect.search.kTerms.flatMap(([term, text]) => [make("dt", term), make("dd", text)]));
  }

  function showLimits(limits = []) {
    byId("limits").hidden = limits.length === 0;
    byId("limits").querySelector("summary").textContent = limits.length === 1 ? "Something was left out" : `${limits.length} things were left out`;
    byId("limits").querySelector("ul").replaceChildren(...limits.map((text) => make("li", text)));
  }

  // Frames that can be chosen, after those that are there.
  inspect.addFrames = (frames) => byId("frame").append(...frames.map((one) => {
    const {error = 0, warning = 0, advice = 0} = one.findings ?? {};
    const findings = error + warning + advice;
    const words = [`frame ${one.frame}`, one.unfinished ? "unfinished" : "", count(one.draws ?? 0, "draw"), findings ? count(findings, "finding") : ""];
    return make("option", words.filter(Boolean).join(", "), {value: one.frame});
  }));

  function warn(error) {
    byId("warning").hidden = false;
    byId("warning").textContent = String(error.message ?? error);
  }

  function startControls() {
    inspect.timeline.start((item) => inspect.go(item));
    inspect.film.start((by) => step(by), (item) => inspect.go(item));
    inspect.detail.start(remember);
    inspect.compare.start();
    inspect.picture.start({
      pixel: ({x, y}) => select([x, y, x + 1, y + 1]),
      rectangle: select,
      changed: remember,
    });
    byId("find").addEventListener("input", () => inspect.findItems(byId("find").value));
    byId("only-selection").addEventListener("change", find);
    byId("frame").addEventListener("change", async () => {
      await openFrame(Number(byId("frame").value));
      await inspect.go(opening());
    });
    byId("frame-before").addEventListener("click", () => stepFrame(-1));
    byId("frame-next").addEventListener("click", () => stepFrame(1));
    page.startKeys(kKeys);
    addEventListener("hashchange", () => goToAddress().catch(warn));
    addEventListener("unhandledrejection", (event) => warn(event.reason));
  }

  // Shows a run from where the address says.
  let isStarted = false;
  inspect.openRun = async (run) => {
    inspect.run = run;
    frame = null;
    describeRun();
    const isEmpty = run.frames.length === 0;
    byId("middle").hidden = isEmpty;
    byId("nothing").hidden = !isEmpty;
    byId("nothing").textContent = "There is no frame: the trace has none of those that were chosen.";
    if (isEmpty) return;
    if (!isStarted) startControls();
    isStarted = true;
    await goToAddress();
  };

  async function start() {
    await (inspect.live ? inspect.live.start() : inspect.openRun(await page.data("run")));
    document.documentElement.dataset.ready = "true";
  }

  inspect.frame = () => frame;
  inspect.remember = remember;
  inspect.warn = warn;
  start().catch(warn);
})();
