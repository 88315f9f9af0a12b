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
// After any other exception it must not be used again.
function startEngine(module) {
  const {exports} = new WebAssembly.Instance(module, {wasi_snapshot_preview1: wasiOf(() => exports.memory)});
  exports._initialize();

  function put(bytes) {
    const at = exports.dp2trace_allocate(bytes.length);
    if (at === 0) throw new Error("there is not enough memory");
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  const answer = () => new Uint8Array(exports.memory.buffer, exports.dp2trace_answer() >>> 0, exports.dp2trace_answer_size() >>> 0);

  function take(isThere) {
    const text = new TextDecoder().decode(answer());
    if (isThere) return JSON.parse(text);
    throw Object.assign(new Error(text), {isAnswer: true});
  }

  function withText(text, call) {
    const bytes = new TextEncoder().encode(text);
    const at = put(bytes);
    const result = call(at, bytes.length);
    exports.dp2trace_free(at);
    return result;
  }

  return {
    open: (name, bytes) => take(withText(name, (at, size) => exports.dp2trace_open(at, size, put(bytes), bytes.length))),
    beside: (name, bytes) => take(withText(name, (at, size) => exports.dp2trace_beside(at, size, put(bytes), bytes.length))),
    ask: (name) => take(withText(name, (at, size) => exports.dp2trace_ask(at, size))),
    // The bytes of the trace, .dp2t or .json; null where none is open.
    file: () => (exports.dp2trace_file() ? answer().slice() : null),
  };
}

if (typeof module !== "undefined") module.exports = {startEngine};
