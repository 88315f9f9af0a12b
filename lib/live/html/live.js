// The live page: a trace is dropped on it, or comes with it; every frame can be chosen, and what is asked for is made then.
"use strict";

(() => {
  const {byId, count, make} = page;
  const kCell = 104;        // pixels of a frame in the strip
  const kMostBar = 14;      // pixels of a frame in the plot
  const kSlow = 200;        // milliseconds after which the page says that it works
  const kPause = 20;        // milliseconds
  // What the bars of the plot may show of a frame.
  const kBars = [
    {name: "draws", text: "draws", of: ({draws}) => draws},
    {name: "primitives", text: "primitives", of: ({primitives}) => primitives},
    {name: "states", text: "state changes", of: (frame) => frame.states_set - frame.states_redundant},
    {name: "pixels", text: "pixels drawn", of: ({pixels}) => pixels},
    {name: "cost", text: "cost", of: ({steps}) => steps},
  ];
  const kCancels = ["cancel", "welcome-cancel"];
  // What must wait until the changed trace is shown: it is of the trace before.
  const kOfTrace = ["#plot", "#show-findings", "#open-other", "#strip", "#everywhere", "#changes", "#beside", "#trace-findings", "main"];
  let run = null;
  let opened = 0;           // traces so far: answers about an earlier one come too late
  let tries = 0;            // files that were to be opened so far
  let current = 0;          // frame
  let bars = kBars[0];
  let findings = null;
  let working = 0;
  let isReading = false;    // not all frames are known yet
  let fresh = 0;            // frames of the strip that are of the trace as it is; those after them are of the one before a change
  let waiting = [];         // {frame, go}: for a frame that is not known yet, and what to call once it is

  // How far it is, as long as it is shown that something takes its time.
  async function sayWork() {
    const {done, size} = await live.engine.progress?.() ?? {};
    if (working === 0) return;
    byId("work").textContent = size ? `working: ${Math.min(100, Math.round(100 * done / size))} %` : "working …";
    setTimeout(() => working && sayWork().catch(() => {}), kSlow);
  }

  // Says that something takes its time, and what.
  async function withProgress(promise) {
    const timer = setTimeout(() => {
      for (const id of kCancels) byId(id).hidden = false;
      document.body.classList.add("working");
      sayWork().catch(() => {});
    }, kSlow);
    ++working;
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      if (--working === 0) {
        for (const id of kCancels) byId(id).hidden = true;
        byId("work").textContent = "";
        document.body.classList.remove("working");
      }
    }
  }

  // A warning is about what was asked before: what is answered takes its place.
  page.source = async (name) => {
    const isOld = !byId("warning").hidden;
    const value = await withProgress(live.engine.ask(name));
    if (isOld) byId("warning").hidden = true;
    return value;
  };

  // What is asked for all the time waits until nobody waits for anything else. Cancel is not meant for it: it is asked for again.
  async function askAside(mine, name) {
    for (;;) {
      while (working > 0) await new Promise((go) => setTimeout(go, kPause));
      if (mine !== opened) return null;
      try {
        return await live.engine.ask(name);
      } catch (error) {
        if (!live.isCancelled(error)) throw error;
      }
    }
  }

  const findingsOf = ({findings: {error = 0, warning = 0, advice = 0} = {}}) => ({error, warning, advice});

  const wordsOfFrame = (frame) => [`Frame ${frame.frame}`, ...kBars.map(({text, of}) => `${of(frame).toLocaleString("en")} ${text}`)].join(", ");

  function setBars(name) {
    bars = kBars.find((one) => one.name === name) ?? kBars[0];
    byId("plot-of").value = bars.name;
    drawSoon();
  }

  // The frame whose bar is there; undefined: none.
  const frameAt = (x) => run?.frames[Math.floor(x / Math.min(kMostBar, byId("plot").clientWidth / run.frames.length))];

  // Bars, and marks of findings, over the width that there is.
  function plot() {
    const canvas = byId("plot");
    const {frames} = run;
    canvas.width = Math.max(1, canvas.clientWidth);
    const context = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name);
    const most = frames.reduce((sum, frame) => Math.max(sum, bars.of(frame)), 1);
    const width = Math.min(kMostBar, canvas.width / frames.length);
    frames.forEach((frame, i) => {
      const {error, warning} = findingsOf(frame);
      const height = Math.max(1, 28 * bars.of(frame) / most);
      context.fillStyle = color(frame.frame === current ? "--text" : "--accent");
      context.fillRect(i * width, 36 - height, Math.max(1, width - (width > 3 ? 1 : 0)), height);
      if (error + warning === 0) return;
      context.fillStyle = color(error ? "--error" : "--warning");
      context.fillRect(i * width, 0, Math.max(2, width - 1), 5);
    });
  }

  function paintFilm(canvas, {width, height, data}) {
    canvas.width = width;
    canvas.height = height;
    const pixels = Uint8ClampedArray.from(atob(data), (character) => character.charCodeAt(0));
    for (let i = 3; i < pixels.length; i += 4) pixels[i] = 255;  // as it is shown
    canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
  }

  function cellOf(frame, place) {
    const cell = make("button", "", {type: "button", tabindex: -1, "aria-label": wordsOfFrame(frame)});
    cell.style.left = `${place * kCell}px`;
    if (frame.frame === current) cell.setAttribute("aria-current", "true");
    cell.classList.toggle("stale", place >= fresh);
    if (frame.film) {
      const canvas = document.createElement("canvas");
      paintFilm(canvas, frame.film);
      cell.append(canvas);
    } else {
      cell.append(make("span", "–"));
    }
    const {error, warning, advice} = findingsOf(frame);
    if (error + warning + advice) cell.append(make("span", String(error + warning + advice), {class: `badge ${error ? "error" : warning ? "warning" : "advice"}`}));
    cell.append(make("small", `${frame.frame} · ${count(frame.draws, "draw")}`));
    cell.addEventListener("click", () => {
      byId("strip").focus({preventScroll: true});  // the cell is made anew
      inspect.openPlace(frame.frame).catch(inspect.warn);
    });
    return cell;
  }

  // The cells that can be seen, and no others.
  function drawStrip() {
    const strip = byId("strip");
    const space = strip.querySelector(".space");
    space.style.width = `${run.frames.length * kCell}px`;
    const first = Math.max(0, Math.floor(strip.scrollLeft / kCell) - 2);
    const last = Math.min(run.frames.length, first + Math.ceil(strip.clientWidth / kCell) + 4);
    space.replaceChildren(...run.frames.slice(first, last).map((frame, i) => cellOf(frame, first + i)));
  }

  let isScheduled = false;
  function drawSoon() {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      if (!run) return;
      plot();
      drawStrip();
    });
  }

  function say(text) {
    byId("progress").textContent = text;
  }

  function describe({complete, done, size, failure}) {
    const frames = count(run.frames.length, "frame");
    if (complete) say(failure ? `${frames}; then: ${failure}` : frames);
    else say(fresh < run.frames.length ? `${frames}; the strip is renewed` : `${frames} so far${size ? `, ${Math.round(100 * done / size)} %` : ""}`);
  }

  // Frames that the engine says after those that are fresh.
  function take({frames, complete, reads = 0}) {
    const before = run.frames.length;
    run.frames.splice(fresh, frames.length, ...frames);
    fresh += frames.length;
    run.reads = reads;
    if (complete) run.frames.length = fresh;
    return run.frames.slice(before);
  }

  // All frames, one after the other, while the reader looks at the first.
  async function readOverview(mine) {
    const isRenewed = run.frames.length > fresh;
    for (let isComplete = false; !isComplete;) {
      const part = await askAside(mine, `overview/${fresh}`);
      if (mine !== opened) return;
      inspect.addFrames(take(part));
      describe(part);
      drawSoon();
      wake();
      isComplete = part.complete;
    }
    if (isRenewed) inspect.listFrames();
    endReading(mine);
    await readFindings(mine);
  }

  function wake() {
    const isReady = ({frame}) => !isReading || run.frames.length >= frame;
    for (const {go} of waiting.filter(isReady)) go();
    waiting = waiting.filter((one) => !isReady(one));
  }

  function endReading(mine) {
    if (mine !== opened) return;
    isReading = false;
    wake();
  }

  async function readFindings(mine) {
    const answer = await askAside(mine, "findings");
    if (mine !== opened) return;
    findings = answer;
    const sum = answer.error + answer.warning + answer.advice;
    byId("show-findings").textContent = sum ? `Findings of the trace (${sum.toLocaleString("en")})` : "No findings";
    byId("show-findings").disabled = sum === 0;
    listFindings();
    if (sum !== 0 && run.frames.length === 0) openFindings(true);
    document.documentElement.dataset.findings = sum;
  }

  const wordsOf = ({rule, message, marker = "", path = "", severity}) => [rule, message, marker, path, severity].join(" ").toLowerCase();

  function placeOf({frame, draw, event, offset}) {
    const words = [frame === undefined ? "" : `frame ${frame}`, draw === undefined ? "" : `draw ${draw}`].filter(Boolean).join(", ") || (event === undefined ? "the file" : `event ${event}`);
    if (!run.frames.some((one) => one.frame === frame)) return words;
    const link = make("button", words, {type: "button"});
    link.addEventListener("click", async () => {
      inspect.detail.choose("findings");
      await inspect.openPlace(frame, event, offset).catch(inspect.warn);
    });
    return link;
  }

  function openFindings(isOpen) {
    byId("trace-findings").hidden = !isOpen;
    byId("show-findings").setAttribute("aria-expanded", isOpen);
  }

  function listFindings() {
    const words = byId("finding-words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const list = findings.findings.filter((one) => words.every((word) => wordsOf(one).includes(word)));
    byId("finding-count").textContent = [words.length ? `${list.length.toLocaleString("en")} of ${count(findings.findings.length, "finding")}` : "", findings.unlisted ? `${count(findings.unlisted, "finding")} more are not listed` : ""].filter(Boolean).join("; ");
    const cells = (i) => {
      const [badge, message] = inspect.findingCells(list[i]);
      return [badge, placeOf(list[i]), message];
    };
    byId("finding-rows").replaceChildren(inspect.table(["", "Where", "Finding"], list.length, cells, {label: "Findings of the trace"}));
  }

  function showWelcome(isShown) {
    document.body.classList.toggle("welcome", isShown);
    byId("welcome").hidden = !isShown;
    byId("live").hidden = isShown;
    if (!isShown) return;
    byId("trace-name").textContent = "dp2trace";
    byId("run").textContent = "";
  }

  // Findings and the strip are not those of the trace any more.
  function startReading() {
    isReading = true;
    fresh = 0;
    findings = null;
    page.forgetData();
    delete document.documentElement.dataset.findings;
    byId("show-findings").textContent = "Findings …";
    byId("show-findings").disabled = true;
    openFindings(false);
    live.everywhere.forget();
  }

  // Meanwhile the reader reads; what fails then is said.
  function readRest(mine) {
    readOverview(mine).catch(inspect.warn).finally(() => endReading(mine));
  }

  // The frame that the address names, or the first.
  async function showFrame() {
    try {
      await inspect.openRun(run);
    } catch (error) {
      inspect.warn(error);
      if (!inspect.frame()) sayNothing("Choose a frame to show it.");
    }
  }

  // In place of a picture; empty: the picture.
  function sayNothing(text) {
    byId("nothing").textContent = text;
    byId("nothing").hidden = text === "";
    byId("middle").hidden = text !== "";
  }

  // Shows what is open, from its first frame or the one that the address names. `part`: which one of a longer trace it is.
  async function show(mine, notes, part = "") {
    const head = await withProgress(live.engine.ask("overview/0"));
    if (mine !== opened) return;
    run = {tool: head.tool, trace: head.trace, part, frames: [], reads: 0};
    startReading();
    take(head);
    if (head.complete) isReading = false;
    wake();
    showWelcome(false);
    describe(head);
    byId("notes").hidden = notes.length === 0;
    byId("notes").querySelector("ul").replaceChildren(...notes.map((note) => make("li", note)));
    drawSoon();
    const isShown = showFrame();
    readRest(mine);
    await isShown;
  }

  // Shows the trace after a change, from the frame that was there: the strip is renewed afterwards.
  async function showChanged(mine) {
    const isWhole = !isReading;
    startReading();
    isReading = !isWhole;
    drawSoon();
    await showFrame();
    if (mine !== opened) return;
    readRest(mine);
    live.beside.refresh();
  }

  // Says why a file was not opened; what was open stays. Messages may name the file.
  function refuse(name, {message}) {
    const text = message.includes(name) ? message : `${name}: ${message}`;
    if (run) {
      inspect.warn(new Error(text));
      return;
    }
    showWelcome(true);
    byId("welcome-failure").textContent = text;
    byId("welcome-failure").hidden = false;
  }

  // `read` gives the bytes.
  async function open(name, read, {address = "#", part} = {}) {
    const mine = ++tries;
    const about = byId(run ? "progress" : "welcome-progress");
    const before = about.textContent;
    byId("warning").hidden = byId("welcome-failure").hidden = true;
    about.textContent = `Reading ${name} …`;
    let isOpen = false;
    try {
      const bytes = await read();
      const {notes} = await withProgress(live.engine.open(name, bytes));
      if (mine !== tries) return;
      isOpen = true;
      setChanging(true);
      live.changes.forget();
      live.beside.forget();
      history.replaceState(null, "", address);
      await show(++opened, notes, part);
    } catch (error) {
      if (mine !== tries) return;
      if (isOpen) run = null;
      refuse(name, error);
    } finally {
      if (isOpen) setChanging(false);
      if (mine === tries && about.textContent === `Reading ${name} …`) about.textContent = run ? before : "";
    }
  }

  const openFile = (file) => open(file.name, async () => {
    const bytes = await live.read(file);
    const what = live.isPng(bytes) ? "a PNG image" : file.type.startsWith("image/") ? "an image" : "";
    if (what) throw new Error(`${file.name} is ${what}, not a trace; ${run ? "it can be compared with the trace" : "drop a trace first"}`);
    return bytes;
  });

  // While a change is made nothing can be asked that the trace before and the changed one would answer together.
  function setChanging(isChanging) {
    for (const place of kOfTrace) document.querySelector(place).inert = isChanging;
    document.body.classList.toggle("changing", isChanging);
  }

  function startControls() {
    byId("strip").addEventListener("scroll", drawSoon);
    byId("strip").addEventListener("keydown", (event) => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      const end = {Home: 0, End: -1}[event.key];
      if (step === undefined && end === undefined) return;
      event.preventDefault();
      (step ? inspect.stepFrame(step) : inspect.openPlace(run.frames.at(end).frame)).catch(inspect.warn);
    });
    addEventListener("resize", drawSoon);
    byId("plot").addEventListener("click", (event) => {
      const frame = frameAt(event.offsetX) ?? run?.frames.at(-1);
      if (frame) inspect.openPlace(frame.frame).catch(inspect.warn);
    });
    byId("plot").addEventListener("mousemove", (event) => {
      const frame = frameAt(event.offsetX);
      byId("plot").title = frame ? wordsOfFrame(frame) : "";
    });
    byId("plot-of").append(...kBars.map(({name, text}) => make("option", text, {value: name})));
    byId("plot-of").addEventListener("change", () => {
      setBars(byId("plot-of").value);
      inspect.remember();
    });
    byId("show-findings").addEventListener("click", () => openFindings(byId("trace-findings").hidden));
    byId("finding-words").addEventListener("input", listFindings);
    for (const id of kCancels) byId(id).addEventListener("click", () => {
      live.everywhere.stop();
      live.engine.cancel();
    });
    byId("chosen-file").addEventListener("change", () => {
      const [chosen] = byId("chosen-file").files;
      if (chosen) openFile(chosen).finally(() => (byId("chosen-file").value = ""));  // the same one may be chosen again
    });
    byId("open-other").hidden = live.isServed;
    byId("open-other").addEventListener("click", () => byId("chosen-file").click());
    for (const [type, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
      addEventListener(type, () => {
        document.body.classList.toggle("dropping", isOver);
        byId("drop-hint").hidden = !isOver || !run;
      }, true);  // wherever it is dropped
    }
    live.beside.start({open: openFile, frames: () => run.frames, reads: () => run.reads});
    live.everywhere.start({frames: () => run.frames, whileWorking: withProgress});
    live.changes.start(() => inspect.frame()?.items[inspect.picture.state().place]?.draw, (draw) => {
      // The item may have another place among those of the changed trace.
      if (draw) history.replaceState(null, "", inspect.addressOf({d: draw}));
      return showChanged(++opened);
    }, setChanging);
    addEventListener("keydown", (event) => {
      if (document.querySelector("main").inert) event.stopImmediatePropagation();
    }, true);
    const buttons = make("p", "", {class: "row", id: "draw-changes"});
    for (const [id, text] of [["leave-out", "Leave this draw out"], ["move-earlier", "Draw it earlier"], ["move-later", "Draw it later"]])
      buttons.append(make("button", text, {type: "button", id}));
    byId("item-facts").after(buttons);
    const examples = [...document.querySelectorAll("script.example")];
    byId("examples").hidden = examples.length === 0;
    byId("examples").append(...examples.map((element) => {
      const button = make("button", element.dataset.title, {type: "button"});
      button.addEventListener("click", () => open(element.dataset.name, () => live.bytesOf(element)));
      return button;
    }));
  }

  inspect.live = {
    async start() {
      startControls();
      if (live.isServed) {
        live.stay().catch(() => {}).then(() => inspect.warn(new Error(live.kEnded)));
        showWelcome(false);
        say("Reading …");
        return show(++opened, []);
      }
      const own = byId("own-trace");
      showWelcome(true);
      if (own) await open(own.dataset.name, () => live.bytesOf(own), {address: location.hash || "#", part: own.dataset.part});
      else inspect.compare.start();
    },
    // What the title of the page names.
    verb: live.isServed ? "view" : "inspect",
    // What the bars show, in an address; undefined: draws.
    bars: () => (bars === kBars[0] ? undefined : bars.name),
    setBars,
    // Ends when the frame is known, or all are.
    async reach(frame) {
      if (!isReading || !(run.frames.length < frame)) return;
      if (!inspect.frame()) sayNothing(`Frame ${frame} is shown as soon as it is read.`);
      await new Promise((go) => waiting.push({frame, go}));
    },
    // The frame that is shown.
    mark(frame) {
      current = frame;
      sayNothing("");
      const strip = byId("strip");
      const place = run.frames.findIndex((one) => one.frame === frame);
      const left = place * kCell;
      if (left < strip.scrollLeft || left + kCell > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = left - strip.clientWidth / 2;
      drawSoon();
    },
    item(item) {
      live.changes.show(item);
      live.beside.follow();
    },
    editorOf: (...of) => live.changes.editorOf(...of),
    replacerOf: (...of) => live.changes.replacerOf(...of),
    // A picture of the reader's beside the trace: who made it wrong is found out.
    picture: (file) => run && live.beside.take(file),
    // A file that was dropped: a picture is compared, another trace is too; what comes first is opened.
    takes(file) {
      if (run && file.type.startsWith("image/")) return false;
      if (run) live.beside.take(file);
      else if (!live.isServed) openFile(file);
      return true;
    },
  };
})();
