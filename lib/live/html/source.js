// Whom the page asks: the program that serves it, or the engine in a worker of its own. Both answer the same names.
"use strict";

const live = {};

(() => {
  const {byId} = page;
  const server = document.querySelector('meta[name="dp2trace-server"]');

  // Of an element with bytes in base64, which may be deflated.
  async function bytesOf(element) {
    if (element.dataset.packed !== undefined) return page.inflate(element.textContent);
    return Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0));
  }

  // A page that is being left has its requests ended: nobody waits for them.
  let isLeft = false;
  addEventListener("beforeunload", () => (isLeft = true));

  async function fetchText(address, options) {
    try {
      const response = await fetch(address, options);
      return {isThere: response.ok, text: await response.text()};
    } catch (error) {
      if (isLeft) return new Promise(() => {});
      throw error;
    }
  }

  async function fetchValue(address, options) {
    const {isThere, text} = await fetchText(address, options);
    if (!isThere) throw new Error(text);
    return JSON.parse(text);
  }

  // The program that serves the page. Each page has its own changes there, by a number that it makes up.
  const own = `pages/${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const kServer = {
    // A long name, which has a picture in it, does not fit into an address.
    ask: (name) => (name.length < 2000 ? fetchValue(`${own}/data/${name}`) : fetchValue(`${own}/data`, {method: "POST", body: decodeURIComponent(name)})),
    beside: (name, bytes) => fetchValue(`${own}/beside/${encodeURIComponent(name)}`, {method: "POST", body: bytes}),
    cancel: () => fetchText(`${own}/cancel`, {method: "POST"}),
    // {done, size}: bytes of the trace that the work on the current question has read, of so many (0: not known).
    progress: () => fetchValue(`${own}/progress`),
  };

  // Cancelled or ended: the next question starts another engine with the same file.
  const kCancelled = "it was cancelled";

  class Engine {
    #worker = null;
    #module = null;
    #file = null;       // {name, bytes}
    #edit = null;       // the last question that changed it
    #beside = null;     // {beside, bytes}: the file beside it
    #waiting = new Map();
    #last = 0;

    #send(message) {
      return new Promise((resolve, reject) => {
        this.#waiting.set(++this.#last, {resolve, reject});
        this.#worker.postMessage({id: this.#last, ...message});
      });
    }

    #end(reason) {
      this.#worker?.terminate();
      this.#worker = null;
      for (const {reject} of this.#waiting.values()) reject(new Error(reason));
      this.#waiting.clear();
    }

    #hear({id, value, error, isOver}) {
      const {resolve, reject} = this.#waiting.get(id) ?? {};
      this.#waiting.delete(id);
      if (error === undefined) resolve?.(value);
      else reject?.(new Error(error));
      if (isOver) this.#end(error);
    }

    async #start() {
      this.#module ??= WebAssembly.compile(await bytesOf(byId("engine")));
      const module = await this.#module;
      const script = new Blob([byId("engine-script").textContent, byId("worker-script").textContent], {type: "text/javascript"});
      const address = URL.createObjectURL(script);
      this.#worker = new Worker(address);
      URL.revokeObjectURL(address);
      this.#worker.addEventListener("message", ({data}) => this.#hear(data));
      this.#worker.addEventListener("error", (event) => this.#end(event.message));
      await this.#send({module});
      if (!this.#file) return null;
      const opened = await this.#send(this.#file);
      if (this.#edit) await this.#send({ask: decodeURIComponent(this.#edit)});
      if (this.#beside) await this.#send(this.#beside);
      return opened;
    }

    // What was opened before is gone, whether this can be opened or not.
    async open(name, bytes) {
      this.#end(kCancelled);
      this.#file = {name, bytes};
      this.#edit = this.#beside = null;
      return this.#start();
    }

    // Puts a file beside what is open; it stays there until another one comes.
    async beside(name, bytes) {
      if (!this.#worker) await this.#start();
      this.#beside = null;
      const answer = await this.#send({beside: name, bytes});
      this.#beside = {beside: name, bytes};
      return answer;
    }

    async ask(name) {
      if (!this.#worker) await this.#start();
      const answer = await this.#send({ask: decodeURIComponent(name)});
      if (name.startsWith("edit/")) this.#edit = name;
      return answer;
    }

    // The bytes of the trace that is shown.
    file() {
      return this.#send({file: true});
    }

    cancel() {
      this.#end(kCancelled);
    }
  }

  // As long as this request is open, the program knows that somebody looks.
  live.stay = async () => {
    const reader = (await fetch(`${own}/alive`)).body.getReader();
    while (!(await reader.read()).done);
  };

  live.bytesOf = bytesOf;
  live.isServed = server !== null;
  live.engine = server ? kServer : new Engine();
})();
