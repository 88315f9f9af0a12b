// `dp2trace view`, and what it answers.
import {spawn} from "node:child_process";
import {once} from "node:events";

export class Program {
  // A running program, which has printed its address.
  static async start(program, trace, ...more) {
    const child = spawn(program, ["view", trace, "--no-browser", ...more], {stdio: ["ignore", "pipe", "pipe"]});
    const one = new Program();
    one.child = child;
    one.exit = once(child, "exit");
    one.said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (one.said += text));
    const [address] = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), one.exit.then(() => [null])]);
    one.address = address?.trim();
    if (!one.address) throw new Error(one.said);
    one.own = `${one.address}pages/${"0".repeat(16)}/`;
    return one;
  }

  // What JSON says, or an Error with the sentence; as a page of its own.
  async ask(name) {
    const address = `${this.own}data/${name}`;
    // Who computes for seconds in between finds that the server has closed the connection meanwhile.
    const response = await fetch(address).catch(() => fetch(address));
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  }

  // Puts a file beside the trace.
  async beside(name, bytes) {
    const response = await fetch(`${this.own}beside/${encodeURIComponent(name)}`, {method: "POST", body: bytes});
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  }

  stop() {
    this.child.kill("SIGINT");
    return this.exit;
  }
}
