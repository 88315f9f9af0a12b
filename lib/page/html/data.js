// The data of a page, in small files that are loaded as they are needed. They are scripts, since a page that was opened from a folder
// may load nothing else; each calls pageData(NAME, VALUE). A value may be {"zlib": BASE64}: its JSON, deflated. Memory is bounded: files that
// were not used for long are forgotten.
"use strict";

const page = {};

(() => {
  const kMostFiles = 64;
  const kMostBytes = 128 << 20;  // of the text of packed values
  const files = new Map();  // promises by name, the one used last at the end
  const sizes = new Map();  // bytes of those that were packed
  const waiting = new Map();  // what to call with the value of a file that is being loaded

  globalThis.pageData = (name, value) => waiting.get(name)?.(value?.zlib === undefined ? value : readPacked(name, value.zlib));

  // The bytes of a zlib stream in base64.
  page.inflate = async (text) => {
    const characters = atob(text);
    const packed = new Uint8Array(characters.length);
    for (let i = 0; i < packed.length; ++i) packed[i] = characters.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  async function readPacked(name, text) {
    const bytes = await page.inflate(text);
    sizes.set(name, bytes.length);
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  function forget(name) {
    files.delete(name);
    sizes.delete(name);
  }

  // The one used last stays, whatever its size.
  function forgetOldest() {
    let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const name of [...files.keys()].slice(0, -1)) {
      if (files.size <= kMostFiles && bytes <= kMostBytes) return;
      bytes -= sizes.get(name) ?? 0;
      forget(name);
    }
  }

  function loadScript(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const finish = () => {
        waiting.delete(name);
        script.remove();
        reject(new Error(`data/${name}.js cannot be loaded or is damaged`));  // without effect after resolve
      };
      waiting.set(name, resolve);
      script.addEventListener("load", finish);
      script.addEventListener("error", finish);
      script.src = `data/${name}.js`;
      document.head.append(script);
    });
  }

  // Where values come from, as promises: the files of the folder; a page that asks somebody else has another source.
  page.source = loadScript;

  // The value of a file, as a promise.
  page.data = (name) => {
    const file = files.get(name) ?? page.source(name);
    files.delete(name);
    files.set(name, file);
    file.catch(() => forget(name));
    forgetOldest();
    return file;
  };

  // The values are those of something else from now on.
  page.forgetData = () => [...files.keys()].forEach(forget);
})();
