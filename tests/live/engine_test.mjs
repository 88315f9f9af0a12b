// The engine in Node says of every trace what the program says: overview, pictures, states, histories, findings. Bit for bit.
// usage: node engine_test.mjs PROGRAM ENGINE CORPUS
import assert from "node:assert/strict";
import fs from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import {test} from "node:test";

import {Program} from "./program.mjs";

const [program, engine, corpus] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, "../..");
const {startEngine} = createRequire(import.meta.url)(path.join(root, "lib/live/html/engine.js"));
const compiled = new WebAssembly.Module(fs.readFileSync(engine));

const below = (folder, ending) => (fs.statSync(folder, {throwIfNoEntry: false})?.isDirectory() ? fs.readdirSync(folder).filter((name) => name.endsWith(ending)).sort().map((name) => path.join(folder, name)) : []);
const kTraces = ["scenes", "features", "examples"].flatMap((name) => below(path.join(root, "traces", name), ".json"));
// The smallest captures of each group.
const kCaptures = (fs.existsSync(corpus) ? fs.readdirSync(corpus) : []).flatMap((group) => below(path.join(corpus, group), ".trace")
  .map((file) => ({file, size: fs.statSync(file).size})).sort((a, b) => a.size - b.size).slice(0, 2).map(({file}) => file));


async function framesOf(ask) {
  const frames = [];
  for (;;) {
    const part = await ask(`overview/${frames.length}`);
    frames.push(...part.frames);
    if (part.complete) return {frames, failure: part.failure};
  }
}

// Names of all that a page may load of a frame.
function namesOf(number, {targets, items}) {
  const names = new Set([`limits/${number}`]);
  targets.forEach(({id, base, keys = []}) => {
    if (base !== false) names.add(`base/${number}-${id}`);
    keys.forEach((key) => names.add(`keys/${number}-${id}-${key}`));
  });
  for (const {writes = []} of items) writes.forEach(({patches}) => patches === undefined || names.add(`patches/${number}-${patches}`));
  for (let i = 0; i < items.length; i += 32) names.add(`items/${number}-${i / 32}`);
  return [...names];
}

async function compare(file) {
  const served = await Program.start(program, file);
  try {
    const own = startEngine(compiled);
    own.open(path.basename(file), fs.readFileSync(file));
    const both = async (name) => {
      const expected = await served.ask(name).catch((error) => error.message);
      let actual;
      try {
        actual = own.ask(name);
      } catch (error) {
        if (!error.isAnswer) throw error;
        actual = error.message;
      }
      assert.deepEqual(actual, expected, `${file}: ${name}`);
      return actual;
    };
    const expected = await framesOf((name) => served.ask(name));
    assert.deepEqual(await framesOf(async (name) => own.ask(name)), expected);
    await both("findings");
    const {frames} = expected;
    const places = frames.length ? [...new Set([0, Math.floor(frames.length / 2), frames.length - 1])] : [];
    for (const place of places) {
      const {frame, film} = frames[place];
      const data = await both(`frames/${frame}`);
      for (const name of namesOf(frame, data)) await both(name);
      for (const [x, y] of film ? [[0, 0], [film.width >> 1, film.height >> 1]] : []) await both(`history/${frame}-${x}-${y}`);
    }
    return frames.length;
  } finally {
    await served.stop();
  }
}

test("there are traces to compare", () => assert.ok(kTraces.length > 20));

for (const file of [...kTraces, ...kCaptures]) {
  test(path.relative(root, file), async () => {
    await compare(file);
  });
}
