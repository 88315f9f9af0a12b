// Folders of the inspect page made by hand, for what no trace gives quickly: lengths, sizes and names at their extremes.
// lib/inspect/inspect.md describes the files.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

const kHtml = path.resolve(import.meta.dirname, "../../lib");
const kPatchesPerPack = 64;

const deflated = (bytes) => zlib.deflateSync(bytes).toString("base64");
const isZero = (bytes) => bytes.every((byte) => byte === 0);

export class Fixture {
  constructor(folder) {
    this.folder = folder;
    fs.mkdirSync(folder, {recursive: true});
    for (const from of ["page/html", "inspect/html"]) fs.cpSync(path.join(kHtml, from), folder, {recursive: true});
    this.runFrames = [];
  }

  write(name, value) {
    const file = path.join(this.folder, "data", `${name}.js`);
    fs.mkdirSync(path.dirname(file), {recursive: true});
    fs.writeFileSync(file, `pageData(${JSON.stringify(name)},${JSON.stringify(value).replaceAll("</", "<\\/")});\n`);
  }

  writePacked(name, value) {
    this.write(name, {zlib: deflated(JSON.stringify(value))});
  }

  // Items with `fills`: [{target, rect, pixel: bytes}], which become writes and patches. `keys`: places before which all contents are written.
  frame(number, targets, items, {details = [], findings = {}, keys = []} = {}) {
    const held = targets.map(({width, height, plane}) => Buffer.alloc(width * height * (plane === "stencil" ? 1 : 4)));
    const formats = {color: "rgba8", depth: "depth", stencil: "stencil"};
    const writeContents = (nameOf) => targets.forEach(({width, height, plane}, id) => this.write(nameOf(id), {rect: [0, 0, width, height], format: formats[plane], data: deflated(held[id])}));
    writeContents((id) => `base/${number}-${id}`);
    const patches = [];
    const finished = items.map(({fills = [], ...item}, n) => {
      if (keys.includes(n)) writeContents((id) => `keys/${number}-${id}-${n}`);
      const writes = fills.map(({target, rect, pixel}) => {
        patches.push({rect, format: formats[targets[target].plane], data: deflated(fill(held[target], targets[target].width, rect, Buffer.from(pixel)))});
        return {target, rect, patches: Math.floor((patches.length - 1) / kPatchesPerPack), at: (patches.length - 1) % kPatchesPerPack};
      });
      return {n, kind: "draw", name: "DRAWPRIMITIVE", event: n, ...item, writes};
    });
    for (let i = 0; i < patches.length; i += kPatchesPerPack) this.write(`patches/${number}-${i / kPatchesPerPack}`, patches.slice(i, i + kPatchesPerPack));
    for (let i = 0; i < items.length; i += 32) this.writePacked(`items/${number}-${i / 32}`, Array.from({length: Math.min(32, items.length - i)}, (_, k) => details[i + k] ?? null));
    this.writePacked(`frames/${number}`, {frame: number, targets: targets.map((target, id) => ({id, surface: id + 1, face: 0, level: 0, format: "A8R8G8B8", ...(keys.length && {keys}), ...target})), items: finished});
    this.runFrames.push({frame: number, items: items.length, draws: items.length, findings});
  }

  finish(more = {}) {
    this.write("run", {tool: "dp2trace test", trace: "test.json", frames: this.runFrames, limits: [], ...more});
    return this.folder;
  }
}

// Fills the rectangle and returns what was there XOR what is now.
function fill(held, width, [left, top, right, bottom], pixel) {
  const size = pixel.length;
  const change = Buffer.alloc((right - left) * (bottom - top) * size);
  for (let y = top, at = 0; y < bottom; ++y) {
    for (let x = left; x < right; ++x, at += size) {
      for (let i = 0; i < size; ++i) {
        const place = (y * width + x) * size + i;
        change[at + i] = held[place] ^ pixel[i];
        held[place] = pixel[i];
      }
    }
  }
  return isZero(change) ? Buffer.alloc(change.length) : change;
}
