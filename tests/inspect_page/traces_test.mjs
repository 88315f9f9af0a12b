// Inspect pages of real traces: what they show is what `state`, `dump`, `replay` and `history` say.
// usage: see tests/browser/run.sh; screenshots go to FOLDER/shots. Arguments: the folder of captures, which may be absent.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {before, test} from "node:test";

import {checkReadable, startBrowser} from "../browser/browser.mjs";
import {Reader, Trace, manyDraws} from "./trace.mjs";

const {program, shots, work, more: [corpus], open} = startBrowser();
const traces = path.resolve(import.meta.dirname, "../../traces");
const kCases = [
  {name: "scene", file: path.join(traces, "scenes/lit-textured-knot.json"), frame: 1, panes: {textures: /X8R8G8B8 64 × 64/, vertices: /1,815 vertices/, shaders: /fixed functions/, findings: /None/}},
  {name: "patches", file: path.join(traces, "features/patch-bezier.json"), frame: 1, panes: {}},
  {name: "widgets", capture: "imgui-d3d9/demo.trace", frame: 2, panes: {textures: /texture/}},
  {name: "sprites", capture: "sdl2-d3d9/testsprite2.trace", frame: 2, panes: {}},
];

function traceOf({name, file, capture}) {
  const folder = path.join(work, name);
  if (file) return new Trace(program, file, folder);
  const source = path.join(corpus ?? "", capture);
  if (!corpus || !fs.existsSync(source)) return null;
  const trace = new Trace(program, path.join(folder, "capture.dp2t"), folder);
  trace.run("import", source, trace.file);
  return trace;
}

const hexOf = (offset) => `0x${offset.toString(16)}`;

// The states that are not as by default: the same names and values, and the same token that set each.
async function checkStates(page, reader, trace, draw) {
  await reader.pane("states");
  const due = trace.state(draw).states.filter((one) => !one.is_default);
  const rows = await page.$$eval("#detail table tbody tr", (found) => found.map(({cells: [name, value, set]}) => [name.querySelector("span").firstChild.data, value.querySelector("span").firstChild.data, set.firstElementChild?.title ?? "", set.firstElementChild?.getClientRects().length ?? 1]));
  const expected = due.map(({name, value, set}) => [name, value, set ? `event ${set.event}${set.offset === undefined ? "" : `, offset ${hexOf(set.offset)}`}` : "", 1]);
  assert.deepEqual(rows, expected.slice(0, 100));
}

// The item's own token is what `state` and `dump` write; its bytes begin with the code of the operation and the count.
async function checkTokens(page, reader, trace, draw) {
  await reader.pane("tokens");
  const {command} = trace.state(draw).draw;
  await page.waitForFunction((text) => [...document.querySelectorAll("#detail summary.token")].at(-1)?.textContent === text, command);
  assert.ok(trace.dump("--draws", String(draw)).includes(command.replace(" ", ` draw ${draw}: `)));
  const hex = await page.$$eval("#detail details > code", (found) => found.at(-1).textContent);
  assert.match(hex, /^[0-9a-f]{8}( [0-9a-f]{8})*( [0-9a-f]{1,7})?$/);
}

for (const one of kCases) {
  test(`${one.name}: pictures, states, tokens and pixels are those of the other verbs`, async (context) => {
    const trace = traceOf(one);
    if (!trace) return context.skip(`${one.capture} is not here`);
    const page = await open(context, trace.inspect(String(one.frame)));
    const reader = new Reader(page);
    await reader.ready();
    const {items} = await page.evaluate((frame) => page.data(`frames/${frame}`), one.frame);
    const draws = items.filter(({kind}) => kind === "draw").map(({draw}) => draw);
    assert.ok(draws.length > 0);
    assert.equal(await page.textContent("#found"), `${items.length.toLocaleString("en")} items`);

    await reader.go(`#f=${one.frame}&i=${items.length - 1}`);
    assert.equal(await reader.differences(trace.frame(one.frame).bytes), 0, "the frame as a replay writes it");
    await page.screenshot({path: path.join(shots, `inspect-${one.name}.png`)});

    for (const draw of [draws[0], draws[Math.floor(draws.length / 2)], draws.at(-1)]) {
      await reader.go(`#f=${one.frame}&d=${draw}`);
      assert.match(await page.textContent("#item-facts"), new RegExp(`draw${draw}event`));
      assert.equal(await reader.differences(trace.draw(draw).bytes), 0, `after draw ${draw}`);
      await checkStates(page, reader, trace, draw);
      await checkTokens(page, reader, trace, draw);
    }
    for (const [pane, text] of Object.entries(one.panes)) {
      await reader.pane(pane);
      await page.waitForFunction(([source]) => new RegExp(source).test(document.getElementById("detail").textContent), [text.source]);
    }
    await checkPixel(page, reader, trace, one.frame);
    await checkComparison(page, reader, trace, one.frame, items.length);
  });
}

// Of the pixel in the middle: what it holds at the end, and which draws wrote it, are those of its history.
async function checkPixel(page, reader, trace, frame) {
  const {width, height} = await page.$eval("#panes canvas", (canvas) => ({width: canvas.width, height: canvas.height}));
  const [x, y] = [width >> 1, height >> 1];
  await reader.go(`#f=${frame}&x=${x}&y=${y}`);
  await page.waitForFunction((shown) => document.getElementById("selection").dataset.shown === shown, `${x},${y},${x + 1},${y + 1}`);
  const rows = await reader.table("#selection-rows");
  const history = trace.history(frame, x, y);
  const text = history.after.color.replace(/^#(..)(......)$/, "($2$1)");
  assert.ok(rows.at(-1)[2].includes(text), `${rows.at(-1)[2]} in place of ${text}`);
  const wrote = new Set(history.operations.filter((one) => one.draw && one.writes).map((one) => String(one.draw)));
  for (const [, draw] of rows.slice(1)) assert.ok(draw === "" || wrote.has(draw), `draw ${draw} is not in the history`);
  assert.match(await page.textContent("#commands"), new RegExp(`^dp2trace history \\S+ --frame ${frame} --pixel ${x},${y}Copy$`));
}

// The picture of a replay equals that of the page; that of the page before the first draw does not.
async function checkComparison(page, reader, trace, frame, count) {
  await reader.go(`#f=${frame}&i=${count - 1}&v=compare`);
  await page.setInputFiles("#yours", trace.frame(frame).file);
  await page.waitForFunction(() => document.getElementById("about-view").textContent === "No pixel differs.");
  assert.equal(await page.locator("#panes figure").count(), 3);
  await reader.go(`#f=${frame}&i=0&v=compare`);
  await page.waitForFunction(() => /^[\d,]+ pixels? differs?; first at/.test(document.getElementById("about-view").textContent));
}

test("the history of a pixel that was chosen at writing time", async (context) => {
  const trace = new Trace(program, path.join(traces, "scenes/lit-textured-knot.json"), path.join(work, "history"));
  const page = await open(context, trace.inspect("1", "--history", "200,120"), {hash: "#f=1&x=200&y=120"});
  await page.waitForSelector("#history", {state: "visible"});
  const due = trace.run("history", trace.file, "--frame", "1", "--pixel", "200,120");
  const text = await page.textContent("#history-text");
  assert.ok(text.length > 200);
  assert.ok(due.includes(text.trim()) || text.includes(due.trim()), "the text is that of history");
});

let scene;
before(() => {
  const trace = new Trace(program, path.join(traces, "scenes/stencil-shadow.json"), path.join(work, "shadow"));
  scene = {trace, folder: trace.inspect("1")};
});

// A page of the scene with a shadow in the stencil buffer, at an address.
async function openScene(context, hash = "", options = {}) {
  const page = await open(context, scene.folder, {hash, ...options});
  const reader = new Reader(page);
  await reader.ready();
  return {page, reader};
}

const itemsOf = (page) => page.evaluate(async () => (await page.data("frames/1")).items);
const current = (page) => page.textContent("#timeline [aria-selected=true] .number");
const isShown = (page, text) => page.waitForFunction((wanted) => document.getElementById("panes").dataset.drawn === wanted, text);

test("views of the picture: before, what changed, both, overdraw, wireframe, planes", async (context) => {
  const {page, reader} = await openScene(context);
  const items = await itemsOf(page);
  const place = items.findLastIndex(({kind}) => kind === "draw");
  const {target, draw, pixels} = items[place];
  await reader.go(`#f=1&i=${place}`);
  await page.keyboard.press("2");
  await isShown(page, `1/${place}/${target}/before`);
  const earlier = items.findLast((item) => item.draw && item.draw < draw && item.target === target).draw;
  assert.equal(await reader.differences(scene.trace.draw(earlier).bytes), 0, "before is after the draw before");
  await page.keyboard.press("3");
  await isShown(page, `1/${place}/${target}/changed`);
  const changed = Number((await page.textContent("#about-view")).replace(/[^\d]/g, ""));
  assert.ok(changed > 0 && changed <= pixels, `${changed} changed of ${pixels}`);
  await page.keyboard.press("b");
  assert.ok(await page.isVisible("#panes .box"));
  await page.keyboard.press("4");
  await isShown(page, `1/${place}/${target}/both`);
  assert.equal(await reader.differences(scene.trace.draw(draw).bytes, 1), 0);
  await page.keyboard.press("5");
  await isShown(page, `1/${place}/${target}/heat`);
  assert.match(await page.textContent("#about-view"), /black 0 to red [1-9]/);
  await page.screenshot({path: path.join(shots, "inspect-overdraw.png")});
  await page.keyboard.press("1");
  await page.keyboard.press("w");
  await page.waitForFunction(() => document.querySelector("path.wire")?.getAttribute("d").length > 100);
  await page.screenshot({path: path.join(shots, "inspect-wireframe.png")});
  for (const plane of ["depth", "stencil"]) {
    const id = await page.evaluate(async (wanted) => (await page.data("frames/1")).targets.find((one) => one.plane === wanted).id, plane);
    await page.selectOption("#target", String(id));
    await isShown(page, `1/${place}/${id}/after`);
    await page.click("#range-fit");
    await page.waitForFunction(() => document.getElementById("high").valueAsNumber > document.getElementById("low").valueAsNumber);
    const levels = await page.evaluate(() => {
      const canvas = document.querySelector("#panes canvas");
      return new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
    });
    assert.ok(levels > 1, `${plane}: ${levels} levels`);
    await page.screenshot({path: path.join(shots, `inspect-${plane}.png`)});
  }
});

test("searching: every kind of term names what the data say", async (context) => {
  const {page} = await openScene(context);
  const items = await itemsOf(page);
  const places = (test) => items.flatMap((item, i) => (test(item) ? [i] : []));
  const texture = items.find((item) => item.textures?.length)?.textures[0];
  const cases = [
    ["kind:draw", places(({kind}) => kind === "draw")],
    ["op:DRAW*", places(({name}) => name.startsWith("DRAW"))],
    ["-op:draw*", places(({name}) => !name.startsWith("DRAW"))],
    ["clear", places(({name}) => name === "CLEAR")],
    [`texture:${texture}`, places(({textures = []}) => textures.includes(texture))],
    ["set:STENCILENABLE=1", places(({states = []}) => states.includes("render_state.STENCILENABLE=TRUE"))],
    ["rule:*", places(({rules = []}) => rules.length > 0)],
  ];
  for (const [text, due] of cases) {
    await page.fill("#find", text);
    await page.waitForFunction((wanted) => document.getElementById("timeline").dataset.found === wanted, text);
    assert.equal(await page.textContent("#found"), `${due.length} of ${items.length} items`, text);
  }
  // In force is what was set and not changed since: as `state` says.
  await page.fill("#find", "state:STENCILENABLE=TRUE");
  await page.waitForFunction(() => document.getElementById("timeline").dataset.found === "state:STENCILENABLE=TRUE");
  const due = items.filter(({kind}) => kind === "draw").filter(({draw}) => scene.trace.state(draw).states.some(({name, value}) => name === "STENCILENABLE" && value === "TRUE"));
  assert.equal(await page.textContent("#found"), `${due.length} of ${items.length} items`);
});

test("who set a state: its link goes to the token", async (context) => {
  const {page, reader} = await openScene(context, "#f=1&d=6&p=states");
  await reader.pane("states");
  const {states} = scene.trace.state(6);
  const {set} = states.find(({name}) => name === "STENCILENABLE");
  const row = page.locator("#detail tbody tr", {hasText: "STENCILENABLE"});
  assert.equal(await row.locator("a").getAttribute("title"), `event ${set.event}, offset ${hexOf(set.offset)}`);
  await row.locator("a").click();
  await page.waitForFunction(() => document.getElementById("detail").dataset.shown.endsWith("/tokens") && document.querySelector("#detail tr[aria-current]"));
  assert.match(await page.textContent("#detail tr[aria-current]"), new RegExp(`^0x0*${set.offset.toString(16)} RENDERSTATE .*STENCILENABLE`));
});

test("a pixel, a rectangle, and the items that changed them", async (context) => {
  const {page} = await openScene(context);
  await page.locator("#panes canvas").click({position: {x: 60, y: 200}});
  await page.waitForSelector("#selection[data-shown]");
  assert.match(await page.textContent("#selection-name"), /^Pixel \d+, \d+ of /);
  const [, x, y] = /Pixel (\d+), (\d+)/.exec(await page.textContent("#selection-name"));
  const changes = await page.locator("#selection-rows tbody a").count();
  assert.ok(changes > 0);
  await page.click("#commands button");
  await page.waitForFunction(() => ["Copied", "Selected"].includes(document.querySelector("#commands button").textContent));
  await page.keyboard.press("f");
  await page.waitForFunction((count) => document.getElementById("found").textContent.startsWith(`${count} of `), changes);
  await page.fill("#find", `pixel:${x},${y}`);
  await page.waitForFunction(([text]) => document.getElementById("timeline").dataset.found === text, [`pixel:${x},${y}`]);
  await page.locator("#selection-rows tbody a").first().click();
  assert.equal(await current(page), (await page.locator("#selection-rows tbody a").first().textContent()).split(" ")[0]);
  const box = await page.locator("#panes canvas").boundingBox();
  await page.keyboard.down("Shift");
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 90, box.y + 60, {steps: 4});
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.waitForFunction(() => /^Region \d+,\d+,\d+,\d+ of /.test(document.getElementById("selection-name").textContent));
  assert.match(await page.textContent("#selection-text"), /items? of this frame changed something in it/);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#selection", {state: "hidden"});
});

test("keys, film and the address", async (context) => {
  const {page, reader} = await openScene(context, "#f=1&i=0&p=tokens&v=changed");
  const items = await itemsOf(page);
  assert.equal(await current(page), "0");
  await page.waitForFunction(() => document.getElementById("detail").dataset.shown === "1/0/tokens");
  await page.keyboard.press("j");
  await page.waitForFunction(() => /[#&]i=1(&|$)/.test(location.hash));
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => /[#&]i=2(&|$)/.test(location.hash));
  await page.keyboard.press("k");
  await page.waitForFunction(() => /[#&]i=1(&|$)/.test(location.hash));
  await page.focus("#timeline");
  await page.keyboard.press("End");
  await page.waitForFunction((last) => new RegExp(`[#&]i=${last}(&|$)`).test(location.hash), items.length - 1);
  await page.keyboard.press("Home");
  await page.keyboard.press("n");
  await page.waitForFunction(() => location.hash.includes("p=findings"));
  await page.selectOption("#speed", "30");
  await page.click("#play");
  await page.waitForFunction((last) => document.getElementById("slider").valueAsNumber === last && document.getElementById("play").textContent === "Play", items.length - 1);
  await page.evaluate(() => {
    document.getElementById("slider").value = 3;
    document.getElementById("slider").dispatchEvent(new Event("input"));
  });
  await page.waitForFunction(() => /[#&]i=3(&|$)/.test(location.hash));
  const {hash} = new URL(page.url());
  const again = await openScene(context, hash);
  assert.equal(await current(again.page), "3");
  assert.equal(new URL(again.page.url()).hash, hash);
  await page.bringToFront();
  await page.keyboard.press("/");
  await page.keyboard.type("j");
  assert.equal(await page.inputValue("#find"), "j", "keys are letters in the field");
  await page.keyboard.press("Escape");
  await page.fill("#find", "");
  await page.waitForFunction((text) => document.getElementById("found").textContent === text, `${items.length} items`);
  await page.focus("#timeline");
  await page.keyboard.press("End");
  await page.selectOption("#grouping", "target");
  await page.waitForFunction(() => document.querySelectorAll("#timeline .group").length > 0);
  const rows = await page.locator("#timeline .item").count();
  await page.locator("#timeline .group").first().click();
  assert.ok(await page.locator("#timeline .item").count() < rows, "a group closes");
  await page.locator("#timeline .group").first().click();
  await reader.go("#f=1&d=1");
  assert.equal(await current(page), String(items.findIndex(({draw}) => draw === 1)));
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#keys"));
  await page.screenshot({path: path.join(shots, "inspect-keys.png")});
});

test("findings are those of lint, with what explain says", async (context) => {
  const trace = new Trace(program, path.join(traces, "hostile/blits-outside.json"), path.join(work, "findings"));
  const folder = path.join(trace.folder, "page");
  const listed = trace.run("lint", trace.file, "--html", folder, "--fail-on", "never");
  const page = await open(context, folder);
  await page.waitForFunction(() => document.getElementById("detail").dataset.shown?.endsWith("/findings"));
  const counts = await page.evaluate(async () => (await page.data("frames/1")).items.map(({findings}) => (findings ?? []).reduce((sum, count) => sum + count, 0)));
  const first = counts.findIndex((count) => count > 0);
  assert.equal(await current(page), String(first));
  const messages = () => page.$$eval("#detail td > div > p", (found) => found.map((one) => one.textContent));
  assert.equal((await messages()).length, counts[first]);
  for (const message of await messages()) assert.ok(listed.includes(message), message);
  await page.locator("#detail td summary").first().click();
  const rule = await page.locator("#detail td summary").first().textContent();
  const explained = trace.run("explain", rule);
  for (const line of (await page.locator("#detail .explain").first().innerText()).split("\n").filter(Boolean)) assert.ok(explained.includes(line.trim()), line);
  await page.keyboard.press("e");
  await page.waitForFunction((place) => document.querySelector("#timeline [aria-selected=true] .number").textContent === place, String(counts.findIndex((count, i) => i > first && count > 0)));
  await checkReadable(page);
  await page.screenshot({path: path.join(shots, "inspect-findings.png")});
});

test("2,000 draws of 640 x 480 are small, open soon, and every place of them is right", async (context) => {
  const trace = new Trace(program, path.join(work, "many/many.json"), path.join(work, "many"));
  fs.writeFileSync(trace.file, manyDraws(2000, 640, 480));
  const folder = trace.inspect("1");
  const bytes = fs.readdirSync(folder, {recursive: true, withFileTypes: true}).filter((file) => file.isFile()).reduce((sum, file) => sum + fs.statSync(path.join(file.parentPath, file.name)).size, 0);
  assert.ok(bytes < 60e6, `${bytes} bytes`);
  const began = Date.now();
  const page = await open(context, folder);
  const reader = new Reader(page);
  await reader.ready();
  const opened = Date.now() - began;
  context.diagnostic(`${bytes} bytes, opened in ${opened} ms`);
  assert.ok(opened < 10000, `opened in ${opened} ms`);  // a second where the machine has nothing else to do
  for (const draw of [2001, 900, 1100, 2]) {
    await reader.go(`#f=1&d=${draw}`);
    assert.equal(await reader.differences(trace.draw(draw).bytes), 0, `after draw ${draw}`);
  }
});

test("readable in dark and light, wide and narrow", async (context) => {
  for (const colorScheme of ["light", "dark"]) {
    const {page, reader} = await openScene(context, "#f=1&x=60&y=200", {colorScheme});
    for (const pane of ["states", "textures", "vertices", "shaders", "tokens", "findings"]) {
      await reader.pane(pane);
      await checkReadable(page);
      await page.screenshot({path: path.join(shots, `inspect-${colorScheme}-${pane}.png`)});
    }
    for (const width of [1100, 480]) {
      await page.setViewportSize({width, height: 900});
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `nothing sticks out at ${width}`);
      const [picture, aside] = await page.$$eval("#picture, aside", (parts) => parts.map((part) => part.getBoundingClientRect().toJSON()));
      assert.ok(picture.right <= aside.left || picture.bottom <= aside.top, "picture and item lie beside or below each other");
      await page.screenshot({path: path.join(shots, `inspect-${colorScheme}-${width}.png`)});
    }
  }
});

test("a scene of the repository: the picture of the README", async (context) => {
  const {page, reader} = await openScene(context, "#f=1&d=3", {viewport: {width: 1400, height: 780}});
  await page.keyboard.press("w");
  await page.waitForFunction(() => document.querySelector("path.wire")?.getAttribute("d").length > 100);
  await reader.pane("vertices");
  await page.screenshot({path: path.join(shots, "inspect-readme.png")});
});
