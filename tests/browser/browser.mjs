// What tests of pages share: a headless browser, pages that may do nothing that a page from a disk must not, and checks that hold for all.
import assert from "node:assert/strict";
import fs from "node:fs";
import {createRequire} from "node:module";
import os from "node:os";
import path from "node:path";
import {after, before} from "node:test";
import {pathToFileURL} from "node:url";

// Firefox is the one of the system, by WebDriver BiDi. It has no commands yet for what a page asks of the system, dark or light: the driver
// asks for them all the same, which becomes a question without consequences.
export const kIsFirefox = process.env.BROWSER === "firefox";
const kAsInSystem = {colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null};
function launchFirefox(firefox, executablePath) {
  const {stringify} = JSON;
  JSON.stringify = (value, ...rest) => stringify(value?.method === "emulation.setMediaFeaturesOverride" ? {...value, method: "session.status", params: {}} : value, ...rest);
  return firefox.launch({executablePath, channel: "moz-firefox"});
}

// The arguments of a test (see run.sh): {program, folder, shots, work, more, open}. `work` is deleted after the tests.
export function startBrowser() {
  const [program, executablePath, folder, ...more] = process.argv.slice(2).map((argument) => path.resolve(argument));
  const {chromium, firefox} = createRequire(path.join(folder, "/"))("playwright-core");
  const shots = path.join(folder, kIsFirefox ? "shots-firefox" : "shots");
  const work = fs.mkdtempSync(path.join(os.tmpdir(), "dp2trace-page-"));
  let browser;
  let kept = null;  // a page whose test is over: to start one takes a second

  before(async () => {
    fs.mkdirSync(shots, {recursive: true});
    browser = kIsFirefox ? await launchFirefox(firefox, executablePath) : await chromium.launch({executablePath, args: ["--no-sandbox", "--force-color-profile=srgb"]});
  });
  after(async () => {
    await browser?.close();
    fs.rmSync(work, {recursive: true});
  });

  const kUsual = {viewport: {width: 1500, height: 950}};
  const startPage = (options = {}) => browser.newPage({...kUsual, ...options, ...(kIsFirefox && kAsInSystem)});

  // Leaves nothing of a test for the next one on this page.
  async function keep(page) {
    for (const event of ["pageerror", "console", "dialog", "request"]) page.removeAllListeners(event);
    await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
    await page.goto("about:blank");
    await page.setViewportSize(kUsual.viewport);
    await page.mouse.move(0, 0);
    kept = page;
  }

  // The page of a folder, or an address, ready; fails at the end of the test where the page did anything that it must not. One from a disk
  // asks nobody; one of a server asks only that. `expected` are faults that the test causes, as a regular expression.
  async function open(context, report, {hash = "", expected = null, ...options} = {}) {
    const isUsual = Object.keys(options).length === 0;
    const page = (isUsual && kept) || await startPage(options);
    if (page === kept) kept = null;
    page.setDefaultTimeout(120000);  // on a machine that is busy
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("dialog", (dialog) => faults.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    const address = /^(file|http):/.test(report) ? report : String(pathToFileURL(path.join(report, "index.html")));
    const allowed = ["file:", "data:", "blob:", ...(address.startsWith("http:") ? [address] : [])];
    page.on("request", (request) => allowed.some((start) => request.url().startsWith(start)) || faults.push(request.url()));
    context.after(async () => {
      if (isUsual && !kept && !page.isClosed() && page.url().startsWith("file:")) await keep(page);
      else await page.close();
      assert.deepEqual(faults.filter((fault) => !expected?.test(fault)), []);
    });
    await page.goto(address + hash);
    await page.waitForSelector("html[data-ready]");
    return page;
  }
  return {program, folder, shots, work, more, open};
}

// Every control has a name, and text stands out against what lies behind it: WCAG AA asks for 4.5.
export async function checkReadable(page) {
  const unnamed = await page.$$eval("button, input, select, [tabindex='0']", (controls) => controls
    .filter((control) => !(control.textContent.trim() || control.getAttribute("aria-label") || control.labels?.length || control.title))
    .map((control) => control.outerHTML));
  assert.deepEqual(unnamed, []);
  assert.equal(await page.$$eval("img:not([alt])", (images) => images.length), 0);
  const worst = await page.evaluate(() => {
    const channels = (color) => color.match(/[\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = channels(getComputedStyle(at).backgroundColor);
        if (color.length < 4 || color[3] === 1) return color;
      }
      return [255, 255, 255];
    };
    const ratios = [...document.querySelectorAll("body *")].filter((element) => element.offsetParent && !element.closest(":disabled, .stage") && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).map((element) => {
      const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))].sort((x, y) => y - x);
      return {ratio: (a + 0.05) / (b + 0.05), text: element.textContent.slice(0, 40)};
    });
    return ratios.sort((a, b) => a.ratio - b.ratio)[0];
  });
  assert.ok(worst.ratio >= 4.5, JSON.stringify(worst));
}
