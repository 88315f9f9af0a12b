// `dp2trace view`: the same page, served. Who does not know the address gets nothing; it ends with the page.
// usage: see tests/browser/run.sh
import assert from "node:assert/strict";
import http from "node:http";
import path from "node:path";
import {test} from "node:test";

import {startBrowser} from "../browser/browser.mjs";
import {Reader, Trace} from "../inspect_page/trace.mjs";
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
  const served = await Program.start(program, file);
  const page = await open(context, served.address);
  await page.waitForFunction(() => document.documentElement.dataset.findings !== undefined);
  const trace = new Trace(program, file, path.join(work, "teapot"));
  assert.equal(await new Reader(page).differences(trace.frame(1).bytes), 0);
  await page.screenshot({path: path.join(shots, "live-view.png")});
  await page.goto("about:blank");
  const [code] = await served.exit;
  assert.equal(code, 0);
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

test("nothing else can be reached", async () => {
  const served = await Program.start(program, file);
  try {
    const {address} = served;
    const [status, headers] = await get(address);
    assert.equal(status, 200);
    assert.equal(headers["cache-control"], "no-store");
    const base = address.replace(/[^/]*\/$/, "");
    for (const other of [base, `${base}data/findings`, `${base}0000/`, `${address}../`, `${address}data/../../../etc/passwd`, `${address}data/%2e%2e/x`, `${address}engine.wasm`]) assert.equal((await get(other))[0], 404, other);
    assert.equal((await get(address, {Host: "example.com"}))[0], 403, "another name of this machine");
    assert.equal((await get(`${address}data/findings`, {}, "POST"))[0], 404);
    await assert.rejects(served.ask("frames/2"), /there is no|frame 2/);
    assert.equal((await served.ask("findings")).error, 0);
  } finally {
    await served.stop();
  }
});

test("a port that is taken is an error", async () => {
  const served = await Program.start(program, file);
  await assert.rejects(Program.start(program, file, "--port", new URL(served.address).port), /cannot be had/);
  await served.stop();
});
