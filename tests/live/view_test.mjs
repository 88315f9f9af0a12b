// `dp2trace view`: the same page, served. Who does not know the address gets nothing; it ends with the page.
// usage: see tests/browser/run.sh
import assert from "node:assert/strict";
import {execFileSync, spawnSync} from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import {test} from "node:test";

import {startBrowser} from "../browser/browser.mjs";
import {manyDraws, Reader, Trace} from "../inspect_page/trace.mjs";
import {Program} from "./program.mjs";

const {program, shots, work, open} = startBrowser();
const file = path.resolve(import.meta.dirname, "../../traces/scenes/teapot-of-patches.json");

// The status of a request: [status, headers].
function get(address, headers = {}, method = "GET") {
  return new Promise((resolve, reject) => {
    const request = http.request(address, {method, headers}, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers]);
    });
    request.on("error", reject);
    request.end();
  });
}

test("the page shows the trace, and the program ends with it", async (context) => {
  const folder = fs.mkdtempSync(path.join(work, "temporary-"));
  process.env.TMPDIR = folder;
  const served = await Program.start(program, file);
  delete process.env.TMPDIR;
  assert.equal(fs.readdirSync(folder).length, 1);
  const page = await open(context, served.address);
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  const trace = new Trace(program, file, path.join(work, "teapot"));
  assert.equal(await new Reader(page).differences(trace.frame(1).bytes), 0);
  await page.screenshot({path: path.join(shots, "live-view.png")});
  await page.goto("about:blank");
  const [code] = await served.exit;
  assert.equal(code, 0);
  assert.deepEqual(fs.readdirSync(folder), []);
});

test("pictures and traces beside the trace are compared by the program", async (context) => {
  const served = await Program.start(program, file);
  const page = await open(context, served.address);
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  const shown = (name) => page.waitForFunction((wanted) => document.getElementById("beside-result").dataset.shown === wanted, name);
  const changed = path.join(work, "a name & <another>.dp2t");
  execFileSync(program, ["edit", file, changed, "--set", "draw=2-,FILLMODE=WIREFRAME"]);
  const trace = new Trace(program, changed, path.join(work, "changed"));
  const picture = trace.frame(1).file;
  await page.setInputFiles("#beside-file", picture);
  await shown(path.basename(picture));
  assert.equal(await page.getAttribute("html", "data-beside"), "different");
  const blame = spawnSync(program, ["blame", file, "--frame", "1", "--against", picture], {encoding: "utf8"}).stdout;
  assert.equal(await page.textContent("#beside-result pre"), blame);
  await page.screenshot({path: path.join(shots, "live-view-blame.png")});
  await page.setInputFiles("#beside-file", changed);
  await shown(path.basename(changed));
  assert.equal(await page.textContent("#beside-result pre"), spawnSync(program, ["diff", file, changed], {encoding: "utf8"}).stdout);
  await page.goto("about:blank");
  await served.exit;
});

test("what takes long says how far it is, and can be cancelled", async (context) => {
  const slow = path.join(work, "slow.json");
  const events = JSON.parse(manyDraws(6000, 640, 480));
  const frame = events.filter(({event}) => event === "dp2" || event === "present");
  fs.writeFileSync(slow, JSON.stringify([...events, ...frame, ...frame, ...frame]));
  const served = await Program.start(program, slow);
  const page = await open(context, served.address, {expected: /it was cancelled|404/});
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  // A frame may be there before the button is pressed: then it is the next frame's turn.
  const isCancelled = () => page.evaluate(() => document.getElementById("warning").textContent === "it was cancelled");
  let tells = false;
  for (let i = 0; i < 3 && !(await isCancelled()); ++i) {
    await page.keyboard.press("]");  // the next frame
    await page.waitForSelector("#cancel:not([hidden])");
    await page.waitForFunction(() => document.getElementById("cancel").hidden || /^working: \d+ %$/.test(document.getElementById("work").textContent));
    tells ||= await page.evaluate(() => {
      document.getElementById("cancel").click();
      return /^working: \d+ %$/.test(document.getElementById("work").textContent);
    });
    await page.waitForSelector("#cancel", {state: "hidden"});
  }
  assert.ok(tells);
  assert.ok(await isCancelled());
  // It can be asked for again.
  const done = async () => (await (await fetch(`${served.own}progress`)).json()).done;
  for (const name of ["frames/2", "findings"]) {
    const before = await done();
    const end = served.ask(name).then(() => "it was answered", ({message}) => message);
    while ([0, before].includes(await done())) ;
    assert.equal((await fetch(`${served.own}cancel`, {method: "POST"})).status, 200);
    assert.equal(await end, "it was cancelled");
  }
  assert.equal((await served.ask("findings")).error, 0);
  await page.goto("about:blank");
  await served.stop();
});

test("what is asked after the program has ended says so", async (context) => {
  const served = await Program.start(program, file);
  const page = await open(context, served.address, {expected: /dp2trace view has ended|ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE|NetworkError|network|could not/i});
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  assert.equal(await page.title(), `${path.basename(file)}: dp2trace view`);
  await served.stop();
  const words = "dp2trace view has ended: what is not here yet cannot be shown any more.";
  const isSaid = () => page.waitForFunction((text) => !document.getElementById("warning").hidden && document.getElementById("warning").textContent === text, words);
  await isSaid();
  await page.evaluate(() => (document.getElementById("warning").textContent = ""));
  await page.click("#leave-out");
  await page.waitForFunction((text) => document.getElementById("changes-failure").textContent.includes(text), words);
  await page.evaluate(() => page.data("frames/1000").catch(inspect.warn));
  await isSaid();
});

test("a page that is loaded anew keeps the program", async (context) => {
  const served = await Program.start(program, file);
  const page = await open(context, served.address);
  for (let i = 0; i < 3; ++i) await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  assert.equal(served.child.exitCode, null);
  await page.goto("about:blank");
  await served.stop();
});

test("a draw is drawn earlier, with its own states", async (context) => {
  const trace = path.join(work, "two-quads.json");
  const factor = (color) => ({op: "RENDERSTATE", records: [{render_state: "TEXTUREFACTOR", state: color}]});
  const quad = {op: "TRIANGLESTRIP", count: 2, v_start: 0};
  fs.writeFileSync(trace, JSON.stringify([
    {event: "header"}, {event: "surface_create", handle: 1, kind: "target", format: "X8R8G8B8", width: 64, height: 64}, {event: "context_create", context: 1, target: 1},
    {event: "dp2", context: 1, vertex_type: "XYZRHW", vertex_size: 16, vertices: [[0, 0, 0, 1], [64, 0, 0, 1], [0, 64, 0, 1], [64, 64, 0, 1]], commands: [
      {op: "RENDERSTATE", records: [{render_state: "ZENABLE", state: "FALSE"}, {render_state: "CULLMODE", state: "NONE"}]},
      {op: "TEXTURESTAGESTATE", records: [{stage: 0, ts_state: "COLOROP", value: "SELECTARG1"}, {stage: 0, ts_state: "COLORARG1", value: "TFACTOR"}]},
      factor("0xFFFF0000"), quad, factor("0xFF00FF00"), quad]},
    {event: "present", handle: 1}]));
  const served = await Program.start(program, trace);
  const page = await open(context, served.address);
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  const reader = new Reader(page);
  await reader.go("#f=1&d=1");
  assert.equal(await page.isVisible("#move-earlier"), false, "nothing is drawn before draw 1");
  await reader.go("#f=1&d=2");
  const shown = () => page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  await page.evaluate(() => delete document.documentElement.dataset.findings);
  await page.click("#move-earlier");
  await shown();
  assert.equal(await page.textContent("#changes-list li"), "draw 2 before draw 1 Undo");
  await reader.go("#f=1&d=2");
  const moved = new Trace(program, path.join(work, "moved.json"), path.join(work, "moved"));
  moved.run("edit", trace, moved.file, "--move", "draw=2,before=1");
  assert.equal(await reader.differences(moved.frame(1).bytes), 0);
  assert.notEqual(await reader.differences(new Trace(program, trace, path.join(work, "unmoved")).frame(1).bytes), 0);
  // The draw that was moved is still the one that is shown, and comes back.
  await reader.go("#f=1&d=1");
  await page.screenshot({path: path.join(shots, "live-moved.png")});
  await page.click("#move-later");
  await page.waitForSelector("#changes", {state: "hidden"});
  await page.goto("about:blank");
  await served.exit;
});

test("each page has its own changes, and a page that is loaded anew has none", async (context) => {
  const shadow = path.resolve(file, "../stencil-shadow.json");
  const served = await Program.start(program, shadow);
  const [one, other] = [await open(context, served.address), await open(context, served.address)];
  const isShown = (page) => page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  await Promise.all([one, other].map(isShown));
  const original = new Trace(program, shadow, path.join(work, "original")).frame(1).bytes;
  const readers = [new Reader(one), new Reader(other)];
  for (const reader of readers) await reader.go("#f=1&d=3");
  await one.click("#leave-out");
  await one.waitForSelector("#changes:not([hidden])");
  for (const reader of readers) await reader.go("#f=1&d=6");
  assert.equal(await readers[1].differences(original), 0);
  assert.notEqual(await readers[0].differences(original), 0);
  await one.reload();
  await isShown(one);
  assert.equal(await one.isVisible("#changes"), false);
  const again = new Reader(one);
  await again.ready();
  await again.go("#f=1&d=6");
  assert.equal(await again.differences(original), 0);
  for (const page of [one, other]) await page.goto("about:blank");
  await served.stop();
});

test("more pages than may be are refused with a sentence, until one is closed", async () => {
  const served = await Program.start(program, file);
  const pages = Array.from({length: 8}, (_, number) => ({address: `${served.address}pages/${String(number).repeat(16)}/`, stop: new AbortController()}));
  for (const {address, stop} of pages) await fetch(`${address}alive`, {signal: stop.signal});
  const another = `${served.address}pages/${"f".repeat(16)}/data/findings`;
  const refused = await fetch(another);
  assert.equal(refused.status, 404);
  assert.match(await refused.text(), /^8 pages show this trace; close one of them first$/);
  pages[0].stop.abort();
  let status = 404;
  for (let tries = 0; tries < 100 && status !== 200; ++tries) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    status = (await fetch(another)).status;
  }
  assert.equal(status, 200);
  for (const {stop} of pages) stop.abort();
  await served.stop();
});

test("nothing else can be reached", async () => {
  const served = await Program.start(program, file);
  try {
    const {address, own} = served;
    const [status, headers] = await get(address);
    assert.equal(status, 200);
    assert.equal(headers["cache-control"], "no-store");
    const base = address.replace(/[^/]*\/$/, "");
    for (const other of [base, `${base}data/findings`, `${base}0000/`, `${address}../`, `${address}data/findings`, `${address}pages/0/data/findings`, `${own}data/../../../../../etc/passwd`, `${own}data/%2e%2e/x`, `${address}engine.wasm`]) assert.equal((await get(other))[0], 404, other);
    assert.equal((await get(address, {Host: "example.com"}))[0], 403, "another name of this machine");
    assert.equal((await get(`${own}data/findings`, {}, "POST"))[0], 404);
    // What is posted lies beside the trace, under a name of the program, and nowhere else.
    for (const other of [`${base}beside/x`, `${base}0000/beside/x`, `${address}beside/x`, `${own}beside/`, `${own}beside/..%2f..%2fx`, `${own}beside/../../x`]) assert.equal((await get(other, {}, "POST"))[0], 404, other);
    assert.equal((await get(`${own}beside/x`, {Host: "example.com"}, "POST"))[0], 403);
    assert.equal((await get(`${own}beside/x`))[0], 404);
    assert.equal((await get(`${own}beside/x`, {"Content-Type": "multipart/form-data; boundary=x"}, "POST"))[0], 415);
    await assert.rejects(served.beside("x", Buffer.from([0, 1, 2])), /\S/);
    await assert.rejects(served.ask("frames/2"), /there is no|frame 2/);
    assert.equal((await served.ask("findings")).error, 0);
    const lines = "set draw=2,ZENABLE=FALSE\nset draw=2,FILLMODE=WIREFRAME";
    assert.equal((await served.ask(`edit/${encodeURIComponent(lines)}`)).patches.length, 2, "several changes");
  } finally {
    await served.stop();
  }
});

test("a port that is taken is an error", async () => {
  const served = await Program.start(program, file);
  await assert.rejects(Program.start(program, file, "--port", new URL(served.address).port), /is not free/);
  await served.stop();
});
