// The engine: the library as WebAssembly, behind functions of JavaScript. Runs in the worker of the page, and in Node for tests.
"use strict";

// What the engine asks of a system: a clock that stands, and a place for words that nobody reads.
function wasiOf(memory) {
  const view = () => new DataView(memory().buffer);
  const ok = 0;
  return {
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return ok;
    },
    environ_get: () => ok,
    clock_time_get(clock, precision, time) {
      view().setBigUint64(time, 0n, true);
      return ok;
    },
    fd_close: () => ok,
    fd_seek: () => 70,  // a pipe
    fd_write(file, parts, count, written) {
      let size = 0;
      for (let i = 0; i < count; ++i) size += view().getUint32(parts + 8 * i + 4, true);
      view().setUint32(written, size, true);
      return ok;
    },
    proc_exit(code) {
      throw new Error(`the engine ended with ${code}`);
    },
  };
}

// The engine of a compiled module: open(name, bytes), beside(name, bytes) and ask(name) return what JSON says, or throw an Error with the sentence that says why not.
// After any other exception it must not be used again. `progress`: is called with the bytes of the trace that the current question has read, and its size (0: not known), after each event.
function startEngine(module, progress = () => {}) {
  const {exports} = new WebAssembly.Instance(module, {wasi_snapshot_preview1: wasiOf(() => exports.memory), dp2trace: {progress}});
  exports._initialize();
  const kOk = 0;  // DP2TRACE_OK

  function put(bytes) {
    const at = exports.dp2trace_allocate(bytes.length) >>> 0;
    if (at === 0) throw new Error("there is not enough memory");
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  // What functions write: a pointer, a size.
  const slot = put(new Uint8Array(4));
  const written = () => new DataView(exports.memory.buffer).getUint32(slot, true);
  if (exports.dp2trace_view_open(0, slot) !== kOk) throw new Error("there is not enough memory");
  const view = written();

  function answer() {
    const at = exports.dp2trace_view_answer(view, slot) >>> 0;
    return new Uint8Array(exports.memory.buffer, at, written());
  }

  function take(result) {
    const text = new TextDecoder().decode(answer());
    if (result === kOk) return JSON.parse(text);
    throw Object.assign(new Error(text), {isAnswer: true});
  }

  // Calls a function with places in memory, each of which holds bytes.
  function call(what, ...parts) {
    const places = parts.map(put);
    try {
      return what(...places);
    } finally {
      for (const place of places) exports.dp2trace_free(place);
    }
  }
  const textOf = (text) => new TextEncoder().encode(`${text}\0`);

  return {
    open: (name, bytes) => take(call((at, from) => exports.dp2trace_view_load(view, at, from, bytes.length), textOf(name), bytes)),
    beside: (name, bytes) => take(call((at, from) => exports.dp2trace_view_load_beside(view, at, from, bytes.length), textOf(name), bytes)),
    ask: (name) => take(call((at) => exports.dp2trace_view_ask(view, at), textOf(name))),
    // The bytes of the trace, .dp2t or .json; null where none is open.
    file: () => (exports.dp2trace_view_save(view) === kOk ? answer().slice() : null),
  };
}

if (typeof module !== "undefined") module.exports = {startEngine};
