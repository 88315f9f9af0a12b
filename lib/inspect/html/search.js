// What the reader looks for, and which items that are.
"use strict";

(() => {
  const kTerms = [
    ["words", "in names, targets, markers and kinds, and why a draw was not drawn"],
    ["op:DRAW*", "operation or event; * stands for anything"],
    ["kind:clear", "draw, clear, blit, upload, surface, read, present"],
    ["texture:7", "that handle is bound"],
    ["state:ZENABLE=TRUE", "the state has that value at the draw; set: was given it since the draw before"],
    ["rule:DP2-*", "findings of that rule; rule:* any"],
    ["pixel:120,44", "changed that pixel; rect:0,0,64,64 that rectangle, of any target"],
    ["target:12, draw:5, event:9", "handle of a target, numbers"],
    ["-word", "not that"],
  ];

  const lower = (text) => String(text).toLowerCase();

  // The text as a whole is `pattern`, in which * is anything.
  function matches(pattern, text) {
    const expression = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*");
    return new RegExp(`^${expression}$`, "i").test(text);
  }

  // Truth is a word or a number.
  const kSame = {0: "FALSE", 1: "TRUE"};
  const matchesValue = (pattern, value) => matches(pattern, value) || kSame[pattern] === value;

  // Which items have a state, of "ZENABLE=0": a pattern without section or value leaves them open. `isKept`: what was set stays.
  function statesTest(frame, pattern, isKept) {
    const [name, value] = pattern.split(/=(.*)/);
    const now = new Map();  // of the states whose name is meant: whether their value is
    const found = frame.items.map((item) => {
      if (!isKept) now.clear();
      for (const state of item.states ?? []) {
        const at = state.indexOf("=");
        const own = state.slice(0, at);
        if (matches(name, own) || matches(`*.${name}`, own)) now.set(own, value === undefined || matchesValue(value, state.slice(at + 1)));
      }
      return (!isKept || item.kind === "draw") && [...now.values()].includes(true);
    });
    return (item, place) => found[place];
  }

  // Texts of what an item is, for plain words.
  function textOf(frame, item) {
    const targets = [item.target, item.depth].map((id) => frame.targets[id]?.name ?? "");
    return lower([item.name, item.kind, item.primitive ?? "", item.surface ?? "", ...(item.marker ?? []), item.source ?? "", ...targets, ...(item.rules ?? []), item.refused ? `not drawn: ${item.refused}` : ""].join(" "));
  }

  const numbers = (text) => text.split(",").map(Number);
  const handles = (frame, item) => [item.target, item.depth].filter((id) => id !== undefined).map((id) => String(frame.targets[id]?.surface));

  // Tests of an item by its place; those that look at pixels are made by a promise.
  const kTests = {
    op: (frame, value) => (item) => matches(value, item.name),
    kind: (frame, value) => (item) => matches(value, item.kind),
    texture: (frame, value) => (item) => (item.textures ?? []).some((handle) => matches(value, String(handle))),
    set: (frame, value) => statesTest(frame, value, false),
    state: (frame, value) => statesTest(frame, value, true),
    rule: (frame, value) => (item) => (item.rules ?? []).some((rule) => matches(value, rule)),
    target: (frame, value) => (item) => handles(frame, item).some((handle) => matches(value, handle)),
    draw: (frame, value) => (item) => String(item.draw) === value,
    event: (frame, value) => (item) => String(item.event) === value,
    marker: (frame, value) => (item) => (item.marker ?? []).some((text) => lower(text).includes(lower(value))),
    rect: (frame, value) => changing(frame, numbers(value)),
    pixel: (frame, value) => {
      const [x, y] = numbers(value);
      return changing(frame, [x, y, x + 1, y + 1]);
    },
  };

  async function changing(frame, rect) {
    const places = new Set();
    if (rect.length !== 4 || rect.some(Number.isNaN)) return () => false;
    for (const {id} of frame.targets) {
      for (const place of await frame.touching(id, rect)) places.add(place);
    }
    return (item, place) => places.has(place);
  }

  function testOf(frame, term) {
    const found = /^([a-z]+):(.+)$/.exec(term);
    if (found && kTests[found[1]]) return kTests[found[1]](frame, found[2].replaceAll("\"", ""));
    const word = lower(term.replaceAll("\"", ""));
    return (item) => textOf(frame, item).includes(word);
  }

  inspect.search = {
    kTerms,
    // Places of the items that all terms of the text name; null for an empty text.
    async find(frame, text) {
      const terms = text.match(/-?[a-z]+:"[^"]*"|-?"[^"]*"|\S+/g) ?? [];
      if (terms.length === 0) return null;
      const tests = await Promise.all(terms.map(async (term) => {
        if (term.length < 2 || term[0] !== "-") return testOf(frame, term);
        const test = await testOf(frame, term.slice(1));
        return (item, place) => !test(item, place);
      }));
      const places = [];
      frame.items.forEach((item, place) => tests.every((test) => test(item, place)) && places.push(place));
      return places;
    },
  };
})();
