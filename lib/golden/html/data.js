// The data of a report, in small files that are loaded as they are needed. They are scripts, since a page that was opened from a folder
// may load nothing else; each calls goldenData(NAME, VALUE). Memory is bounded: files that were not used for long are forgotten.
"use strict";

const golden = {};

(() => {
  const kMostFiles = 64;
  const files = new Map();  // promises by name, the one used last at the end
  const waiting = new Map();  // what to call with the value of a file that is being loaded

  globalThis.goldenData = (name, value) => waiting.get(name)?.(value);

  function load(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const finish = () => {
        waiting.delete(name);
        script.remove();
        reject(new Error(`data/${name}.js cannot be loaded or is damaged`));  // without effect behind resolve
      };
      waiting.set(name, resolve);
      script.addEventListener("load", finish);
      script.addEventListener("error", finish);
      script.src = `data/${name}.js`;
      document.head.append(script);
    });
  }

  // The value of a file, as a promise.
  golden.data = (name) => {
    const file = files.get(name) ?? load(name);
    files.delete(name);
    files.set(name, file);
    file.catch(() => files.delete(name));
    if (files.size > kMostFiles) files.delete(files.keys().next().value);
    return file;
  };

  golden.byId = (id) => document.getElementById(id);

  // An element with text and attributes. Whatever comes from a trace is text, never markup.
  golden.make = (tag, text = "", attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  golden.count = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
})();
