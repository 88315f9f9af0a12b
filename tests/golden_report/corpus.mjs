// Traces, manifests and runs of `dp2trace golden` for the tests of reports.
import {execFile, spawn} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export const kToday = "2027-01-15";
const kHeavyDraws = 40000;  // blended, of 4096 x 4096 pixels: minutes of work on any machine

const clear = (color, size, rects) =>
  ({op: "CLEAR", flags: ["TARGET"], fill_color: color, fill_depth: 1, fill_stencil: 0, rects: rects ?? [[0, 0, size, size]]});

// Tokens that blend a triangle over the whole target, `count` times.
function blends(count) {
  const states = {CULLMODE: "NONE", ZENABLE: "FALSE", ALPHABLENDENABLE: 1};
  return [
    {op: "RENDERSTATE", records: Object.entries(states).map(([render_state, state]) => ({render_state, state}))},
    ...Array(count).fill({op: "TRIANGLELIST", v_start: 0}),
  ];
}

// A trace that clears its target with each colour, blends a triangle over it `draws` times, and shows it; `broken` unknown operations after that.
export function trace(frames, {size = 64, broken = 0, draws = 0} = {}) {
  const corners = [[0, 0], [2 * size, 0], [0, 2 * size]];
  const vertices = corners.map(([x, y]) => [x, y, 0, 1, "0x01010101"]);
  const call = {event: "dp2", context: 1, vertex_type: "XYZRHW|DIFFUSE", vertex_size: 20};
  const events = [
    {event: "header"},
    {event: "surface_create", handle: 1, kind: "target", format: "X8R8G8B8", width: size, height: size},
    {event: "context_create", context: 1, target: 1},
  ];
  for (const clears of frames) {
    const commands = clears.map(([color, rects]) => clear(color, size, rects));
    if (draws) commands.push(...blends(draws));
    events.push({...call, ...(draws && {vertices}), commands}, {event: "present", handle: 1});
  }
  for (let i = 0; i < broken; ++i) events.push({...call, commands: [{raw: "f0000000"}]});
  return JSON.stringify(events);
}

export const kHeavy = trace([[["0xFF000001"]]], {size: 4096, draws: kHeavyDraws});

// A folder with traces, a manifest that includes them, a store and results.
export class Corpus {
  constructor(folder, program) {
    this.folder = folder;
    this.program = program;
    this.place = (name) => path.join(folder, name);
    fs.mkdirSync(this.place("t"), {recursive: true});
    fs.writeFileSync(this.place("manifest.json"), '{"version":1,"include":["t"],"traces":[]}');
  }

  write(name, text) {
    fs.writeFileSync(this.place(`t/${name}.json`), text);
  }

  run(...args) {
    return new Promise((resolve) => {
      execFile(this.program, ["golden", ...args], {cwd: this.folder, env: {PATH: ""}, maxBuffer: 1 << 26}, (error, stdout, stderr) =>
        resolve({code: error ? error.code : 0, stdout, stderr}));
    });
  }

  checkArguments(more = []) {
    return ["check", "--store", "store", "--results", "results", "--force", "--today", kToday, ...more];
  }

  check(...more) {
    return this.run(...this.checkArguments(more));
  }

  async accept() {
    await this.check("--keep-all");
    const done = await this.run("accept", "--store", "store", "--results", "results");
    if (done.code !== 0) throw new Error(done.stderr);
  }

  // Changes members of a trace's entry in the manifest.
  edit(name, members) {
    const manifest = JSON.parse(fs.readFileSync(this.place("manifest.json"), "utf8"));
    Object.assign(manifest.traces.find((entry) => entry.path === `t/${name}.json`), members);
    fs.writeFileSync(this.place("manifest.json"), JSON.stringify(manifest));
  }

  // A check during which the worker that has the trace open is killed.
  checkAndKill(name, more) {
    return new Promise((resolve) => {
      const check = spawn(this.program, ["golden", ...this.checkArguments(more)], {cwd: this.folder, env: {PATH: ""}, stdio: "ignore"});
      const timer = setInterval(() => {
        if (killWorkerOf(check.pid, `/${name}.json`)) clearInterval(timer);
      }, 10);
      check.on("exit", (code) => {
        clearInterval(timer);
        resolve(code);
      });
    });
  }
}

function killWorkerOf(parent, ending) {
  try {
    for (const child of fs.readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").split(" ").filter(Boolean)) {
      for (const link of fs.readdirSync(`/proc/${child}/fd`)) {
        if (!fs.readlinkSync(`/proc/${child}/fd/${link}`).endsWith(ending)) continue;
        process.kill(Number(child), "SIGKILL");
        return true;
      }
    }
  } catch {  // it has just ended
  }
  return false;
}

export const kHostile = "zz-<img src=x onerror=alert(1)>&amp;'\"";

// One run that has every status, and names that would be markup.
export async function everyStatus(folder, program) {
  const corpus = new Corpus(folder, program);
  const red = [["0xFFFF0000"]];
  const plain = trace([red]);
  const names = ["match", "differ", "gone", "more-frames", "fewer-frames", "findings", "broken", "skipped", "known", "passes", "expired", "slow", "crash", "cut"];
  for (const name of names) corpus.write(name, plain);
  corpus.write("many", trace([red, [["0xFF00FF00"]], [["0xFF0000FF"]], [["0xFF204060"], ["0xFFFFFFFF", [[8, 8, 24, 24]]]]]));
  await corpus.accept();
  corpus.write("differ", trace([[["0xFFFF0000"], ["0xFFFE4000", [[20, 10, 44, 50]]]]]));
  corpus.write("many", trace([red, [["0xFF00F000"]], [["0xFF0000FF"]], [["0xFF204060"], ["0xFFFFFFFF", [[9, 9, 25, 25]]]], red]));
  fs.unlinkSync(corpus.place("t/gone.json"));
  corpus.write("more-frames", trace([red, red]));
  corpus.write("fewer-frames", '[{"event":"header"}]');
  corpus.write("broken", "PNG");
  corpus.write("cut", plain.slice(0, -20));
  corpus.write("known", trace([[["0xFF0000FF"]]]));
  corpus.write(kHostile.replaceAll("/", "-"), plain);
  corpus.write("slow", kHeavy);
  corpus.write("crash", kHeavy);
  const later = {reason: "<b>waits</b> for the blend fix", expires: kToday};
  corpus.edit("findings", {findings: {"DP2-STREAM-006": 1}});
  corpus.edit("skipped", {skip: later});
  corpus.edit("known", {expected_fail: later});
  corpus.edit("passes", {expected_fail: later});
  corpus.edit("expired", {skip: {reason: "why", expires: "2027-01-14"}});
  corpus.edit("differ", {tags: ["clear", "red"]});
  await corpus.checkAndKill("crash", ["--timeout", "8", "-j", "2"]);
  return corpus;
}

// 5,000 pictures that differ, some of them alike: one trace with 3,000, and 200 with ten each.
export async function manyDifferences(folder, program) {
  const corpus = new Corpus(folder, program);
  const hex = (value) => value.toString(16).padStart(2, "0");
  const frames = (count, blue) => Array.from({length: count}, (_, i) => [[`0xFF00${hex(i % 200)}${hex(blue)}`]]);
  const write = (blue) => {
    corpus.write("large", trace(frames(3000, blue), {size: 4}));
    for (let i = 0; i < 200; ++i) corpus.write(`t${String(i).padStart(3, "0")}`, trace(frames(10, blue + 1 + (i & 63)), {size: 4}));
  };
  write(0);
  await corpus.accept();
  write(100);
  await corpus.check();
  return corpus;
}

// Scenes of the repository, of which some have changed: what the picture in the README shows.
export async function changedScenes(folder, program, scenes) {
  const corpus = new Corpus(folder, program);
  const changes = {
    "lit-textured-knot": [/"specular":\[0\.7,0\.7,0\.7,1\]/, '"specular":[0.9,0.7,0.5,1]'],
    "columns-in-fog": [/"FOGDENSITY","state":0\.13/, '"FOGDENSITY","state":0.16'],
    "teapot-of-patches": [/"power":40/, '"power":12'],
  };
  const names = fs.readdirSync(scenes).map((file) => path.basename(file, ".json"));
  const read = (name) => fs.readFileSync(path.join(scenes, `${name}.json`), "utf8");
  for (const name of names) corpus.write(name, read(name));
  await corpus.accept();
  for (const [name, [before, after]] of Object.entries(changes)) {
    const text = read(name).replace(before, after);
    if (text === read(name)) throw new Error(`${name} has no ${before}`);
    corpus.write(name, text);
  }
  await corpus.check();
  return corpus;
}
