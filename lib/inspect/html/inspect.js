// Starts the page: what the trace is, where the reader is (in the address), and the keys.
"use strict";

(() => {
  const {byId, count, make} = page;
  const kShortestStay = 300;  // milliseconds
  const kNoFrame = new inspect.Frame(0, {});
  let frame = kNoFrame;
  let heading = null;    // the frame that steps are on their way to
  let place = -1;
  let addressed = 0;     // addresses so far; of several the last one holds
  let arrived = 0;       // at which of them the page is
  let kept = {};         // what the entry in the browser's history is of: {frame, place, since}
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

  // What the address says: f frame, i item (or d draw), t target, v view, p pane (or X,Y: a pixel), x and y (and w, h) the selection, q the search, b the bars of the live page.
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

  // A frame has an entry of its own in the browser's history, an item where the reader stays with it. What the address asks for is where one is already.
  function remember() {
    if (frame === kNoFrame || arrived !== addressed) return;
    const now = performance.now();
    const isNew = kept.frame !== frame.number || (kept.place !== place && now - kept.since > kShortestStay);
    if (isNew) kept = {frame: frame.number, place, since: now};
    history[isNew ? "pushState" : "replaceState"](null, "", inspect.addressOf());
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

  // Whether there are frames before and after the one that is shown.
  function markEnds() {
    const {frames} = inspect.run;
    byId("frame-before").disabled = frame === kNoFrame || frames[0].frame === frame.number;
    byId("frame-next").disabled = frame === kNoFrame || frames.at(-1).frame === frame.number;
  }

  async function openFrame(number) {
    inspect.film.stop();
    const opened = new inspect.Frame(number, await page.data(`frames/${number}`));
    if (inspect.live) showLimits((await page.data(`limits/${number}`)).limits);
    frame = opened;
    byId("frame").value = number;
    inspect.live?.mark(number);
    markEnds();
    await inspect.selection.show(frame, null);
    place = -1;
    await find();
  }

  // Opens a frame, and in it the item whose tokens hold what lies at an offset of an event; a token of it is marked where one is given.
  inspect.openPlace = async (number, event, offset, token = null) => {
    if (frame.number !== number) await openFrame(number);
    const item = event === undefined ? -1 : frame.itemAt(event, offset ?? 0);
    await inspect.go(item < 0 ? opening() : item, item < 0 ? null : token);
  };

  // Steps that come while a frame is opened change where the way ends: what lies between is not opened.
  async function stepFrame(by) {
    const places = inspect.run.frames.map((one) => one.frame);
    const next = places[places.indexOf(heading ?? frame.number) + by];
    if (next === undefined) return;
    const isOnTheWay = heading !== null;
    heading = next;
    if (isOnTheWay) return;
    try {
      for (let reached = null; reached !== heading;) {
        reached = heading;
        await openFrame(reached);
        if (reached === heading) await inspect.go(opening());
      }
    } finally {
      heading = null;
    }
  }

  // The frame that has a draw; undefined: none has. Numbers of draws are those of the whole trace.
  async function frameOfDraw(draw) {
    const {frames} = inspect.run;
    for (let i = 0, last = 0; await inspect.live?.reach(i + 1), i < frames.length; ++i) {
      last += frames[i].draws;
      const isThere = inspect.live ? last >= draw : (await page.data(`frames/${frames[i].frame}`)).items?.some((item) => item.draw === draw);
      if (isThere) return frames[i].frame;
    }
    return undefined;
  }

  // Numbers of an address by their names. A pixel may be p=X,Y as well.
  function numbersOf(at) {
    const pixel = /^(\d+),(\d+)$/.exec(at.get("p") ?? "");
    const texts = {...Object.fromEntries(at), ...(pixel && {x: pixel[1], y: pixel[2]})};
    return Object.fromEntries(["f", "i", "d", "t", "x", "y", "w", "h"].filter((name) => /^\d+$/.test(texts[name] ?? "")).map((name) => [name, Number(texts[name])]));
  }

  // Goes where the address says, as far as there is such a place; what is not there is said.
  async function goToAddress() {
    const mine = ++addressed;
    try {
      const absent = await follow(mine);
      if (mine !== addressed) return;
      if (absent.length > 0) warn(new Error(`The address names what is not there: ${absent.join("; ")}.`));
    } finally {
      if (mine === addressed) arrived = mine;
    }
    kept = {frame: frame.number, place, since: performance.now()};
    remember();
  }

  // Returns what is not there. Ends early where another address overtakes this one.
  async function follow(mine) {
    const at = new URLSearchParams(location.hash.slice(1));
    const {f, i, d, t, x, y, w = 1, h = 1} = numbersOf(at);
    const {frames} = inspect.run;
    const absent = [];
    byId("warning").hidden = true;
    await inspect.live?.reach(f ?? 1);
    const named = f ?? (d === undefined ? undefined : await frameOfDraw(d)) ?? frames[0].frame;
    if (mine !== addressed) return absent;
    const wanted = (frames.findLast((one) => one.frame <= named) ?? frames[0]).frame;
    if (wanted !== named) absent.push(`frame ${named}; frame ${wanted} is shown`);
    byId("find").value = words = at.get("q") ?? "";
    inspect.picture.setView(at.get("v"));
    inspect.live?.setBars(at.get("b"));
    inspect.detail.choose(at.get("p"));
    if (frame.number !== wanted) await openFrame(wanted);
    else await find();
    if (mine !== addressed) return absent;
    const draw = d === undefined ? -1 : frame.items.findIndex((item) => item.draw === d);
    if (d !== undefined && draw < 0) absent.push(f === undefined ? `draw ${d}` : `draw ${d} in frame ${wanted}`);
    inspect.picture.show(frame, -1);
    byId("follow").checked = true;
    if (t !== undefined && frame.targets[t]) inspect.picture.setTarget(t);
    else if (t !== undefined) absent.push(`target ${t} in frame ${wanted}`);
    await inspect.go(draw >= 0 ? draw : i ?? opening());
    if (mine !== addressed) return absent;
    const target = inspect.picture.target();
    const isInside = x !== undefined && y !== undefined && target && x < target.width && y < target.height;
    if (x !== undefined && !isInside) absent.push(`pixel ${x},${y}${target ? `: the picture has ${target.width} × ${target.height} pixels` : ""}`);
    await select(isInside ? [x, y, Math.min(target.width, x + w), Math.min(target.height, y + h)] : null);
    return absent;
  }

  function describeRun() {
    const {run} = inspect;
    if (run.findings_only) {
      document.body.classList.add("findings-only");
      inspect.detail.choose("findings");
    }
    byId("trace-name").textContent = run.trace ?? "Inspect";
    document.title = `${run.trace ?? "trace"}: dp2trace ${inspect.live?.verb ?? "inspect"}`;
    byId("run").textContent = [run.tool, inspect.live ? run.part : count(run.frames.length, "frame"), run.findings_only ? "findings only; use dp2trace inspect for pictures" : ""].filter(Boolean).join(", ");
    showLimits(run.limits);
    inspect.listFrames();
    byId("find-terms").replaceChildren(...inspect.search.kTerms.flatMap(([term, text]) => [make("dt", term), make("dd", text)]));
  }

  function showLimits(limits = []) {
    byId("limits").hidden = limits.length === 0;
    byId("limits").querySelector("summary").textContent = limits.length === 1 ? "Something was left out" : `${limits.length} things were left out`;
    byId("limits").querySelector("ul").replaceChildren(...limits.map((text) => make("li", text)));
  }

  // All frames that can be chosen.
  inspect.listFrames = () => {
    byId("frame").replaceChildren();
    inspect.addFrames(inspect.run.frames);
    if (frame !== kNoFrame) byId("frame").value = frame.number;
  };

  // Frames that can be chosen, after those that are there.
  inspect.addFrames = (frames) => {
    byId("frame").append(...frames.map(optionOf));
    markEnds();
  };

  function optionOf(one) {
    const {error = 0, warning = 0, advice = 0} = one.findings ?? {};
    const findings = error + warning + advice;
    const words = [`frame ${one.frame}`, one.unfinished ? "unfinished" : "", count(one.draws ?? 0, "draw"), findings ? count(findings, "finding") : ""];
    return make("option", words.filter(Boolean).join(", "), {value: one.frame});
  }

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
    frame = kNoFrame;
    if (!isStarted) startControls();
    isStarted = true;
    byId("history").open = Boolean(inspect.live);
    describeRun();
    const isEmpty = run.frames.length === 0;
    byId("middle").hidden = isEmpty;
    byId("nothing").hidden = !isEmpty;
    await (isEmpty ? showNothing() : goToAddress());
  };

  // Of a trace without frames, nothing of another one stays.
  async function showNothing() {
    inspect.film.stop();
    byId("find").value = words = "";
    await inspect.selection.show(frame, null);
    await find();
    await inspect.go(-1);
    byId("nothing").textContent = inspect.live ? "The trace has no frame: nothing in it is shown or drawn. What was found in it is in the findings of the trace."
      : "There is no frame: the trace has none of those that were chosen.";
  }

  async function start() {
    await (inspect.live ? inspect.live.start() : inspect.openRun(await page.data("run")));
    document.documentElement.dataset.ready = "true";
  }

  inspect.stepFrame = stepFrame;
  inspect.frame = () => (frame === kNoFrame ? null : frame);
  inspect.remember = remember;
  inspect.warn = warn;
  start().catch(warn);
})();
