// The live page: a trace is dropped on it, or comes with it; every frame can be chosen, and what is asked for is made then.
"use strict";

(() => {
  const {byId, count, make} = page;
  const kCell = 104;        // pixels of a frame in the strip
  const kMostBar = 14;      // pixels of a frame in the plot
  const kSlow = 200;        // milliseconds after which the page says that it works
  // What the bars of the plot may show of a frame.
  const kBars = [
    {name: "draws", text: "draws", of: ({draws}) => draws},
    {name: "primitives", text: "primitives", of: ({primitives}) => primitives},
    {name: "states", text: "state changes", of: (frame) => frame.states_set - frame.states_redundant},
    {name: "pixels", text: "pixels drawn", of: ({pixels}) => pixels},
    {name: "cost", text: "cost", of: ({steps}) => steps},
  ];
  let run = null;
  let opened = 0;           // traces so far: answers about an earlier one come too late
  let current = 0;          // frame
  let bars = kBars[0];
  let findings = null;
  let working = 0;
  let isReading = false;    // not all frames are known yet
  let waiting = [];         // {frame, go}: for a frame that is not known yet, and what to call once it is

  // How far it is, as long as it is shown that something takes its time.
  async function sayWork() {
    const {done, size} = await live.engine.progress?.() ?? {};
    if (byId("cancel").hidden) return;
    byId("work").textContent = size ? `working: ${Math.min(100, Math.round(100 * done / size))} %` : "working …";
    setTimeout(() => byId("cancel").hidden || sayWork().catch(() => {}), kSlow);
  }

  // Says that something takes its time, and what.
  async function withProgress(promise) {
    const timer = setTimeout(() => {
      byId("cancel").hidden = false;
      document.body.classList.add("working");
      sayWork().catch(() => {});
    }, kSlow);
    ++working;
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      if (--working === 0) {
        byId("cancel").hidden = true;
        byId("work").textContent = "";
        document.body.classList.remove("working");
      }
    }
  }

  page.source = (name) => withProgress(live.engine.ask(name));

  const findingsOf = ({findings: {error = 0, warning = 0, advice = 0} = {}}) => ({error, warning, advice});

  const wordsOfFrame = (frame) => [`Frame ${frame.frame}`, ...kBars.map(({text, of}) => `${of(frame).toLocaleString("en")} ${text}`)].join(", ");

  function setBars(name) {
    bars = kBars.find((one) => one.name === name) ?? kBars[0];
    byId("plot-of").value = bars.name;
    drawSoon();
  }

  // The frame whose bar is there; undefined: none.
  const frameAt = (x) => run.frames[Math.floor(x / Math.min(kMostBar, byId("plot").clientWidth / run.frames.length))];

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
    if (!complete) say(`${frames} so far${size ? `, ${Math.round(100 * done / size)} %` : ""}`);
    else say(failure ? `${frames}; then: ${failure}` : frames);
  }

  // All frames, one after the other, while the reader looks at the first.
  async function readOverview(mine, known) {
    for (;;) {
      const part = await live.engine.ask(`overview/${run.frames.length}`);
      if (mine !== opened) return;
      run.frames.push(...part.frames);
      run.reads = part.reads ?? 0;
      if (known) inspect.addFrames(part.frames);
      describe(part);
      drawSoon();
      wake();
      if (part.complete) break;
      if (!known && isKnown()) return;
    }
    endReading(mine);
    if (known) await readFindings(mine);
  }

  // The frame that the address names, or that has its draw, or the first.
  function isKnown() {
    const at = new URLSearchParams(location.hash.slice(1));
    if (!at.has("f") && at.has("d")) return run.frames.reduce((sum, {draws}) => sum + draws, 0) >= Number(at.get("d"));
    return run.frames.length >= Math.max(1, Number(at.get("f") ?? 1));
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
    const answer = await live.engine.ask("findings");
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

  // Shows what is open, from its first frame or the one that the address names; without notes those before stay.
  async function show(mine, notes) {
    run = {tool: "", trace: "", frames: [], reads: 0};
    isReading = true;
    findings = null;
    page.forgetData();
    delete document.documentElement.dataset.findings;
    byId("show-findings").textContent = "Findings …";
    byId("show-findings").disabled = true;
    openFindings(false);
    const head = await live.engine.ask("overview/0");
    Object.assign(run, {tool: head.tool, trace: head.trace});
    if (mine !== opened) return;
    run.frames.push(...head.frames);
    run.reads = head.reads ?? 0;
    wake();
    if (!head.complete && !isKnown()) await readOverview(mine, false);
    showWelcome(false);
    describe(head);
    await inspect.openRun(run);
    if (notes) {
      byId("notes").hidden = notes.length === 0;
      byId("notes").querySelector("ul").replaceChildren(...notes.map((note) => make("li", note)));
    }
    drawSoon();
    // Meanwhile the reader reads; what fails then is said.
    readOverview(mine, true).catch(inspect.warn).finally(() => endReading(mine));
    live.beside.refresh();
  }

  async function open(name, bytes) {
    const mine = ++opened;
    live.changes.forget();
    live.beside.forget();
    byId("warning").hidden = byId("welcome-failure").hidden = true;
    byId("welcome-progress").textContent = `Reading ${name} …`;
    try {
      const {notes} = await live.engine.open(name, bytes);
      if (mine === opened) await show(mine, notes);
    } catch (error) {
      if (mine !== opened) return;
      run = null;
      showWelcome(true);
      byId("welcome-failure").textContent = `${name}: ${error.message}`;
      byId("welcome-failure").hidden = false;
    } finally {
      byId("welcome-progress").textContent = "";
    }
  }

  async function openFile(file) {
    history.replaceState(null, "", "#");
    await open(file.name, new Uint8Array(await file.arrayBuffer()));
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
      const frame = frameAt(event.offsetX) ?? run.frames.at(-1);
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
    byId("cancel").addEventListener("click", () => live.engine.cancel());
    byId("chosen-file").addEventListener("change", () => byId("chosen-file").files[0] && openFile(byId("chosen-file").files[0]));
    byId("open-other").hidden = live.isServed;
    byId("open-other").addEventListener("click", () => byId("chosen-file").click());
    for (const [type, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
      addEventListener(type, () => {
        document.body.classList.toggle("dropping", isOver);
        byId("drop-hint").hidden = !isOver || !run;
      }, true);  // wherever it is dropped
    }
    live.beside.start({open: openFile, frames: () => run.frames, reads: () => run.reads});
    live.changes.start(() => inspect.frame()?.items[inspect.picture.state().place]?.draw, (draw) => {
      // The item may have another place among those of the changed trace.
      if (draw) history.replaceState(null, "", inspect.addressOf({d: draw}));
      return show(++opened, null);
    });
    const buttons = make("p", "", {class: "row", id: "draw-changes"});
    for (const [id, text] of [["leave-out", "Leave this draw out"], ["move-earlier", "Draw it earlier"], ["move-later", "Draw it later"]])
      buttons.append(make("button", text, {type: "button", id}));
    byId("item-facts").after(buttons);
    const examples = [...document.querySelectorAll("script.example")];
    byId("examples").hidden = examples.length === 0;
    byId("examples").append(...examples.map((element) => {
      const button = make("button", element.dataset.title, {type: "button"});
      button.addEventListener("click", async () => {
        history.replaceState(null, "", "#");
        await open(element.dataset.name, await live.bytesOf(element));
      });
      return button;
    }));
  }

  inspect.live = {
    async start() {
      startControls();
      if (live.isServed) {
        live.stay().catch(() => {}).then(() => inspect.warn(new Error("dp2trace view has ended: what is not here yet cannot be shown any more.")));
        return show(++opened, []);
      }
      const own = byId("own-trace");
      showWelcome(true);
      if (own) await open(own.dataset.name, await live.bytesOf(own));
      else inspect.compare.start();
    },
    // What the bars show, in an address; undefined: draws.
    bars: () => (bars === kBars[0] ? undefined : bars.name),
    setBars,
    // Ends when the frame is known, or all are.
    reach: (frame) => (isReading && run.frames.length < frame ? new Promise((go) => waiting.push({frame, go})) : null),
    // The frame that is shown.
    mark(frame) {
      current = frame;
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
