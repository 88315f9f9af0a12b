// The page that opens from a disk: what is dropped on it is shown as the program says it, any frame and any pixel.
// usage: see tests/browser/run.sh; screenshots go to FOLDER/shots. Arguments: engine.wasm, the folder of captures; either may be absent.
import assert from "node:assert/strict";
import {execFileSync, spawnSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import {test} from "node:test";
import {pathToFileURL} from "node:url";

import {checkReadable, kIsFirefox, startBrowser} from "../browser/browser.mjs";
import {Reader, Trace} from "../inspect_page/trace.mjs";

const {program, shots, work, more: [engine, corpus], open} = startBrowser();
const root = path.resolve(import.meta.dirname, "../..");
const hasEngine = fs.existsSync(engine);
if (!hasEngine) {
  console.log(`skipped: there is no ${engine} (scripts/build_web.sh)`);
  process.exit(77);
}
const inputs = path.join(root, "tests/cli/inputs");
const scene = (name) => path.join(root, "traces/scenes", `${name}.json`);

// The address of a page with these arguments of `inspect --live`.
function pageOf(name, ...args) {
  const file = path.join(work, `${name}.html`);
  execFileSync(program, ["inspect", "--live", "--engine", engine, "-o", file, ...args]);
  return String(pathToFileURL(file));
}

const isShown = (page, name) => page.waitForFunction((wanted) => document.getElementById("trace-name").textContent === wanted && document.documentElement.dataset.findings !== undefined, name);

async function drop(page, file) {
  await page.evaluate(() => delete document.documentElement.dataset.findings);
  await page.setInputFiles("#chosen-file", file);
  await isShown(page, path.basename(file));
}

test("a page with a trace shows it at once; picture and history are those of the program", async (context) => {
  const file = scene("stencil-shadow");
  const page = await open(context, pageOf("own", file));
  await isShown(page, "stencil-shadow.json");
  await new Reader(page).ready();
  const trace = new Trace(program, file, path.join(work, "own"));
  const reader = new Reader(page);
  assert.equal(await reader.differences(trace.frame(1).bytes), 0);
  await reader.go("#f=1&d=6&x=170&y=150");
  const due = execFileSync(program, ["history", file, "--frame", "1", "--pixel", "170,150"], {encoding: "utf8"});
  await page.waitForFunction((text) => document.getElementById("history-text").textContent === text, due);
  await checkReadable(page);
  await page.screenshot({path: path.join(shots, "live-own.png")});
});

test("a page with a part of a trace says so, until another one is opened", async (context) => {
  const file = path.join(inputs, "three-frames.json");
  const page = await open(context, pageOf("part", file, "--frames", "2-3"));
  await isShown(page, "three-frames.json");
  assert.match(await page.textContent("#run"), /, frames 2 to 3 of the 3 of three-frames\.json; its frame 2 and draw 2 are the first here$/);
  assert.match(await page.textContent("#progress"), /^2 frames$/);
  const trace = new Trace(program, file, path.join(work, "part"));
  await new Reader(page).ready();
  assert.equal(await new Reader(page).differences(trace.frame(2).bytes), 0);
  await drop(page, path.join(inputs, "triangle.json"));
  assert.doesNotMatch(await page.textContent("#run"), /frame/);
});

test("traces, captures and hex dumps are dropped one after the other", async (context) => {
  const page = await open(context, pageOf("empty"));
  assert.equal(await page.isVisible("#welcome"), true);
  await checkReadable(page);
  await page.screenshot({path: path.join(shots, "live-welcome.png")});
  await drop(page, path.join(inputs, "triangle.json"));
  assert.equal(await page.isVisible("#welcome"), false);
  const binary = path.join(work, "knot.dp2t");
  execFileSync(program, ["convert", scene("lit-textured-knot"), binary]);
  await drop(page, binary);
  assert.match(await page.textContent("#progress"), /^1 frame$/);
  const dump = path.join(work, "log.txt");
  fs.writeFileSync(dump, "level 7\ntarget 64x64 X8R8G8B8\ncommands\n00000000  0c 00 01 00 01 00 00 00 ff 00 ff ff 00 00 80 3f\n00000010  00 00 00 00 00 00 00 00 00 00 00 00 40 00 00 00\n00000020  40 00 00 00\n");
  await drop(page, dump);
  const capture = path.join(corpus ?? "", "irrlicht-d3d9/02_Quake3Map.trace");
  if (!fs.existsSync(capture)) return;
  await drop(page, capture);
  assert.match(await page.textContent("#progress"), /^24 frames$/);
  // Any frame, by the strip: the picture that a replay writes.
  const imported = new Trace(program, path.join(work, "quake.dp2t"), path.join(work, "quake"));
  imported.run("import", capture, imported.file);
  await page.locator("#strip").evaluate((strip) => (strip.scrollLeft = strip.scrollWidth));
  await page.click("#strip button[aria-label^='Frame 23,']");
  await page.waitForFunction(() => document.getElementById("panes").dataset.drawn?.startsWith("23/"));
  assert.equal(await new Reader(page).differences(imported.frame(23).bytes), 0);
  // The bars are what `info` says of each frame.
  const frame = JSON.parse(execFileSync(program, ["info", imported.file, "--frames", "--format", "json"], {encoding: "utf8"})).frames[22];
  const words = [`${frame.draws} draws`, `${frame.primitives.toLocaleString("en")} primitives`, `${(frame.states_set - frame.states_redundant).toLocaleString("en")} state changes`, `${frame.pixels.toLocaleString("en")} pixels drawn`];
  const label = await page.getAttribute("#strip button[aria-label^='Frame 23,']", "aria-label");
  assert.ok(label.startsWith(["Frame 23", ...words, ""].join(", ")), label);
  await page.selectOption("#plot-of", "primitives");
  assert.match(page.url(), /[#&]b=primitives/);
  await page.screenshot({path: path.join(shots, "live-strip.png")});
});

// A trace of three frames.
function threeFrames() {
  const file = path.join(work, "three.json");
  const events = JSON.parse(fs.readFileSync(path.join(inputs, "triangle.json"), "utf8"));
  const present = events.findIndex(({event}) => event === "present");
  const again = events.slice(events.findIndex(({event}) => event === "dp2"), present + 1);
  events.splice(present + 1, 0, ...again, ...again);
  fs.writeFileSync(file, JSON.stringify(events));
  return file;
}

test("an address of a frame that is not known yet is followed once it is", async (context) => {
  const file = threeFrames();
  const page = await open(context, pageOf("hold"));
  await page.evaluate(() => {
    const ask = live.engine.ask.bind(live.engine);
    const held = new Promise((go) => (globalThis.release = go));
    live.engine.ask = async (name) => {
      if (/^overview\/[1-9]/.test(name)) await held;
      return ask(name);
    };
  });
  await page.setInputFiles("#chosen-file", file);
  const reader = new Reader(page);
  await reader.ready();
  await page.evaluate(() => (location.hash = "#f=3&d=3"));
  await page.evaluate(() => globalThis.release());
  await page.waitForFunction(() => document.getElementById("panes").dataset.drawn?.startsWith("3/"));
});

test("an address of a frame that the trace does not have leads to the last one, with a word", async (context) => {
  const page = await open(context, pageOf("beyond", threeFrames()), {hash: "#f=99999"});
  await page.waitForFunction(() => document.getElementById("panes").dataset.drawn?.startsWith("3/"));
  await page.waitForSelector("#warning:not([hidden])");
  assert.equal(await page.textContent("#warning"), "The address names what is not there: frame 99999; frame 3 is shown.");
});

test("all frames are searched, and lead to what was found", async (context) => {
  const page = await open(context, pageOf("everywhere", threeFrames()));
  await isShown(page, "three.json");
  const reader = new Reader(page);
  await reader.ready();
  await page.click("#show-everywhere");
  const find = async (words) => {
    await page.fill("#everywhere-words", words);
    await page.keyboard.press("Enter");
    await page.waitForFunction((text) => document.getElementById("everywhere-rows").dataset.found === text, words);
    return page.$$eval("#everywhere-rows li", (rows) => rows.map((row) => row.textContent));
  };
  assert.deepEqual(await find("draw:6"), ["frame 3: 1 item, the first is 1 TRIANGLELIST"]);
  assert.equal(await page.textContent("#everywhere-about"), "1 of 3 frames searched has it");
  assert.deepEqual(await find("op:nothing"), []);
  assert.equal((await find("kind:clear")).length, 3);
  await checkReadable(page);
  await page.click("#everywhere-rows li:nth-child(2) button");
  await page.waitForFunction(() => document.getElementById("timeline").dataset.found === "kind:clear" && document.getElementById("panes").dataset.drawn?.startsWith("2/"));
  assert.match(await page.textContent("#item-name"), /CLEAR$/);
  await page.screenshot({path: path.join(shots, "live-everywhere.png")});
});

test("who cancels a question keeps the strip, the findings, one engine and the trace", async (context) => {
  const page = await open(context, pageOf("cancelled"));
  await page.evaluate(() => {
    const ask = live.engine.ask.bind(live.engine);
    const cancelled = new Set();
    live.engine.ask = (name) => {
      const answer = ask(name);
      if (/^overview.[12]$|^findings$/.test(name) && !cancelled.has(name)) {
        cancelled.add(name);
        live.engine.cancel();
      }
      return answer;
    };
  });
  await drop(page, threeFrames());
  assert.equal(await page.textContent("#progress"), "3 frames");
  const found = await page.evaluate(async () => {
    const {Worker} = globalThis;
    let made = 0;
    globalThis.Worker = class extends Worker {
      constructor(...of) {
        super(...of);
        ++made;
      }
    };
    live.engine.cancel();
    const answers = await Promise.all(["frames/1", "frames/2", "findings"].map((name) => live.engine.ask(name)));
    live.engine.cancel();
    return {answers: answers.length, made, size: (await live.engine.file()).length};
  });
  assert.deepEqual({...found, size: found.size > 0}, {answers: 3, made: 1, size: true});
  // A warning goes when something else is answered.
  await page.evaluate(() => inspect.warn(new Error("it was cancelled")));
  await page.keyboard.press("]");
  await page.waitForSelector("#warning", {state: "hidden"});
});

test("a file that cannot be read is refused with a sentence, and what is open stays", async (context) => {
  const page = await open(context, pageOf("unreadable"));
  const nonsense = path.join(work, "nonsense.bin");
  fs.writeFileSync(nonsense, Buffer.from([0, 1, 2, 3, 255, 254, 0, 0, 9]));
  const empty = path.join(work, "empty.dp2t");
  fs.writeFileSync(empty, "");
  const photo = path.join(work, "photo.jpg");
  fs.writeFileSync(photo, Buffer.from([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]));
  const refused = async (place, file, text) => {
    await page.setInputFiles(place, file);
    await page.waitForFunction((words) => [...document.querySelectorAll("[role=alert]:not([hidden])")].some((one) => one.textContent === words), text);
  };
  await refused("#chosen-file", path.join(inputs, "add-for-addsigned.png"), "add-for-addsigned.png is a PNG image, not a trace; drop a trace first");
  await refused("#chosen-file", empty, "empty.dp2t is empty");
  const setReadable = (isReadable) => page.evaluate((readable) => {
    const own = globalThis.ownRead ??= Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = readable ? own : () => Promise.reject(new DOMException("gone", "NotFoundError"));
  }, isReadable);
  await setReadable(false);
  await refused("#chosen-file", nonsense, "nonsense.bin cannot be read: it is a folder, it is gone, or there is not enough memory for it");
  await setReadable(true);
  await drop(page, path.join(inputs, "triangle.json"));
  await refused("#beside-file", empty, "empty.dp2t is empty");
  await refused("#beside-file", photo, "photo.jpg is not a PNG image: only those are compared draw by draw. Other files are compared as traces.");
  assert.equal(await page.isVisible("#beside-open"), false);
  await page.click("#beside-close");
  // Another trace takes the place of the first once it is open.
  await page.click("#leave-out");
  await page.waitForSelector("#changes:not([hidden])");
  await page.setInputFiles("#chosen-file", nonsense);
  await page.waitForFunction(() => /nonsense\.bin/.test(document.getElementById("warning").textContent));
  assert.equal((await page.textContent("#warning")).split("nonsense.bin").length, 2, "the name once");
  assert.equal(await page.textContent("#trace-name"), "triangle.json");
  assert.equal(await page.locator("#changes-list li").count(), 1);
  await page.screenshot({path: path.join(shots, "live-refused.png")});
});

test("opening can be cancelled", async (context) => {
  const capture = path.join(corpus ?? "", "irrlicht-d3d9/02_Quake3Map.trace");
  if (!fs.existsSync(capture)) return context.skip("there is no capture");
  const page = await open(context, pageOf("opening"));
  await page.setInputFiles("#chosen-file", capture);
  await page.waitForSelector("#welcome-cancel:not([hidden])");
  await page.click("#welcome-cancel");  // at once: opening goes on
  await page.waitForSelector("#welcome-failure:not([hidden])");
  assert.equal(await page.textContent("#welcome-failure"), "02_Quake3Map.trace: it was cancelled");
  assert.equal(await page.textContent("#welcome-progress"), "");
  await drop(page, path.join(inputs, "triangle.json"));

  // What is not cancelled says how far it is.
  await page.evaluate(() => {
    globalThis.said = [];
    const work = document.getElementById("work");
    new MutationObserver(() => work.checkVisibility() && said.push(work.textContent)).observe(work, {childList: true});
  });
  await drop(page, capture);
  const said = await page.evaluate(() => globalThis.said);
  assert.ok(said.some((text) => /^working: \d+ %$/.test(text)), said.join("; "));
});

test("findings of the whole trace lead to their places", async (context) => {
  const file = path.join(work, "wrong.json");
  const events = JSON.parse(fs.readFileSync(path.join(inputs, "triangle.json"), "utf8"));
  const state = (reserved) => ({op: "RENDERSTATE", reserved, records: [{render_state: "ZENABLE", state: "FALSE"}]});
  events.find(({event}) => event === "dp2").commands.unshift(state(1), state(2));
  fs.writeFileSync(file, JSON.stringify(events));
  const page = await open(context, pageOf("findings", file));
  await isShown(page, "wrong.json");
  assert.equal(await page.textContent("#show-findings"), "Findings of the trace (2)");
  await page.click("#show-findings");
  const due = execFileSync(program, ["lint", file, "--format", "json", "--fail-on", "never"], {encoding: "utf8"});
  const messages = JSON.parse(due).findings.map(({message}) => message);
  assert.deepEqual(await page.$$eval("#finding-rows tbody tr", (rows) => rows.map((row) => row.querySelector("p").textContent)), messages);
  await page.fill("#finding-words", "2, expected");
  assert.equal(await page.locator("#finding-rows tbody tr").count(), 1);
  await page.click("#finding-rows tbody button");
  await page.waitForFunction(() => document.getElementById("detail").dataset.shown?.endsWith("/findings"));
  assert.match(await page.textContent("#detail"), /bReserved is 2/);
  await page.click("#detail details summary");
  await page.waitForSelector("#detail details[data-shown]");
  assert.match(await page.textContent("#detail .explain"), /DP2-STREAM-009/);
});

test("surfaces that the frame does not name are listed and shown, from item to item", async (context) => {
  const file = path.join(work, "unbound.json");
  const events = JSON.parse(fs.readFileSync(path.join(inputs, "three-frames.json"), "utf8"));
  events.splice(events.findIndex(({event}) => event === "surface_create"), 0, {event: "surface_create", handle: 77, format: "L8", width: 2, height: 1, levels: 1}, {event: "surface_update", handle: 77, data: "gP8="});
  fs.writeFileSync(file, JSON.stringify(events));
  const page = await open(context, pageOf("unbound", file));
  await isShown(page, "unbound.json");
  const reader = new Reader(page);
  await reader.ready();
  await reader.go("#f=3&i=0");
  await reader.pane("surfaces");
  await page.click("#detail button:text-is('77')");
  const isPainted = () => page.waitForFunction(() => document.querySelector("#surface-shown canvas")?.width === 2);
  await isPainted();
  const pixels = await page.evaluate(() => [...document.querySelector("#surface-shown canvas").getContext("2d").getImageData(0, 0, 2, 1).data]);
  assert.deepEqual(pixels, [128, 128, 128, 255, 255, 255, 255, 255]);
  const row = await page.locator("#detail tr", {has: page.locator("button:text-is('77')")}).innerText();
  assert.deepEqual(row.split("\t").map((cell) => cell.trim()), ["77", "texture", "L8", "2 × 1", "1"]);
  await page.fill("#detail input[type=search]", "l8 2 × 1");
  assert.equal(await page.locator("#detail tbody tr").count(), 1);
  await page.fill("#detail input[type=search]", "no surface");
  assert.equal(await page.locator("#detail tbody tr").count(), 0);
  await page.fill("#detail input[type=search]", "");
  await checkReadable(page);
  await page.screenshot({path: path.join(shots, "live-surfaces.png")});
  await page.evaluate(() => document.getElementById("surface-shown").replaceChildren());
  await reader.go("#f=3&i=1");
  await isPainted();
});

test("what if: a state and a draw are changed, undone and saved", async (context) => {
  const file = scene("stencil-shadow");
  const page = await open(context, pageOf("what-if", file), {hash: "#f=1&d=6", acceptDownloads: true});
  await isShown(page, "stencil-shadow.json");
  const reader = new Reader(page);
  await reader.ready();
  const original = new Trace(program, file, path.join(work, "what-if"));
  const edited = new Trace(program, path.join(work, "edited.json"), path.join(work, "what-if-edited"));
  original.run("edit", file, edited.file, "--set", "draw=6,ALPHABLENDENABLE=FALSE");
  await page.click("button[aria-label='Change ALPHABLENDENABLE']");
  await page.fill("input[aria-label='Value of ALPHABLENDENABLE']", "FALSE");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#changes:not([hidden])");
  await reader.ready();
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  assert.equal(await reader.differences(edited.frame(1).bytes), 0, "the picture of the changed trace");
  assert.equal(await page.textContent("#changes-list li"), "draw 6: ALPHABLENDENABLE=FALSE Undo");
  await page.screenshot({path: path.join(shots, "live-what-if.png")});
  await page.click("button[aria-label='Change ZFUNC']");
  await page.fill("input[aria-label='Value of ZFUNC']", "MAYBE");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#changes-failure:not([hidden])");
  await reader.go("#f=1&d=5");
  await changed(page, () => page.click("#leave-out"));
  // What was draw 6 is shown as draw 5 now, and can be changed as well.
  await reader.go("#f=1&d=5");
  await change(page, reader, "ZFUNC", "ALWAYS");
  assert.equal(await page.textContent("#changes-list li:last-child"), "draw 6: ZFUNC=ALWAYS Undo");
  assert.equal(await page.isVisible("#changes-about"), true);
  original.run("edit", file, edited.file, "--set", "draw=6,ALPHABLENDENABLE=FALSE", "--drop", "draw=5", "--set", "draw=6,ZFUNC=ALWAYS", "--force");
  assert.equal(await reader.differences(new Trace(program, edited.file, path.join(work, "what-if-more")).frame(1).bytes), 0, "the changes together");
  await page.click("#changes-undo");
  await page.waitForSelector("#changes", {state: "hidden"});
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  await reader.go("#f=1&d=6");
  assert.equal(await reader.differences(original.frame(1).bytes), 0, "as it was");
});

// A PNG of one colour, as a replay writes it.
function greenPicture(size) {
  const trace = path.join(work, `green-${size}.json`);
  fs.writeFileSync(trace, JSON.stringify([
    {event: "header"}, {event: "surface_create", handle: 1, kind: "target", format: "A8R8G8B8", width: size, height: size}, {event: "context_create", context: 1, target: 1},
    {event: "dp2", context: 1, commands: [{op: "CLEAR", flags: ["TARGET"], fill_color: "0xFF20C040", rects: [[0, 0, size, size]]}]}, {event: "present", handle: 1}]));
  return new Trace(program, trace, path.join(work, `green-${size}`)).frame(1).file;
}

// Ends when the trace that an action changes is shown.
async function changed(page, act) {
  await page.evaluate(() => delete document.documentElement.dataset.findings);
  await act();
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined || !document.getElementById("changes-failure").hidden);
}

// A value is typed into the field that the pencil of a name gives.
async function change(page, reader, name, value) {
  await changed(page, async () => {
    await page.click(`button[aria-label='Change ${name}']`);
    await page.fill(`input[aria-label='Value of ${name}']`, value);
    await page.keyboard.press("Enter");
  });
  assert.equal(await page.isVisible("#changes-failure"), false, await page.textContent("#changes-failure"));
  await reader.ready();
}

test("what if: the field of a state offers its names", async (context) => {
  const page = await open(context, pageOf("names", scene("stencil-shadow")));
  await isShown(page, "stencil-shadow.json");
  const reader = new Reader(page);
  await reader.go("#f=1&d=6");
  await reader.pane("states");
  await page.selectOption("#detail select", "all");
  await page.fill("#find-state", "render_state.zfunc");
  await page.click("#detail button.edit");
  await page.waitForFunction(() => document.querySelector("#detail input[list]"));
  const names = await page.evaluate(() => [...document.querySelector("#detail input[list]").list.options].map(({value}) => value));
  assert.deepEqual(names, ["NEVER", "LESS", "EQUAL", "LESSEQUAL", "GREATER", "NOTEQUAL", "GREATEREQUAL", "ALWAYS"]);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("datalist").count(), 0);
});

test("what if: the frame is shown first, the strip afterwards; changes are taken back by keys", async (context) => {
  const page = await open(context, pageOf("at-once", threeFrames()), {hash: "#f=3"});
  await isShown(page, "three.json");
  const reader = new Reader(page);
  await reader.ready();
  await page.evaluate(() => {
    const ask = live.engine.ask.bind(live.engine);
    globalThis.asked = [];
    live.engine.ask = async (name) => {
      globalThis.asked.push(`${name.split("/")[0]} ${document.querySelector("main").inert}`);
      return ask(name);
    };
  });
  await changed(page, () => page.click("#leave-out"));
  const asked = await page.evaluate(() => globalThis.asked);
  assert.deepEqual(asked.slice(0, 2), ["edit true", "frames true"], "nothing can be asked of both traces");
  const first = (kind) => asked.findIndex((name) => name.startsWith(kind));
  assert.ok(first("items") > 0 && first("overview") > first("items"), "the strip waits");
  assert.equal(asked.at(-1), "findings false");
  assert.equal(await page.textContent("#progress"), "3 frames");
  assert.equal(await page.locator("#frame option").count(), 3);
  assert.equal(await page.inputValue("#frame"), "3");
  const count = () => page.locator("#changes-list li").count();
  await changed(page, () => page.keyboard.press("Control+z"));
  assert.equal(await count(), 0);
  await changed(page, () => page.keyboard.press("Control+Shift+Z"));
  assert.equal(await count(), 1);
  await page.focus("#find");
  await page.keyboard.press("Control+z");
  assert.equal(await count(), 1, "in a field the key is that of the field");
  await page.locator("#find").blur();
  await changed(page, () => page.keyboard.press("Control+z"));
  await changed(page, () => page.keyboard.press("Control+y"));
  assert.equal(await count(), 1);
});

test("what if: one field at a time; a change that fails can be put away", async (context) => {
  const page = await open(context, pageOf("fields", scene("stencil-shadow")), {hash: "#f=1&d=6"});
  await isShown(page, "stencil-shadow.json");
  await new Reader(page).ready();
  await page.click("button[aria-label='Change ALPHABLENDENABLE']");
  await page.click("button[aria-label='Change ZFUNC']");
  assert.equal(await page.locator("input[aria-label^='Value of']").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("input[aria-label^='Value of']").count(), 0);
  await page.click("button[aria-label='Change ZFUNC']");
  await page.fill("input[aria-label='Value of ZFUNC']", "MAYBE");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#changes-failure:not([hidden])");
  assert.equal(await page.isVisible("#changes-all"), false);
  assert.equal(await page.isVisible("#changes-name"), false);
  await page.screenshot({path: path.join(shots, "live-failure.png")});
  await page.click("#changes-failure button");
  assert.equal(await page.isVisible("#changes"), false);
});

test("what if: a shader constant", async (context) => {
  const file = path.join(work, "constants.json");
  fs.copyFileSync(path.join(root, "traces/features/shaders.json"), file);
  const page = await open(context, pageOf("constants", file), {hash: "#f=1&d=2", acceptDownloads: true});
  await isShown(page, "constants.json");
  const reader = new Reader(page);
  await reader.ready();
  await change(page, reader, "c0", "0.3, -0.2, 0, 0");
  const edited = new Trace(program, path.join(work, "constant.json"), path.join(work, "constant"));
  edited.run("edit", file, edited.file, "--set", "draw=2,vs.c0=0.3,-0.2,0,0");
  assert.equal(await reader.differences(edited.frame(1).bytes), 0, "as edit changes it");
  const original = new Trace(program, file, path.join(work, "constants"));
  assert.notEqual(await reader.differences(original.frame(1).bytes), 0, "the picture is another one");
  assert.equal(await page.textContent("#changes-list li"), "draw 2: vs.c0=0.3, -0.2, 0, 0 Undo");
  // In the pane of shaders, too.
  await reader.pane("shaders");
  assert.equal(await page.locator("button[aria-label='Change c0']").count(), 2);
  await page.screenshot({path: path.join(shots, "live-constants.png")});
});

test("what if: an instruction of a shader", async (context) => {
  const file = path.join(work, "instructions.json");
  fs.copyFileSync(path.join(root, "traces/features/shaders.json"), file);
  const page = await open(context, pageOf("instructions", file), {hash: "#f=1&d=2&p=shaders", acceptDownloads: true});
  await isShown(page, "instructions.json");
  const reader = new Reader(page);
  await reader.ready();
  const lines = () => page.$$eval("ol[aria-label='pixel shader'] code", (codes) => codes.map((code) => code.textContent));
  assert.deepEqual(await lines(), ["texld r0, t0", "mov r0.a, c0"]);
  await change(page, reader, "instruction 2 of the pixel shader", "mov r0.a, c0; mov r0.rgb, 1-r0");
  assert.deepEqual(await lines(), ["texld r0, t0", "mov r0.a, c0", "mov r0.rgb, 1-r0"]);
  const edited = new Trace(program, path.join(work, "instruction.json"), path.join(work, "instruction"));
  edited.run("edit", file, edited.file, "--set", "draw=2,ps.2=mov r0.a, c0; mov r0.rgb, 1-r0");
  assert.equal(await reader.differences(edited.frame(1).bytes), 0, "as edit changes it");
  const original = new Trace(program, file, path.join(work, "instructions"));
  assert.notEqual(await reader.differences(original.frame(1).bytes), 0, "the picture is another one");
  await page.screenshot({path: path.join(shots, "live-instructions.png")});
  // What is shown as number 3 is part of what took the place of number 2; without text it is left out.
  await change(page, reader, "instruction 3 of the pixel shader", "");
  assert.deepEqual(await lines(), ["texld r0, t0", "mov r0.a, c0"]);
  assert.equal(await page.textContent("#changes-list li"), "draw 2: ps.2=mov r0.a, c0 Undo");
  // By keys; what is not an instruction is refused, and the trace stays as it is.
  await page.focus("button[aria-label='Change instruction 1 of the pixel shader']");
  await page.keyboard.press("Enter");
  assert.equal(await page.inputValue("input[aria-label='Value of instruction 1 of the pixel shader']"), "texld r0, t0");
  await page.keyboard.type("texld r0, q0");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#changes-failure:not([hidden])");
  assert.match(await page.textContent("#changes-failure span"), /column 11: 'q0', expected a register of ps_1_4: r0, /);
  await changed(page, () => page.click("#changes-undo"));
  await reader.ready();
  assert.equal(await reader.differences(original.frame(1).bytes), 0, "as it was");
});

test("what if: a vertex", async (context) => {
  const file = path.join(root, "traces/features/stage-add.json");
  const page = await open(context, pageOf("vertex", file), {hash: "#f=1&d=3&p=vertices", acceptDownloads: true});
  await isShown(page, "stage-add.json");
  const reader = new Reader(page);
  await reader.ready();
  const [name, value] = await page.evaluate(() => {
    const button = document.querySelector("#detail td:nth-child(2) button.edit");
    const row = [...button.closest("tr").cells].map((cell) => parseFloat(cell.textContent));
    return [button.getAttribute("aria-label").replace("Change ", ""), [row[1] + 9, ...row.slice(2, 5)].join(" ")];
  });
  assert.match(name, /^\d+\.POSITIONT$/);
  await change(page, reader, name, value);
  const edited = new Trace(program, path.join(work, "vertex.json"), path.join(work, "vertex"));
  edited.run("edit", file, edited.file, "--set", `draw=3,vertex.${name}=${value}`);
  assert.equal(await reader.differences(edited.draw(3).bytes), 0, "as edit changes it");
  const original = new Trace(program, file, path.join(work, "vertices"));
  assert.notEqual(await reader.differences(original.draw(3).bytes), 0, "the picture is another one");
  await page.screenshot({path: path.join(shots, "live-vertex.png")});
});

test("what if: a texture gets another picture; the patch that is saved is what edit takes", async (context) => {
  const file = path.join(root, "traces/features/stage-add.json");
  const page = await open(context, pageOf("texture", file), {hash: "#f=1&d=3&p=textures", acceptDownloads: true});
  await isShown(page, "stage-add.json");
  const reader = new Reader(page);
  await reader.ready();
  const picture = greenPicture(16);
  await page.evaluate(() => delete document.documentElement.dataset.findings);
  await page.setInputFiles("label.edit input", picture);
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  await reader.ready();
  const edited = new Trace(program, path.join(work, "textured.json"), path.join(work, "textured"));
  edited.run("edit", file, edited.file, "--replace", `texture=3,0,${picture}`);
  assert.equal(await reader.differences(edited.draw(3).bytes), 0, "as edit changes it");
  await page.screenshot({path: path.join(shots, "live-texture.png")});
  // Downloads of Firefox cannot be seen by the driver: what is handed to the browser is.
  await page.evaluate(() => {
    const {createObjectURL} = URL;
    URL.createObjectURL = (blob) => {
      globalThis.saved = blob.text();
      return createObjectURL.call(URL, blob);
    };
  });
  await page.click("#changes-export");
  const patch = path.join(work, "patch.json");
  fs.writeFileSync(patch, await page.evaluate(() => globalThis.saved));
  const patched = path.join(work, "patched.json");
  edited.run("edit", file, patched, "--patch", patch);
  assert.equal(fs.readFileSync(patched, "utf8"), fs.readFileSync(edited.file, "utf8"));
  // One of another size is refused, and the trace stays as it was.
  await page.setInputFiles("label.edit input", greenPicture(8));
  await page.waitForSelector("#changes-failure:not([hidden])");
  assert.match(await page.textContent("#changes-failure"), /the picture is 8x8, expected 16x16/);
  assert.equal(await page.locator("#changes-list li").count(), 1);
});

// What a verb prints of two files of one folder; exit code 1 is that they differ.
const verb = (...args) => spawnSync(program, args, {cwd: work, encoding: "utf8"}).stdout;

// A file that is dropped onto the page from outside.
async function dropBeside(page, file) {
  const transfer = await page.evaluateHandle(([name, data]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], name, {type: name.endsWith(".png") ? "image/png" : ""}));
    return transfer;
  }, [path.basename(file), fs.readFileSync(file).toString("base64")]);
  await page.dispatchEvent("body", "drop", {dataTransfer: transfer});
  await page.waitForFunction((name) => document.getElementById("beside-result").dataset.shown === name, path.basename(file));
}

test("a picture that is dropped is compared and blamed, and leads to the draw and the first wrong pixel", async (context) => {
  const file = path.join(root, "traces/features/stage-add.json");
  const picture = path.join(inputs, "add-for-addsigned.png");
  const page = await open(context, pageOf("blamed", file));
  await isShown(page, "stage-add.json");
  const reader = new Reader(page);
  await reader.ready();
  await dropBeside(page, picture);
  assert.equal(await page.getAttribute("html", "data-beside"), "different");
  assert.equal(await page.textContent("#beside-name"), "add-for-addsigned.png (64 × 64)");
  const expected = verb("blame", file, "--frame", "1", "--against", picture);
  assert.equal(await page.textContent("#beside-result pre"), expected);
  assert.equal(await page.textContent("#beside-result li"), "the draw whose pixels are wrong has stage 0 COLOROP = ADDSIGNED; none of the 4 right ones does");
  assert.match(await page.textContent("#beside-about"), /^frame 1: 570 of 4096 pixels differ/);
  assert.match(await page.textContent("#about-view"), /570 pixels differ; first at 22, 1/);
  await checkReadable(page);
  await page.screenshot({path: path.join(shots, "live-blame.png")});
  await page.click("#beside-result ol button");
  await page.waitForFunction(() => /^\d+ DRAWPRIMITIVE/.test(document.getElementById("item-name").textContent));
  await page.click("#beside-result section p button");
  await page.waitForFunction(() => document.getElementById("selection").dataset.shown === "22,1,23,2");
  assert.match(await page.textContent("#item-facts"), /draw3/);
  // What is changed is compared anew.
  await page.click("#tabs [data-view=states]");
  await page.click("button[aria-label='Change stage 0 COLOROP']");
  await page.fill("input[aria-label='Value of stage 0 COLOROP']", "ADD");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.documentElement.dataset.beside === "equal");
  await page.click("#changes-undo");
  await page.waitForFunction(() => document.documentElement.dataset.beside === "different");
  // With a tolerance everything is right.
  await page.fill("#beside-tolerance", "255");
  await page.dispatchEvent("#beside-tolerance", "change");
  await page.waitForFunction(() => document.documentElement.dataset.beside === "equal");
  await page.click("#beside-close");
  assert.equal(await page.isVisible("#beside"), false);
});

test("a second trace that is dropped is compared with the first, and leads to its places", async (context) => {
  const file = scene("stencil-shadow");
  const changed = path.join(work, "second.dp2t");
  execFileSync(program, ["edit", file, changed, "--drop", "draw=3", "--set", "draw=5,ZENABLE=FALSE"]);
  const page = await open(context, pageOf("compared", file));
  await isShown(page, "stencil-shadow.json");
  await new Reader(page).ready();
  await dropBeside(page, changed);
  assert.equal(await page.textContent("#beside-result pre"), verb("diff", file, changed));
  const {differences} = JSON.parse(verb("diff", file, changed, "--format", "json"));
  assert.deepEqual(await page.$$eval("#beside-result tbody tr td:first-child", (cells) => cells.map((cell) => cell.textContent)), differences.map(({change}) => change));
  await checkReadable(page);
  await page.screenshot({path: path.join(shots, "live-diff.png")});
  const place = differences.findIndex(({a}) => a.draw === 3);
  await page.locator("#beside-result tbody tr").nth(place).locator("button").click();
  await page.waitForFunction(() => document.getElementById("item-facts").textContent.includes("draw3"));
  // The token is marked, and each token has a line of its own.
  await page.waitForFunction(() => document.getElementById("detail").dataset.shown?.endsWith("/tokens"));
  assert.ok(differences[place].a.text.startsWith((await page.textContent("#detail tr[aria-current] summary, #detail tr[aria-current] code")).split(" ")[0]));
  assert.equal(await page.locator("#beside-result td code").first().evaluate((code) => getComputedStyle(code).display), "block");
  // It can take the place of the first.
  await page.evaluate(() => delete document.documentElement.dataset.findings);
  await page.click("#beside-open");
  await isShown(page, "second.dp2t");
  assert.equal(await page.isVisible("#beside"), false);
});

test("a result says of which frame it is when another one is shown", async (context) => {
  const page = await open(context, pageOf("stale", threeFrames()), {hash: "#f=1"});
  await isShown(page, "three.json");
  const reader = new Reader(page);
  await reader.ready();
  await dropBeside(page, greenPicture(64));
  assert.equal(await page.isVisible("#beside-stale"), false);
  await reader.go("#f=3");
  assert.equal(await page.textContent("#beside-stale"), "The result is of frame 1. Press Compare for frame 3.");
  await page.screenshot({path: path.join(shots, "live-stale.png")});
  await page.click("#beside-again");
  await page.waitForFunction(() => document.documentElement.dataset.beside !== undefined);
  assert.equal(await page.isVisible("#beside-stale"), false);
  assert.match(await page.textContent("#beside-about"), /^frame 3/);
});

test("what is neither a picture nor a trace is refused beside one, and the page goes on", async (context) => {
  const page = await open(context, pageOf("refused", path.join(inputs, "triangle.json")));
  await isShown(page, "triangle.json");
  const file = path.join(work, "nonsense.bin");
  fs.writeFileSync(file, Buffer.from([0, 1, 2, 3, 255, 254, 0, 0, 9]));
  await page.setInputFiles("#beside-file", file);
  await page.waitForSelector("#beside-failure:not([hidden])");
  assert.match(await page.textContent("#beside-failure"), /\S/);
  await page.setInputFiles("#beside-file", path.join(inputs, "add-for-addsigned.png"));
  await page.waitForFunction(() => document.getElementById("beside-result").dataset.shown === "add-for-addsigned.png");
  await page.setInputFiles("#beside-file", path.join(inputs, "triangle.json"));
  await page.waitForFunction(() => document.getElementById("beside-about").textContent === "Both traces do the same.");
});

test("what is not a trace is refused with a sentence, and the page goes on", async (context) => {
  const page = await open(context, pageOf("refusing"));
  const file = path.join(work, "nonsense.bin");
  fs.writeFileSync(file, Buffer.from([0, 1, 2, 3, 255, 254, 0, 0, 9]));
  await page.setInputFiles("#chosen-file", file);
  await page.waitForSelector("#welcome-failure:not([hidden])");
  assert.match(await page.textContent("#welcome-failure"), /^cannot read nonsense\.bin: \S/);
  await drop(page, path.join(inputs, "triangle.json"));
});

test("names and texts of a trace are text, never markup", async (context) => {
  const kHostile = "</script><img src=x onerror=alert(1)>&amp;'\"";
  const file = path.join(work, "a<b>&\"'.json");
  const events = JSON.parse(fs.readFileSync(path.join(inputs, "triangle.json"), "utf8"));
  events.splice(1, 0, {event: "marker", text: kHostile, source: kHostile});
  fs.writeFileSync(file, JSON.stringify(events));
  const page = await open(context, pageOf("hostile", file));
  await isShown(page, path.basename(file));
  assert.equal(await page.locator("img").count(), 0);
  await page.fill("#find", "script");
  assert.ok((await page.textContent("#timeline")).includes("</script>"));
});

// Large data take the engine most of the time, which is the same one in every browser.
const kLarge = {skip: kIsFirefox};

test("a hundred thousand findings are listed, searched and lead to their places", kLarge, async (context) => {
  const file = path.join(work, "findings.json");
  const events = JSON.parse(fs.readFileSync(path.join(inputs, "triangle.json"), "utf8"));
  const call = events.find(({event}) => event === "dp2");
  const wrong = (i) => ({op: "RENDERSTATE", reserved: 1 + i % 200, records: [{render_state: "ZENABLE", state: "FALSE"}]});
  for (let i = 0; i < 100; ++i) events.splice(events.indexOf(call), 0, {event: "dp2", context: 1, commands: Array.from({length: 1000}, (_, k) => wrong(1000 * i + k))});
  fs.writeFileSync(file, JSON.stringify(events));
  const page = await open(context, pageOf("many", file));
  await isShown(page, "findings.json");
  const {findings, summary} = JSON.parse(execFileSync(program, ["lint", file, "--format", "json", "--fail-on", "never"], {encoding: "utf8", maxBuffer: 1 << 28}));
  assert.match(await page.textContent("#show-findings"), /\(100,000\)/);
  await page.click("#show-findings");
  const rows = "#finding-rows tbody tr";
  assert.ok(findings.length > 0, JSON.stringify(summary));
  assert.equal(await page.locator(rows).first().locator("p").first().textContent(), findings[0].message);
  const start = Date.now();
  await page.fill("#finding-words", "bReserved is 77,");
  await page.waitForFunction(() => /^[\d,]+ of /.test(document.getElementById("finding-count").textContent));
  assert.ok(Date.now() - start < 5000, "the search waits for nobody");
  assert.match(await page.locator(rows).first().locator("p").first().textContent(), /bReserved is 77,/);
  await page.locator(rows).first().locator("button").first().click();
  await page.waitForFunction(() => document.getElementById("detail").dataset.shown?.endsWith("/findings"));
});

test("a picture of 4096x4096 is shown, compared and has histories", kLarge, async (context) => {
  const size = 4096;
  const file = path.join(work, "large.json");
  const clear = (color, rect) => ({op: "CLEAR", flags: ["TARGET"], fill_color: color, rects: [rect]});
  fs.writeFileSync(file, JSON.stringify([
    {event: "header"}, {event: "surface_create", handle: 1, kind: "target", format: "X8R8G8B8", width: size, height: size}, {event: "context_create", context: 1, target: 1},
    {event: "dp2", context: 1, commands: [clear("0xFF204060", [0, 0, size, size]), clear("0xFFC08040", [100, 200, 4000, 4090])]}, {event: "present", handle: 1}]));
  const page = await open(context, pageOf("large", file));
  await isShown(page, "large.json");
  const reader = new Reader(page);
  await reader.ready();
  assert.deepEqual(await page.evaluate(() => {
    const canvas = document.querySelector("#panes canvas");
    const at = (x, y) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
    return [canvas.width, canvas.height, at(99, 200), at(3999, 4089), at(4095, 4095)];
  }), [size, size, [32, 64, 96, 255], [192, 128, 64, 255], [32, 64, 96, 255]]);
  await reader.go("#f=1&x=4095&y=4095");
  await page.waitForFunction(() => document.getElementById("history-text").textContent.includes("CLEAR"));
  const changed = new Trace(program, path.join(work, "large-changed.json"), path.join(work, "large"));
  changed.run("edit", file, changed.file, "--drop", "draw=2");
  await dropBeside(page, changed.frame(1).file);
  assert.match(await page.textContent("#beside-about"), /^frame 1: 15171000 of 16777216 pixels differ, in region 100,200,3900,3890/);
  assert.match(await page.textContent("#beside-result ol"), /draw 2, CLEAR/);
});

test("two pages of one file do not touch each other", async (context) => {
  const address = pageOf("twice", scene("stencil-shadow"));
  const [one, other] = [await open(context, address), await open(context, address)];
  for (const page of [one, other]) await isShown(page, "stencil-shadow.json");
  const reader = new Reader(other);
  await reader.ready();
  await one.click("#leave-out");
  await one.waitForSelector("#changes:not([hidden])");
  assert.equal(await other.isVisible("#changes"), false);
  await reader.go("#f=1&d=6");
  const trace = new Trace(program, scene("stencil-shadow"), path.join(work, "twice"));
  assert.equal(await reader.differences(trace.frame(1).bytes), 0);
});

test("a trace that asks for more than it may ends, and the page lives", async (context) => {
  const file = path.join(work, "endless.json");
  const events = JSON.parse(fs.readFileSync(path.join(inputs, "triangle.json"), "utf8"));
  const clear = events.find(({event}) => event === "dp2");
  const draws = Array.from({length: 20000}, () => ({op: "CLEAR", flags: ["TARGET"], fill_color: "0xFF000000", rects: Array.from({length: 50}, () => [0, 0, 64, 64])}));
  events.splice(events.indexOf(clear) + 1, 0, {event: "dp2", context: 1, commands: draws});
  fs.writeFileSync(file, JSON.stringify(events));
  const page = await open(context, pageOf("bounded"));
  await page.setInputFiles("#chosen-file", file);
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined || !document.getElementById("welcome-failure").hidden);
  await drop(page, path.join(inputs, "triangle.json"));
});

// A trace with the frame of the triangle so many times; each sets a state of its own.
function manyFrames(name, frames) {
  const file = path.join(work, `${name}.json`);
  const events = JSON.parse(fs.readFileSync(path.join(inputs, "triangle.json"), "utf8"));
  const [call, present] = ["dp2", "present"].map((kind) => events.find(({event}) => event === kind));
  const commandsOf = (i) => [{op: "RENDERSTATE", records: [{render_state: i % 2 ? "ALPHAREF" : "FOGCOLOR", state: i}]}, ...call.commands.filter(({op}) => i === 0 || op !== "RENDERSTATE")];
  const all = Array.from({length: frames}, (_, i) => [{...call, commands: commandsOf(i)}, present]).flat();
  fs.writeFileSync(file, JSON.stringify([...events.slice(0, events.indexOf(call)), ...all]));
  return file;
}

const isAt = (page, frame) => page.waitForFunction((wanted) => document.getElementById("panes").dataset.drawn?.startsWith(`${wanted}/`), frame);

test("a trace without frames leaves nothing of the one before, and opens its findings", async (context) => {
  const page = await open(context, pageOf("frameless"));
  const header = path.join(work, "header.json");
  fs.writeFileSync(header, JSON.stringify([{event: "header"}]));
  // First of all, after another one, and with a finding that says why.
  await drop(page, header);
  const checkEmpty = async () => {
    assert.match(await page.textContent("#nothing"), /^The trace has no frame/);
    for (const key of ["j", "]", "[", " ", "e", "f"]) await page.keyboard.press(key);
    for (const id of ["leave-out", "move-earlier", "move-later"]) assert.equal(await page.isVisible(`#${id}`), false, id);
    for (const id of ["frame-before", "frame-next"]) assert.equal(await page.isDisabled(`#${id}`), true, id);
    assert.equal(await page.locator("#timeline [role=treeitem]").count(), 0);
    assert.equal(await page.locator("#panes canvas").count(), 0);
    assert.equal(await page.textContent("#detail"), "");
    assert.equal(await page.isVisible("#warning"), false);
  };
  await checkEmpty();
  await drop(page, path.join(inputs, "triangle.json"));
  await new Reader(page).ready();
  await drop(page, header);
  await checkEmpty();
  const cut = path.join(work, "cut.dp2t");
  execFileSync(program, ["convert", path.join(inputs, "triangle.json"), cut]);
  fs.truncateSync(cut, 60);
  await drop(page, cut);
  await checkEmpty();
  assert.ok(await page.locator("#finding-rows tbody tr").first().isVisible());
  await page.screenshot({path: path.join(shots, "live-frameless.png")});
  await drop(page, path.join(inputs, "triangle.json"));
  assert.equal(await page.isVisible("#trace-findings"), false);
  await new Reader(page).ready();
});

test("frames are walked by button, keys and strip, and the browser goes back", async (context) => {
  const page = await open(context, pageOf("walked", manyFrames("walked", 30)));
  await isShown(page, "walked.json");
  await isAt(page, 1);
  assert.equal(await page.isDisabled("#frame-next"), false);
  await page.click("#frame-next");
  await isAt(page, 2);
  await page.evaluate(() => {
    for (let i = 0; i < 20; ++i) document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "]", bubbles: true}));
  });
  await isAt(page, 22);
  await page.goBack();
  await isAt(page, 2);
  // One stop of Tab, and the arrows.
  assert.equal(await page.locator("#strip [tabindex='0'], #strip button:not([tabindex='-1'])").count(), 0);
  await page.focus("#strip");
  await page.keyboard.press("End");
  await isAt(page, 30);
  assert.equal(await page.isDisabled("#frame-next"), true);
  await page.keyboard.press("ArrowLeft");
  await isAt(page, 29);
  await page.click("#strip button[aria-label^='Frame 28,']");
  await isAt(page, 28);
  await page.keyboard.press("ArrowRight");
  await isAt(page, 29);
  // An item, too, once the reader stays with it.
  await page.waitForTimeout(400);
  await page.click("#timeline [role=treeitem] >> nth=0");
  await page.waitForFunction(() => document.getElementById("panes").dataset.drawn.startsWith("29/0/"));
  await page.goBack();
  await page.waitForFunction(() => /^29\/[1-9]/.test(document.getElementById("panes").dataset.drawn));
  await page.goBack();
  await isAt(page, 28);
});

test("an address names a draw alone, and a pixel as p; what is not there is said", async (context) => {
  const page = await open(context, pageOf("addressed", manyFrames("addressed", 9)), {hash: "#d=9&p=20,10"});
  await isShown(page, "addressed.json");
  await page.waitForFunction(() => document.getElementById("selection").dataset.shown === "20,10,21,11");
  const drawOf = (n) => page.waitForFunction((wanted) => document.getElementById("item-facts").textContent.includes(`draw${wanted}`), n);
  await drawOf(9);
  assert.equal(await page.inputValue("#frame"), "5");
  const reader = new Reader(page);
  await reader.go("#d=14");
  await drawOf(14);
  assert.equal(await page.inputValue("#frame"), "7");
  assert.equal(await page.isVisible("#warning"), false);
  for (const [hash, said] of [["#d=99", "draw 99"], ["#f=2&d=9", "draw 9 in frame 2"], ["#f=2&x=90,y=1", null], ["#f=2&p=90,1", "pixel 90,1: the picture has 64 × 64 pixels"], ["#f=2&x=9&y=64", "pixel 9,64"]]) {
    await reader.go(hash);
    if (!said) continue;
    await page.waitForSelector("#warning:not([hidden])");
    assert.ok((await page.textContent("#warning")).includes(said), await page.textContent("#warning"));
  }
});

test("a pixel is chosen by keys, and its history is seen", async (context) => {
  const page = await open(context, pageOf("keys", scene("stencil-shadow")), {viewport: {width: 1600, height: 950}});
  await isShown(page, "stencil-shadow.json");
  await new Reader(page).ready();
  await page.focus("#panes .stage");
  await page.keyboard.press("ArrowRight");
  const start = (await page.textContent("#pixel")).match(/^pixel (\d+), (\d+):/).slice(1).map(Number);
  for (const key of ["ArrowRight", "Shift+ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  assert.match(await page.textContent("#pixel"), new RegExp(`^pixel ${start[0] + 1}, ${start[1] + 9}:`));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("history-text").textContent.length > 9);
  await page.waitForFunction(() => {
    const [pane, selection] = ["picture", "selection"].map((id) => document.getElementById(id).getBoundingClientRect());
    return selection.bottom <= pane.bottom + 1 && document.getElementById("history").open;
  });
  assert.equal(await page.textContent("#selection-name").then((text) => text.startsWith(`Pixel ${start[0] + 1}, ${start[1] + 9} of`)), true);
  await page.screenshot({path: path.join(shots, "live-history.png")});
});

test("on a scaled screen a click is of the pixel under the pointer", {skip: kIsFirefox}, async (context) => {
  const page = await open(context, pageOf("scaled", scene("stencil-shadow")), {deviceScaleFactor: 1.5, viewport: {width: 1280, height: 800}});
  await isShown(page, "stencil-shadow.json");
  await new Reader(page).ready();
  for (let i = 0; i < 10; ++i) {
    const box = await page.locator("#panes .sheet").boundingBox();
    await page.mouse.move(box.x + 20.67 + 13.37 * i, box.y + 130.34 + 7.71 * i);
    const [, x, y] = (await page.textContent("#pixel")).match(/^pixel (\d+), (\d+):/).map(Number);
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForFunction((wanted) => document.getElementById("selection").dataset.shown === wanted, `${x},${y},${x + 1},${y + 1}`);
  }
});

test("who set a state of an earlier frame is named and reached, and fits into the pane", async (context) => {
  const file = manyFrames("setters", 5);
  for (const width of [1281, 1600, 1920]) {
    const page = await open(context, pageOf(`setters-${width}`, file), {hash: "#f=5&d=10", viewport: {width, height: 950}});
    await isShown(page, "setters.json");
    await page.waitForSelector("#detail .states");
    const {scrollWidth, clientWidth} = await page.$eval("#detail .states", ({scrollWidth, clientWidth}) => ({scrollWidth, clientWidth}));
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} of ${clientWidth} at ${width}`);
    const setter = page.locator("#detail tr", {hasText: "ALPHAREF"}).locator("td").nth(2);
    assert.equal(await setter.textContent(), "frame 4");
    if (width !== 1600) continue;
    await page.screenshot({path: path.join(shots, "live-setters.png")});
    await setter.locator("a").click();
    await isAt(page, 4);
    await page.waitForSelector("#detail [aria-current], #detail .token[open]");
  }
});
