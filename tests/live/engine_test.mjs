// The engine in Node says of every trace what the program says: overview, pictures, states, histories, findings, and what is beside it. Bit for bit.
// usage: node engine_test.mjs PROGRAM ENGINE CORPUS
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import fs from "node:fs";
import {createRequire} from "node:module";
import os from "node:os";
import path from "node:path";
import {after, test} from "node:test";

import {Program} from "./program.mjs";

const [program, engine, corpus] = process.argv.slice(2).map((argument) => path.resolve(argument));
const root = path.resolve(import.meta.dirname, "../..");
const {startEngine} = createRequire(import.meta.url)(path.join(root, "lib/live/html/engine.js"));
const compiled = new WebAssembly.Module(fs.readFileSync(engine));

const below = (folder, ending) => (fs.statSync(folder, {throwIfNoEntry: false})?.isDirectory() ? fs.readdirSync(folder).filter((name) => name.endsWith(ending)).sort().map((name) => path.join(folder, name)) : []);
const kTraces = ["scenes", "features", "examples"].flatMap((name) => below(path.join(root, "traces", name), ".json"));
// The smallest capture of each group.
const kCaptures = (fs.existsSync(corpus) ? fs.readdirSync(corpus) : []).flatMap((group) => below(path.join(corpus, group), ".trace")
  .map((file) => ({file, size: fs.statSync(file).size})).sort((a, b) => a.size - b.size).slice(0, 1).map(({file}) => file));

const kMostSurfaces = 4;  // that are looked at of a frame

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
      const {event, offset} = data.items.at(-1) ?? {};
      const there = ["surfaces/", [frame, event, offset].filter((part) => part !== undefined).join("-")].join("");
      for (const {space, handle, shows} of data.items.length ? (await both(there)).surfaces.slice(0, kMostSurfaces) : []) assert.equal(typeof await both(`${there}-${space}-${handle}`), shows ? "object" : "string");
      for (const [x, y] of film ? [[0, 0], [film.width >> 1, film.height >> 1]] : []) await both(`history/${frame}-${x}-${y}`);
    }
    return frames.length;
  } finally {
    await served.stop();
  }
}

// ---------- beside the trace ----------

const work = fs.mkdtempSync(path.join(os.tmpdir(), "dp2trace-beside-"));
after(() => fs.rmSync(work, {recursive: true}));

// What a verb prints in the folder of the files, as JSON; without its head, which names files.
function verb(...args) {
  const {stdout, status, stderr} = spawnSync(program, [...args, "--format", "json"], {cwd: work, encoding: "utf8", maxBuffer: 1 << 28});
  assert.ok(status <= 1, `${args.join(" ")}: ${stderr}`);
  return body(JSON.parse(stdout));
}

function body({tool, version, schema, trace, other_trace: other, errors, ...rest}) {
  return rest;
}

const run = (...args) => spawnSync(program, args, {cwd: work, encoding: "utf8"});

// The answers of the engine to questions about a file beside the trace; the program that serves the page gives the same ones.
async function besideAnswers(trace, beside, names) {
  const bytes = fs.readFileSync(path.join(work, beside));
  const own = startEngine(compiled);
  own.open(trace, fs.readFileSync(path.join(work, trace)));
  const served = await Program.start(program, path.join(work, trace));
  try {
    const name = path.basename(beside);
    assert.deepEqual(await served.beside(name, bytes), own.beside(name, bytes));
    const answers = [];
    for (const name of names) {
      answers.push(own.ask(name));
      assert.deepEqual(await served.ask(name), answers.at(-1), name);
    }
    return answers;
  } finally {
    await served.stop();
  }
}

// Pictures of the trace without one of its draws, as a driver may leave it out.
function leaveOut(name, file, draw) {
  const [trace, changed] = [`${name}.dp2t`, `${name}-changed.dp2t`];
  assert.equal(run(file.endsWith(".trace") ? "import" : "convert", file, trace).status, 0);
  assert.equal(run("edit", trace, changed, "--drop", `draw=${draw}`).status, 0);
  for (const one of [trace, changed]) run("replay", one, "-o", one.replace(".dp2t", ""), "--fail-on", "never");
  return {trace, changed, right: `${name}`, wrong: `${name}-changed`};
}

const kReads = path.join(corpus, "wine-d3d9/test_drawindexedprimitiveup.trace");
const numbered = (kind, number) => `${kind}-${String(number).padStart(6, "0")}.png`;

for (const [name, file, draw, frame] of [
  ["shadow", path.join(root, "traces/scenes/stencil-shadow.json"), 4, 1],
  ["knot", path.join(root, "traces/scenes/lit-textured-knot.json"), 2, 1],
  ["quake", path.join(corpus, "irrlicht-d3d9/02_Quake3Map.trace"), 300, 12],
]) {
  test(`beside ${name}: a picture is compared and blamed, a trace compared, as by the verbs`, {skip: !fs.existsSync(file)}, async () => {
    const {trace, changed, right, wrong} = leaveOut(name, file, draw);
    const picture = path.join(wrong, numbered("frame", frame));
    const [compared, loose, blamed] = await besideAnswers(trace, picture, [`compare/frame/${frame}`, `compare/frame/${frame}/3`, `blame/frame/${frame}`]);
    const against = ["compare", path.join(right, numbered("frame", frame)), picture];
    for (const [answer, expected] of [[compared, verb(...against)], [loose, verb(...against, "--tolerance", "3")]]) {
      delete answer.compare.pictures[0].name;
      delete expected.pictures[0].name;
      assert.deepEqual(body(answer.compare), expected);
    }
    assert.deepEqual(body(blamed.blame), verb("blame", trace, "--frame", String(frame), "--against", picture));
    const [differing] = await besideAnswers(trace, changed, ["diff"]);
    assert.deepEqual(body(differing.diff), verb("diff", trace, changed));
    assert.match(differing.text, /1 removed, 0 added/);
  });
}

test("beside a trace: a picture of a draw, and of a surface", async () => {
  const {trace, wrong} = leaveOut("draws", path.join(root, "traces/scenes/stencil-shadow.json"), 3);
  run("replay", `${wrong}.dp2t`, "-o", "without", "--draws", "4", "--frames", "none", "--fail-on", "never");
  // Draw 5 of the trace is draw 4 of the one without draw 3.
  fs.mkdirSync(path.join(work, "pictures"));
  const picture = path.join("pictures", numbered("draw", 5));
  fs.copyFileSync(path.join(work, "without", numbered("draw", 4)), path.join(work, picture));
  const [blamed, surface] = await besideAnswers(trace, picture, ["blame/draw/1-5", "compare/surface/1-1-0-0"]);
  const {search, ...expected} = verb("blame", trace, "--frame", "1", "--against", "pictures");
  assert.deepEqual(body(blamed.blame), expected);
  assert.equal(search.first_draw, 5);
  run("replay", trace, "-o", "surface", "--surface", "1", "--frames", "none", "--fail-on", "never");
  const {pictures: [wanted]} = verb("compare", "surface/surface-1-f0-l0.png", picture);
  const {pictures: [found]} = surface.compare;
  assert.deepEqual({...found, name: ""}, {...wanted, name: ""});
});

test("beside a trace: a picture of a read", {skip: !fs.existsSync(kReads)}, async () => {
  const {trace, wrong} = leaveOut("reads", kReads, 2);
  const picture = path.join(wrong, numbered("read", 1));
  const [blamed, compared] = await besideAnswers(trace, picture, ["blame/read/1", "compare/read/1"]);
  assert.deepEqual(body(blamed.blame), verb("blame", trace, "--read", "1", "--against", picture));
  const {pictures: [wanted]} = verb("compare", path.join("reads", numbered("read", 1)), picture);
  assert.deepEqual({...compared.compare.pictures[0], name: ""}, {...wanted, name: ""});
});

test("what is beside a trace may be nonsense; questions about what is not there have a sentence", () => {
  const own = startEngine(compiled);
  assert.throws(() => own.beside("a.png", new Uint8Array(3)), /no trace is open/);
  own.open("triangle.json", fs.readFileSync(path.join(root, "tests/cli/inputs/triangle.json")));
  for (const name of ["compare/frame/1", "blame/frame/1", "diff"]) assert.throws(() => own.ask(name), /beside/, name);
  assert.throws(() => own.beside("a.png", new Uint8Array([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])), {isAnswer: true});
  assert.throws(() => own.beside("nonsense", new Uint8Array([0, 1, 2, 3])), {isAnswer: true});
  assert.throws(() => own.ask("diff"), /beside/);
  assert.equal(own.beside("triangle.json", fs.readFileSync(path.join(root, "tests/cli/inputs/triangle.json"))).kind, "trace");
  assert.equal(own.ask("diff").text, "the same\n");
  assert.throws(() => own.ask("blame/frame/1"), /no picture beside/);
  const small = own.beside("small.png", fs.readFileSync(path.join(root, "tests/cli/inputs/add-for-addsigned.png")));
  assert.deepEqual(small, {name: "small.png", kind: "picture", width: 64, height: 64});
  for (const name of ["blame/frame/9", "blame/frame/0", "compare/frame", "compare/frame/1/256", "compare/draw/1-99", "compare/read/1", "compare/surface/1-77-0-0", "compare/surface/1-1-9-0", "compare/cube/1"]) {
    assert.throws(() => own.ask(name), {isAnswer: true}, name);
  }
  assert.ok(own.ask("frames/1").items);
});

test("there are traces to compare", () => assert.ok(kTraces.length > 20));

for (const file of [...kTraces, ...kCaptures]) {
  test(path.relative(root, file), async () => {
    await compare(file);
  });
}
