// The inspect page with data at their extremes, in folders made by hand.
// usage: see tests/browser/run.sh; screenshots go to FOLDER/shots
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {test} from "node:test";

import {startBrowser} from "../browser/browser.mjs";
import {Fixture} from "./fixture.mjs";
import {makePng} from "./png.mjs";

const {shots, work, open} = startBrowser();
const kHostile = "</script><img src=x onerror=alert(1)>&amp;'\"";
const color = (width, height, more = {}) => ({plane: "color", width, height, name: `1 A8R8G8B8`, shown: 1, ...more});
const shown = (page, text) => page.waitForFunction((wanted) => document.getElementById("panes").dataset.drawn === wanted, text);

test("no frames", async (context) => {
  const page = await open(context, new Fixture(path.join(work, "none")).finish());
  assert.match(await page.textContent("#nothing"), /There is no frame/);
  for (const key of ["j", "]", " ", "e", "f"]) await page.keyboard.press(key);
  assert.equal(await page.isDisabled("#frame-next"), true);
  assert.equal(await page.textContent("#found"), "0 items");
  await page.screenshot({path: path.join(shots, "inspect-none.png")});
});

test("a frame without items, and one without pictures", async (context) => {
  const fixture = new Fixture(path.join(work, "bare"));
  fixture.frame(1, [], []);
  fixture.frame(2, [], [{name: "DRAWPRIMITIVE", draw: 1}]);
  const page = await open(context, fixture.finish());
  assert.match(await page.textContent("#nothing"), /no picture/);
  assert.equal(await page.textContent("#found"), "0 items");
  await page.keyboard.press("]");
  await page.waitForFunction(() => document.getElementById("found").textContent === "1 item");
  assert.equal(await page.textContent("#item-name"), "0 DRAWPRIMITIVE");
});

test("a target of one pixel", async (context) => {
  const fixture = new Fixture(path.join(work, "small"));
  fixture.frame(1, [color(1, 1)], [{target: 0, fills: [{target: 0, rect: [0, 0, 1, 1], pixel: [255, 128, 1, 0]}]}, {target: 0, fills: [{target: 0, rect: [0, 0, 1, 1], pixel: [1, 2, 3, 4]}]}]);
  const page = await open(context, fixture.finish(), {hash: "#f=1&i=0&x=0&y=0"});
  await page.waitForSelector("#selection[data-shown]");
  const held = await page.$$eval("#selection-rows tbody tr", (rows) => rows.map((row) => row.cells[2].textContent));
  assert.deepEqual(held, ["R 0 G 0 B 0 A 0 (00000000)", "R 255 G 128 B 1 A 0 (ff800100)", "R 1 G 2 B 3 A 4 (01020304)"]);
  await page.locator("#panes .stage canvas").hover();
  assert.equal(await page.textContent("#pixel"), "pixel 0, 0: R 255 G 128 B 1 A 0 (ff800100)");
  assert.equal(await page.textContent(".values span"), "255\n128\n1\n0", "large pixels have their values");
  await page.screenshot({path: path.join(shots, "inspect-one-pixel.png")});
});

test("a target of 4096 x 4096", async (context) => {
  const fixture = new Fixture(path.join(work, "large"));
  fixture.frame(1, [color(4096, 4096)], [
    {target: 0, kind: "clear", name: "CLEAR", fills: [{target: 0, rect: [0, 0, 4096, 4096], pixel: [10, 20, 30, 255]}]},
    {target: 0, fills: [{target: 0, rect: [4000, 4090, 4096, 4096], pixel: [200, 0, 0, 255]}]},
  ]);
  const page = await open(context, fixture.finish());
  await shown(page, "1/1/0/after");
  const pixel = (x, y) => page.evaluate(([left, top]) => [...document.querySelector("#panes canvas").getContext("2d").getImageData(left, top, 1, 1).data], [x, y]);
  assert.deepEqual(await pixel(4095, 4095), [200, 0, 0, 255]);
  assert.deepEqual(await pixel(3999, 4095), [10, 20, 30, 255]);
  await page.keyboard.press("3");
  await shown(page, "1/1/0/changed");
  assert.equal(await page.textContent("#about-view"), "576 pixels changed.");
  await page.keyboard.press("5");
  await shown(page, "1/1/0/heat");
  assert.match(await page.textContent("#about-view"), /red 2, 1.00 on average/);
});

test("contents that the data hold whole spare the way to them", async (context) => {
  const fixture = new Fixture(path.join(work, "keys"));
  const items = Array.from({length: 200}, (_, i) => ({target: 0, draw: i + 1, fills: [{target: 0, rect: [i % 8, 0, i % 8 + 1, 8], pixel: [i, 2 * (i & 127), 9, 255]}]}));
  fixture.frame(1, [color(8, 8)], items, {keys: [64, 128]});
  fs.rmSync(path.join(fixture.finish(), "data/patches/1-0.js"));  // of the first 64 items
  const page = await open(context, fixture.folder, {hash: "#f=1&i=130"});
  await shown(page, "1/130/0/after");
  const row = () => page.evaluate(() => [...document.querySelector("#panes canvas").getContext("2d").getImageData(0, 0, 8, 1).data].filter((_, i) => i % 4 === 0));
  const expected = (place) => Array.from({length: 8}, (_, x) => place - ((place - x) % 8));
  assert.deepEqual(await row(), expected(130));
  for (const place of [199, 128, 127, 64]) {
    await page.evaluate((i) => inspect.go(i), place);
    await shown(page, `1/${place}/0/after`);
    assert.deepEqual(await row(), expected(place), `item ${place}`);
  }
});

test("names from a trace are text", async (context) => {
  const fixture = new Fixture(path.join(work, "hostile"));
  const rows = [["render_state", kHostile, kHostile, 0, 0, 0]];
  const details = [{n: 0, states: {snapshot: rows}, textures: [{stage: 0, handle: 1, format: kHostile, levels: 1, faces: 1, sampler: [[kHostile, kHostile]]}],
    shaders: [{kind: kHostile, handle: 1, assembly: kHostile, constants: [[kHostile, [1, 2, 3, 4]]]}], tokens: [{offset: 0, text: kHostile, hex: "00"}],
    vertices: [{columns: [kHostile], rows: [[kHostile]], screen: [[0, 0, 0, 1]], indices: [[0, 0, 0]]}],
    findings: [{severity: "error", rule: kHostile, message: kHostile, offset: 0}]}];
  fixture.frame(1, [color(4, 4, {name: kHostile})], [{name: kHostile, marker: [kHostile], target: 0, states: [`render_state.${kHostile}=1`], rules: [kHostile], surface: kHostile, primitive: kHostile, primitives: 1,
    fills: [{target: 0, rect: [0, 0, 4, 4], pixel: [1, 1, 1, 1]}]}, {name: kHostile, marker: [kHostile]}], {details});
  const page = await open(context, fixture.finish({trace: kHostile, limits: [kHostile]}), {hash: "#f=1&i=0&x=1&y=1"});
  assert.match(await page.textContent("#commands"), /'<\/script><img src=x onerror=alert\(1\)>&amp;'\\''"'/);
  for (const pane of ["states", "textures", "vertices", "shaders", "tokens", "findings"]) {
    await page.click(`#tabs [data-view=${pane}]`);
    await page.waitForFunction((wanted) => document.getElementById("detail").dataset.shown === `1/0/${wanted}`, pane);
    assert.ok((await page.textContent("#detail")).includes(kHostile), pane);
  }
  assert.equal(await page.locator("img, #timeline script").count(), 0);
  await page.screenshot({path: path.join(shots, "inspect-hostile.png")});
});

test("pictures of every kind of PNG keep their bits, alpha 0 too", async (context) => {
  const fixture = new Fixture(path.join(work, "png"));
  fixture.frame(1, [color(4, 4)], [{target: 0, fills: [{target: 0, rect: [0, 0, 4, 4], pixel: [9, 8, 7, 0]}]}]);
  const page = await open(context, fixture.finish());
  const read = (bytes) => page.evaluate(async (text) => {
    const found = await inspect.readPng(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
    return found && [...found.bytes];
  }, bytes.toString("base64"));
  const depths = {0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]};
  for (const [kind, depth] of Object.entries(depths).flatMap(([type, all]) => all.map((one) => [Number(type), one]))) {
    for (const options of [{}, {isInterlaced: true}, {hasKey: true}]) {
      const {bytes, pixels} = makePng(kind, depth, 7, 11, options);
      assert.deepEqual(await read(bytes), pixels, `colour type ${kind} of ${depth} bits, ${JSON.stringify(options)}`);
    }
  }
  for (const [width, height] of [[1, 1], [1, 9], [5, 2]]) assert.deepEqual(await read(makePng(6, 8, width, height, {isInterlaced: true}).bytes), makePng(6, 8, width, height).pixels);
  assert.equal(await read(Buffer.from("no picture at all")), null);
  await page.keyboard.press("6");
  await page.setInputFiles("#yours", {name: "text.png", mimeType: "image/png", buffer: Buffer.from("no picture at all")});
  await page.waitForFunction(() => document.getElementById("about-view").textContent.startsWith("text.png cannot be read as a picture"));
  const {bytes} = makePng(6, 8, 9, 4);  // of another size
  await page.evaluate(async (text) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], "mine.png", {type: "image/png"}));
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
  }, bytes.toString("base64"));
  await page.waitForFunction(() => /^36 pixels differ; first at 0, 0/.test(document.getElementById("about-view").textContent));
  assert.equal(await page.textContent("#panes figcaption"), "mine.png");
});

test("100,000 findings and 10,000 items stay quick", async (context) => {
  const fixture = new Fixture(path.join(work, "many"));
  const finding = (i) => ({severity: "warning", rule: "DP2-STREAM-006", message: `number ${i}`, offset: i});
  const details = [{n: 0, findings: Array.from({length: 100000}, (_, i) => finding(i))}];
  const items = Array.from({length: 10000}, (_, i) => ({target: 0, draw: i + 1, pixels: 64, textures: [i % 7], states: [`render_state.ZENABLE=${i % 2}`], findings: i === 0 ? [0, 100000, 0] : undefined, rules: i === 0 ? ["DP2-STREAM-006"] : undefined,
    fills: [{target: 0, rect: [i % 56, i % 41, i % 56 + 8, i % 41 + 8], pixel: [i & 255, i >> 8, 7, 255]}]}));
  fixture.frame(1, [color(64, 64)], items, {details});
  const page = await open(context, fixture.finish(), {hash: "#f=1&i=0&p=findings"});
  await page.waitForFunction(() => document.getElementById("detail").dataset.shown === "1/0/findings");
  assert.equal(await page.textContent("#detail .pager span"), "page 1 of 1000");
  const elements = () => page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(await elements() < 3000, `${await elements()} elements`);
  await page.focus("#timeline");
  await page.keyboard.press("End");
  await shown(page, "1/9999/0/after");
  assert.equal(await page.textContent("#timeline [aria-selected=true] .number"), "9999");
  const began = Date.now();
  await page.fill("#find", "texture:3 state:ZENABLE=1 rect:0,0,8,8");
  await page.waitForFunction(() => document.getElementById("timeline").dataset.found === "texture:3 state:ZENABLE=1 rect:0,0,8,8");
  const expected = items.flatMap(({fills: [{rect: [left, top]}]}, i) => (i % 7 === 3 && i % 2 === 1 && left < 8 && top < 8 ? [i] : []));
  assert.equal(await page.textContent("#found"), `${expected.length} of 10,000 items`);
  assert.ok(Date.now() - began < 5000, "search");
  await page.fill("#find", "rule:DP2-*");
  await page.waitForFunction(() => document.getElementById("found").textContent === "1 of 10,000 items");
  assert.equal(await page.textContent("#timeline .badge.warning"), "999+");
  assert.ok(await elements() < 3000);
});
