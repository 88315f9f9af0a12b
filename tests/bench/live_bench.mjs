// What the engine in the page takes beside the program that serves the same page: one thread each, vectors of 128 bits, the same questions in turn.
// A time is the median of the runs, in milliseconds, with the reading of the answer; a ratio is that of the program's to the engine's.
// usage: node live_bench.mjs PROGRAM ENGINE ISA RUNS TRACE...
import fs from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";

import {Program} from "../live/program.mjs";

const [program, engine, isa, runs, ...traces] = process.argv.slice(2);
const {startEngine} = createRequire(import.meta.url)(path.resolve(import.meta.dirname, "../../lib/live/html/engine.js"));
const bytes = fs.readFileSync(engine);

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function film(ask) {
  for (let frames = 0; ;) {
    const part = await ask(`overview/${frames}`);
    frames += part.frames.length;
    if (part.complete) return frames;
  }
}

// Milliseconds by name. `open` starts one side anew and returns how to ask it and how to end it.
async function measure(open) {
  const times = {};
  let side;
  times.first = await timed(async () => {
    side = await open();
    await side.ask("overview/0");
    await side.ask("frames/1");
  });
  let frames;
  times.film = await timed(async () => (frames = await film(side.ask)));
  const chosen = [frames, 1, (frames + 1) >> 1];
  times.frame = (await timed(async () => {
    for (const frame of chosen) await side.ask(`frames/${frame}`);
  })) / chosen.length;
  times.history = (await timed(async () => {
    for (const frame of chosen) await side.ask(`history/${frame}-20-20`);
  })) / chosen.length;
  times.findings = await timed(() => side.ask("findings"));
  await side.end();
  return times;
}

const kSides = {
  program: (trace) => async () => {
    const served = await Program.start(program, trace, "--threads", "1", "--isa", isa);
    return {ask: (name) => served.ask(name), end: () => served.stop()};
  },
  engine: (trace) => async () => {
    const own = startEngine(new WebAssembly.Module(bytes));
    own.open(path.basename(trace), fs.readFileSync(trace));
    return {ask: async (name) => own.ask(name), end: async () => {}};
  },
};

const kNames = ["first", "film", "frame", "history", "findings"];
console.log(`| trace | side | ${kNames.join(" | ")} |\n| --- | --- |${" ---: |".repeat(kNames.length)}`);
for (const trace of traces) {
  const all = {program: [], engine: []};
  for (let run = 0; run < Number(runs); ++run) {
    for (const side of Object.keys(kSides)) all[side].push(await measure(kSides[side](trace)));
  }
  const of = (side, name) => median(all[side].map((times) => times[name]));
  const row = (side, text) => console.log(`| ${path.basename(trace)} | ${side} | ${kNames.map(text).join(" | ")} |`);
  for (const side of Object.keys(kSides)) row(side, (name) => of(side, name).toFixed(1));
  row("ratio", (name) => (of("program", name) / of("engine", name)).toFixed(2));
}
