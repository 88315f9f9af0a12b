// A trace, its inspect page, and what the other verbs say of it: what the page has to agree with.
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export class Trace {
  constructor(program, file, folder) {
    Object.assign(this, {program, file, folder});
    fs.mkdirSync(folder, {recursive: true});
  }

  run(...args) {
    return execFileSync(this.program, args, {encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"]});
  }

  // The folder of the page of these frames.
  inspect(frames, ...more) {
    const output = path.join(this.folder, "page");
    this.run("inspect", this.file, "--frames", frames, "-o", output, ...more);
    return output;
  }

  // A picture that a replay writes, by its name: {bytes of the PNG, path}.
  picture(name, ...args) {
    const output = path.join(this.folder, `replay-${name}`);
    if (!fs.existsSync(output)) this.run("replay", this.file, "-o", output, "--fail-on", "never", ...args);
    const file = path.join(output, name);
    return {file, bytes: fs.readFileSync(file)};
  }

  frame(number) {
    return this.picture(`frame-${String(number).padStart(6, "0")}.png`, "--frames", String(number));
  }

  draw(number) {
    return this.picture(`draw-${String(number).padStart(6, "0")}.png`, "--draws", String(number), "--frames", "none");
  }

  // {draw, states} of a draw.
  state(draw) {
    return JSON.parse(this.run("state", this.file, "--draw", String(draw), "--format", "json"));
  }

  history(frame, x, y) {
    return JSON.parse(this.run("history", this.file, "--frame", String(frame), "--pixel", `${x},${y}`, "--format", "json"));
  }

  dump(...more) {
    return this.run("dump", this.file, ...more);
  }
}

// What a page shows, read back.
export class Reader {
  constructor(page) {
    this.page = page;
  }

  // Goes to an address, and waits until picture and item are there.
  async go(hash) {
    await this.page.evaluate((to) => {
      delete document.getElementById("panes").dataset.drawn;
      delete document.getElementById("detail").dataset.shown;
      location.hash = to;
    }, hash);
    await this.ready();
  }

  async ready() {
    await this.page.waitForFunction(() => document.getElementById("panes").dataset.drawn && document.getElementById("detail").dataset.shown);
  }

  async pane(name) {
    await this.page.click(`#tabs [data-view=${name}]`);
    await this.page.waitForFunction((wanted) => document.getElementById("detail").dataset.shown?.endsWith(`/${wanted}`), name);
  }

  // Cells of all rows of the first table of an element, page by page.
  async table(selector) {
    const rows = [];
    for (;;) {
      rows.push(...await this.page.$$eval(`${selector} table tbody tr`, (found) => found.map((row) => [...row.cells].map((cell) => cell.textContent))));
      const later = this.page.locator(`${selector} .pager button`).nth(1);
      if (await later.count() === 0 || !await later.isVisible() || await later.isDisabled()) return rows;
      await later.click();
    }
  }

  // How many pixels of the canvas are not those of the PNG, which the browser reads by itself; opaque pictures only.
  differences(png, index = 0) {
    return this.page.evaluate(async ([data, place]) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], {type: "image/png"}), {colorSpaceConversion: "none"});
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const expected = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
      const canvas = document.querySelectorAll("#panes canvas")[place];
      if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) return `${canvas.width} x ${canvas.height} in place of ${bitmap.width} x ${bitmap.height}`;
      const actual = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      return expected.reduce((count, value, i) => count + (value !== actual[i]), 0);
    }, [png.toString("base64"), index]);
  }
}

// A trace of one frame with so many triangles, a draw each, over and behind each other.
export function manyDraws(count, width, height) {
  let seed = 1;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const events = [
    {event: "header"},
    {event: "surface_create", handle: 1, kind: "target", format: "X8R8G8B8", width, height},
    {event: "surface_create", handle: 2, kind: "depth", format: "D24S8", width, height},
    {event: "context_create", context: 1, target: 1, depth: 2},
  ];
  const states = {CULLMODE: "NONE", ZENABLE: "TRUE"};
  const call = {event: "dp2", context: 1, vertex_type: "XYZRHW|DIFFUSE", vertex_size: 20};
  for (let i = 0; i < count; i += 50) {
    const vertices = [];
    const commands = i > 0 ? [] : [{op: "CLEAR", flags: ["TARGET", "ZBUFFER"], fill_color: "0xFF204060", fill_depth: 1, fill_stencil: 0, rects: [[0, 0, width, height]]}];
    commands.push({op: "RENDERSTATE", records: Object.entries(states).map(([render_state, state]) => ({render_state, state}))});
    for (let k = 0; k < Math.min(50, count - i); ++k) {
      const [x, y, z] = [random(width - 90), random(height - 90), random(1000) / 1000];
      for (const [dx, dy] of [[0, 0], [90, 20], [30, 90]]) vertices.push([x + dx, y + dy, z, 1, `0xFF${random(1 << 24).toString(16).padStart(6, "0")}`]);
      commands.push({op: "TRIANGLELIST", v_start: 3 * k});
    }
    events.push({...call, vertices, commands});
  }
  return JSON.stringify([...events, {event: "present", handle: 1}]);
}
