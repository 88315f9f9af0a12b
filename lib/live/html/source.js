// Whom the page asks: the program that serves it, or the engine in a worker of its own. Both answer the same names.
"use strict";

const live = {kEnded: "dp2trace view has ended: what is not here yet cannot be shown any more."};

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
    } catch {
      if (isLeft) return new Promise(() => {});
      throw new Error(live.kEnded);
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

  const kCancelled = "it was cancelled";

  // A worker with an engine; it answers one message after the other until it ends.
  class Connection {
    #worker;
    #waiting = new Map();
    #last = 0;
    #over = null;  // why it has ended
    opened;        // a promise: what the engine said of the file
    progress = {};  // {done, size} of the current question, as the server's

    // `module`: a promise. `messages`: what the engine is told first, the file before anything else.
    constructor(module, messages) {
      const script = new Blob([byId("engine-script").textContent, byId("worker-script").textContent], {type: "text/javascript"});
      const address = URL.createObjectURL(script);
      this.#worker = new Worker(address);
      URL.revokeObjectURL(address);
      this.#worker.addEventListener("message", ({data}) => this.#hear(data));
      this.#worker.addEventListener("error", (event) => this.end(event.message));
      this.opened = this.#start(module, messages);
      this.opened.catch(({message}) => this.end(message));
    }

    get isOver() {
      return this.#over !== null;
    }

    async #start(module, messages) {
      await this.#post({module: await module});
      const [opened] = await Promise.all(messages.map((message) => this.#post(message)));
      return opened;
    }

    #post(message) {
      if (this.isOver) return Promise.reject(new Error(this.#over));
      return new Promise((resolve, reject) => {
        this.#waiting.set(++this.#last, {resolve, reject});
        this.#worker.postMessage({id: this.#last, ...message});
      });
    }

    #hear({id, value, error, isOver, progress}) {
      this.progress = progress ?? {};
      if (progress) return;
      const {resolve, reject} = this.#waiting.get(id) ?? {};
      this.#waiting.delete(id);
      if (error === undefined) resolve?.(value);
      else reject?.(new Error(error));
      if (isOver) this.end(error);
    }

    async send(message) {
      await this.opened;
      return this.#post(message);
    }

    end(reason) {
      this.#over ??= reason;
      this.#worker.terminate();
      for (const {reject} of this.#waiting.values()) reject(new Error(this.#over));
      this.#waiting.clear();
    }
  }

  // The engine of the page. Cancelled or ended: the next question starts another one with the same file.
  class Engine {
    #module = null;
    #connection = null;
    #opening = null;    // the connection of a file that may take the place of the one that is open
    #file = null;       // {name, bytes}
    #edit = null;       // the last question that changed it
    #beside = null;     // {beside, bytes}: the file beside it

    #connect(messages) {
      this.#module ??= bytesOf(byId("engine")).then((bytes) => WebAssembly.compile(bytes));
      return new Connection(this.#module, messages.filter(Boolean));
    }

    #send(message) {
      if (!this.#connection || this.#connection.isOver) this.#connection = this.#connect([this.#file, this.#edit && {ask: decodeURIComponent(this.#edit)}, this.#beside]);
      return this.#connection.send(message);
    }

    // What was opened before stays where this cannot be opened.
    async open(name, bytes) {
      this.#opening?.end(kCancelled);
      const file = {name, bytes};
      const next = this.#opening = this.#connect([file]);
      const opened = await next.opened;
      this.#connection?.end(kCancelled);
      this.#opening = null;
      this.#connection = next;
      this.#file = file;
      this.#edit = this.#beside = null;
      return opened;
    }

    // Puts a file beside what is open; it stays there until another one comes.
    async beside(name, bytes) {
      this.#beside = null;
      const answer = await this.#send({beside: name, bytes});
      this.#beside = {beside: name, bytes};
      return answer;
    }

    async ask(name) {
      const answer = await this.#send({ask: decodeURIComponent(name)});
      if (name.startsWith("edit/")) this.#edit = name;
      return answer;
    }

    // The bytes of the trace that is shown.
    file() {
      return this.#send({file: true});
    }

    async progress() {
      return (this.#opening ?? this.#connection)?.progress;
    }

    cancel() {
      this.#connection?.end(kCancelled);
      this.#opening?.end(kCancelled);
    }
  }

  // As long as this request is open, the program knows that somebody looks.
  live.stay = async () => {
    const reader = (await fetch(`${own}/alive`)).body.getReader();
    while (!(await reader.read()).done);
  };

  // The bytes of a file that was chosen or dropped.
  live.read = async (file) => {
    const bytes = await file.arrayBuffer().catch(() => {
      throw new Error(`${file.name} cannot be read: it is a folder, it is gone, or there is not enough memory for it`);
    });
    if (bytes.byteLength === 0) throw new Error(`${file.name} is empty`);
    return new Uint8Array(bytes);
  };

  const kPngStart = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A];
  live.isPng = (bytes) => kPngStart.every((byte, i) => bytes[i] === byte);

  live.isCancelled = ({message}) => message === kCancelled;
  live.bytesOf = bytesOf;
  live.isServed = server !== null;
  live.engine = server ? kServer : new Engine();
})();
