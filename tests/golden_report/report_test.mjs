// Opens golden reports in a headless Chromium and works with them as a reader would, by keyboard and mouse.
// usage: see tests/browser/run.sh; screenshots go to FOLDER/shots
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {before, test} from "node:test";

import {checkReadable, startBrowser} from "../browser/browser.mjs";
import {changedScenes, everyStatus, kHostile, manyDifferences} from "./corpus.mjs";

const {program, shots, work, open} = startBrowser();
let corpus;

before(async () => {
  corpus = await everyStatus(path.join(work, "every"), program);
});

async function makeReport(name, ...more) {
  const done = await corpus.run("report", "results", "-o", name, "--store", "store", "--manifest", "manifest.json", ...more);
  assert.equal(done.code, 0, done.stderr);
  return corpus.place(name);
}

const choose = async (page, name) => {
  await page.locator("#traces button", {hasText: `t/${name}.json`}).click();
  await page.waitForFunction((wanted) => document.getElementById("path").textContent === wanted, `t/${name}.json`);
};
const imagesAreLoaded = (page) =>
  page.waitForFunction(() => [...document.querySelectorAll("#panes img")].every((image) => image.complete && image.naturalWidth > 0));

test("the overview counts every status, chooses and finds", async (context) => {
  const report = await makeReport("report");
  const page = await open(context, report);
  const counts = await page.$$eval("#statuses button", (buttons) => Object.fromEntries(buttons.map((b) => [b.dataset.status, Number(b.querySelector(".count").textContent)])));
  assert.deepEqual(counts, {
    "crash": 1, "time-out": 1, "render-error": 1, "incomplete": 1, "differ": 2, "missing": 2, "new": 2, "findings-changed": 1, "unexpected-pass": 1, "expired": 1,
    "expected-fail": 1, "skipped": 1, "match": 1,
  });
  assert.equal(await page.locator("#traces li").count(), 13, "what fails is shown at first");
  await page.screenshot({path: path.join(shots, "overview.png")});
  await page.click("#choose-all");
  await page.waitForFunction(() => document.querySelectorAll("#traces li").length === 16);
  for (const status of Object.keys(counts).filter((one) => one !== "differ")) await page.click(`#statuses [data-status="${status}"]`);
  await page.waitForFunction(() => document.querySelectorAll("#traces li").length === 2);
  await page.click("#choose-all");
  await page.fill("#find", "CLEAR red");
  await page.waitForFunction(() => document.querySelectorAll("#traces li").length === 1);
  assert.match(await page.textContent("#traces"), /t\/differ\.json/);
  await page.fill("#find", "nothing has these words");
  await page.waitForFunction(() => document.getElementById("found").textContent === "No trace matches.");
});

test("each trace says what happened to it", async (context) => {
  const page = await open(context, corpus.place("report"));
  await page.click("#choose-all");
  await page.waitForFunction(() => document.querySelectorAll("#traces li").length === 16);
  const messages = {crash: /SIGKILL/, slow: /8 s/, broken: /./, gone: /./, skipped: /waits/, expired: /2027-01-14/, findings: /DP2-STREAM-006/, passes: /./, known: /./};
  for (const [name, message] of Object.entries(messages)) {
    await choose(page, name);
    assert.match(await page.textContent("#message"), message, name);
  }
  assert.equal(await page.textContent("#status"), "expected-fail (differ)");
  await choose(page, "findings");
  assert.match(await page.textContent("aside .findings"), /DP2-STREAM-006/);
  await page.screenshot({path: path.join(shots, "findings.png")});
  await choose(page, "skipped");
  await page.screenshot({path: path.join(shots, "skipped.png")});
});

test("a picture that differs: views, flicker, zoom, cause", async (context) => {
  const page = await open(context, corpus.place("report"), {hash: "#differ/0"});
  await imagesAreLoaded(page);
  assert.match(await page.textContent("#cause"), /Draw 2 wrote the first pixel that differs: CLEAR in event 3/);
  assert.match(await page.textContent("#image-facts"), /960/);
  assert.equal(await page.locator("#panes figure").count(), 3);
  await page.screenshot({path: path.join(shots, "differ.png")});
  const showing = () => page.getAttribute("#panes", "data-turn");

  await page.keyboard.press("f");
  assert.equal(await page.getAttribute("#panes", "data-view"), "flicker");
  const first = await showing();
  await page.waitForFunction((before) => document.getElementById("panes").dataset.turn !== before, first);
  await page.waitForFunction((before) => document.getElementById("panes").dataset.turn === before, first);
  await page.keyboard.press("x");
  const stopped = await showing();
  assert.match(await page.textContent("#panes figcaption"), /stopped/);
  assert.equal(await page.locator("#panes img:not(.off)").count(), 1);
  await page.locator("#panes .stage").click();
  assert.notEqual(await showing(), stopped, "a click shows the other one");
  await page.keyboard.press("f");
  await page.keyboard.press("f");
  assert.equal(await page.getAttribute("#panes", "data-view"), "side");

  for (const [key, view] of [["2", "expected"], ["3", "actual"], ["4", "difference"], ["5", "heat"]]) {
    await page.keyboard.press(key);
    assert.equal(await page.getAttribute("#panes", "data-view"), view);
    assert.equal(await page.getAttribute(`#views [data-view=${view}]`, "aria-checked"), "true");
    await imagesAreLoaded(page);
  }
  await page.screenshot({path: path.join(shots, "heat.png")});
  // The views are a radio group: arrows move in it.
  await page.focus("#views [data-view=heat]");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.getAttribute("#panes", "data-view"), "difference");
  await page.selectOption("#gain", "16");
  assert.match(await page.getAttribute("#panes img", "style"), /brightness\(16\)/);

  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  await imagesAreLoaded(page);
  const width = () => page.$eval("#panes .sheet", (sheet) => sheet.getBoundingClientRect().width);
  await page.click("#zoom-fit");
  const fitting = await width();
  await page.keyboard.press("+");
  assert.ok(await width() > fitting);
  await page.keyboard.press("-");
  await page.keyboard.press("-");
  assert.ok(await width() < fitting);
  await page.keyboard.press("0");
  assert.equal(await width(), fitting);
  await page.keyboard.press("d");
  assert.equal(await width(), 64 * 16);
  await page.keyboard.press("b");
  assert.ok(await page.isVisible("#panes .box"));
  await page.screenshot({path: path.join(shots, "zoom.png")});
  const before = await width();
  await page.locator("#panes .stage").hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await page.waitForFunction((old) => document.querySelector("#panes .sheet").getBoundingClientRect().width > old, before);
});

test("a picture that differs leads to how it was drawn", async (context) => {
  const report = await makeReport("inspected", "--inspect");
  const page = await open(context, report, {hash: "#differ/0"});
  await page.click("#inspect");
  await page.waitForFunction(() => document.getElementById("panes").dataset.drawn && document.getElementById("selection")?.dataset.shown === "20,10,21,11");
  assert.match(await page.textContent("#item-name"), /CLEAR$/);
  assert.match(await page.textContent("#selection-rows"), /fe4000ff/);
  await page.screenshot({path: path.join(shots, "inspected.png")});
});

const engine = path.resolve(import.meta.dirname, "../../build/web/engine.wasm");
test("a picture that differs leads to a live page of its trace", {skip: !fs.existsSync(engine) && "scripts/build_web.sh makes the engine"}, async (context) => {
  const report = await makeReport("live", "--live", "--engine", engine);
  const page = await open(context, report, {hash: "#differ/0"});
  await page.click("#inspect");
  await page.waitForFunction(() => document.getElementById("panes").dataset.drawn && document.getElementById("selection")?.dataset.shown === "20,10,21,11");
  assert.match(await page.textContent("#item-name"), /CLEAR$/);
  await page.screenshot({path: path.join(shots, "live.png")});
});

test("the difference is shown pixel by pixel", async (context) => {
  const page = await open(context, corpus.place("report"), {hash: "#differ/0/0/difference"});
  await imagesAreLoaded(page);
  // A script may not read a picture of a file, so the screen is read: expected ff0000, actual fe4000.
  const screen = await page.locator("#panes .sheet").screenshot({path: path.join(shots, "difference.png")});
  const colorAt = (x, y) => page.evaluate(async ([data, left, top]) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    return [...canvas.getImageData(Math.floor((left + 0.5) * picture.width / 64), Math.floor((top + 0.5) * picture.height / 64), 1, 1).data];
  }, [screen.toString("base64"), x, y]);
  assert.deepEqual(await colorAt(32, 31), [1, 64, 0, 255]);
  assert.deepEqual(await colorAt(20, 10), [1, 64, 0, 255]);
  assert.deepEqual(await colorAt(19, 10), [0, 0, 0, 255]);
  assert.deepEqual(await colorAt(43, 49), [1, 64, 0, 255]);
  assert.deepEqual(await colorAt(44, 50), [0, 0, 0, 255]);
});

test("keys move between traces and pictures, the address remembers, and keys can be turned off", async (context) => {
  const page = await open(context, corpus.place("report"), {hash: "#differ/1/0/actual"});
  assert.equal(await page.textContent("#path"), "t/many.json");
  assert.equal(await page.getAttribute("#panes", "data-view"), "actual");
  assert.deepEqual(await page.$$eval("#thumbs button", (buttons) => buttons.map((button) => button.lastChild.textContent)), ["differ", "differ", "new", "match", "match"]);
  await page.keyboard.press("n");
  assert.equal(await page.textContent("#image-name"), "frame 4: differ");
  await page.keyboard.press("n");
  assert.equal(await page.textContent("#image-name"), "frame 5: new");
  await page.keyboard.press("p");
  assert.match(page.url(), /#differ\/1\/1\/actual$/);
  await page.screenshot({path: path.join(shots, "many.png")});
  await page.keyboard.press("k");
  await page.waitForFunction(() => document.getElementById("path").textContent === "t/differ.json");
  await page.keyboard.press("j");
  await page.waitForFunction(() => document.getElementById("path").textContent === "t/many.json");
  await page.keyboard.press("/");
  await page.keyboard.type("f5");
  assert.equal(await page.inputValue("#find"), "f5", "keys are letters in the field");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#keys"));
  await page.screenshot({path: path.join(shots, "keys.png")});
  await page.uncheck("#keys-on");
  const view = await page.getAttribute("#panes", "data-view");
  await page.keyboard.press("5");
  assert.equal(await page.getAttribute("#panes", "data-view"), view);
});

test("text of traces is never markup", async (context) => {
  const page = await open(context, corpus.place("report"));
  await page.click("#choose-all");
  await choose(page, kHostile);
  assert.equal(await page.locator("#path img, #traces img, #message b").count(), 0);
  await page.screenshot({path: path.join(shots, "hostile.png")});
});

test("every control has a name, and the page is readable in dark and light, wide and narrow", async (context) => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(context, corpus.place("report"), {colorScheme, hash: "#differ/0"});
    await imagesAreLoaded(page);
    await checkReadable(page);
    await page.screenshot({path: path.join(shots, `${colorScheme}.png`)});
    await page.setViewportSize({width: 480, height: 900});
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out of a narrow page");
    await page.screenshot({path: path.join(shots, `${colorScheme}-narrow.png`)});
  }
});

test("5,000 pictures that differ stay usable", async (context) => {
  const many = await manyDifferences(path.join(work, "many"), program);
  const done = await many.run("report", "results", "-o", "report", "--store", "store");
  assert.equal(done.code, 0, done.stderr);
  const page = await open(context, many.place("report"));
  const size = () => page.evaluate(() => ({elements: document.querySelectorAll("*").length, images: document.images.length}));
  const isBounded = async () => {
    const {elements, images} = await size();
    assert.ok(elements < 1500 && images <= 32, `${elements} elements, ${images} images`);
  };
  await isBounded();
  assert.equal(await page.textContent("#traces-pager span"), "page 1 of 3");
  assert.equal(await page.textContent("#thumbs-pager span"), "page 1 of 125");
  for (let i = 0; i < 30; ++i) await page.keyboard.press("n");
  assert.equal(await page.textContent("#image-name"), "frame 31: differ");
  await page.locator("#traces-pager button").last().click();
  await page.waitForFunction(() => document.querySelector("#traces-pager span").textContent === "page 2 of 3");
  await page.fill("#find", "t199");
  await page.waitForFunction(() => document.querySelectorAll("#traces li").length === 1);
  await choose(page, "t199");
  await isBounded();
  await page.screenshot({path: path.join(shots, "many-traces.png")});
});

test("scenes of the repository that have changed: the picture of the README", async (context) => {
  const scenes = await changedScenes(path.join(work, "scenes"), program, path.resolve(import.meta.dirname, "../../traces/scenes"));
  const done = await scenes.run("report", "results", "-o", "report", "--store", "store");
  assert.equal(done.code, 0, done.stderr);
  const page = await open(context, scenes.place("report"), {viewport: {width: 1400, height: 720}});
  await page.click("#choose-all");
  await choose(page, "lit-textured-knot");
  await imagesAreLoaded(page);
  assert.equal(await page.locator("#panes img").count(), 3);
  assert.match(await page.textContent("#cause"), /DRAWINDEXEDPRIMITIVE/);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({path: path.join(shots, "readme.png")});
});

test("a report replaces a report, and nothing else", async () => {
  const done = await corpus.run("report", "results", "-o", "report", "--store", "store");
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(fs.readdirSync(corpus.place("")).filter(name => name.endsWith(".tmp")), []);
  const refused = await corpus.run("report", "results", "-o", "t", "--store", "store");
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /the folder holds something else/);
  assert.ok(fs.existsSync(corpus.place("t/match.json")));
});

test("forms for continuous integration", async () => {
  const done = await corpus.run("report", "results", "--manifest", "manifest.json", "--output", "junit=junit.xml", "--output", "gitlab=gitlab.json", "--output", "github=-", "--output", "github-summary=summary.md");
  assert.equal(done.code, 0, done.stderr);
  const junit = fs.readFileSync(corpus.place("junit.xml"), "utf8");
  assert.match(junit, /tests="16" failures="9" errors="4" skipped="2"/);
  assert.equal(junit.match(/<testcase /g).length, 16);
  assert.ok(!junit.includes("<img"));
  const gitlab = JSON.parse(fs.readFileSync(corpus.place("gitlab.json"), "utf8"));
  assert.equal(gitlab.length, 13);
  assert.equal(new Set(gitlab.map((entry) => entry.fingerprint)).size, 13);
  const annotations = done.stdout.trimEnd().split("\n");
  assert.equal(annotations.length, 10);
  assert.match(annotations.find((line) => line.includes("differ")), /^::error file=t\/differ\.json,title=golden differ::t\/differ\.json: /);
  assert.equal(annotations[9], "::error title=golden::and 4 traces more");
  assert.match(fs.readFileSync(corpus.place("summary.md"), "utf8"), /^## Golden images: 13 traces fail\n/);
});
