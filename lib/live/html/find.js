// What the reader looks for in all frames of the trace: the search of the timeline, frame after frame.
"use strict";

(() => {
  const {byId, count, make} = page;
  let asked = 0;
  let on = {};  // frames(), whileWorking(promise)

  const say = (text) => (byId("everywhere-about").textContent = text);

  function rowOf(frame, words, places) {
    const row = make("li");
    const link = make("button", `frame ${frame.number}`, {type: "button", class: "link"});
    link.addEventListener("click", () => (location.hash = inspect.addressOf({f: frame.number, i: places[0], q: words, t: undefined, x: undefined, y: undefined, w: undefined, h: undefined})));
    row.append(link, `: ${count(places.length, "item")}, the first is ${places[0]} ${frame.items[places[0]].name}`);
    return row;
  }

  // The frames that are known so far: the strip waits meanwhile.
  async function find(words, mine) {
    let found = 0;
    let i = 0;
    const isStopped = () => mine !== asked;
    for (; i < on.frames().length && !isStopped(); ++i) {
      const {frame: number} = on.frames()[i];
      const frame = new inspect.Frame(number, await page.data(`frames/${number}`));
      const places = await inspect.search.find(frame, words);
      if (isStopped()) return;
      if (places.length) {
        ++found;
        byId("everywhere-rows").append(rowOf(frame, words, places));
      }
      say(`${found.toLocaleString("en")} of ${count(i + 1, "frame")} searched ${found === 1 ? "has" : "have"} it`);
    }
    byId("everywhere-rows").dataset.found = words;
  }

  async function start() {
    const mine = ++asked;
    const words = byId("everywhere-words").value.trim();
    byId("everywhere-rows").replaceChildren();
    delete byId("everywhere-rows").dataset.found;
    say("");
    if (words === "") return;
    try {
      await on.whileWorking(find(words, mine));
    } catch (error) {
      if (mine === asked) byId("everywhere-about").append(`; then: ${error.message}`);
    }
  }

  live.everywhere = {
    start(listeners) {
      on = listeners;
      byId("show-everywhere").addEventListener("click", () => {
        const isShown = byId("everywhere").hidden;
        byId("everywhere").hidden = !isShown;
        byId("show-everywhere").setAttribute("aria-expanded", isShown);
        if (isShown) byId("everywhere-words").focus();
      });
      byId("everywhere").addEventListener("submit", (event) => {
        event.preventDefault();
        start();
      });
    },
    // What was found stays.
    stop: () => ++asked,
    forget() {
      ++asked;
      byId("everywhere-rows").replaceChildren();
      say("");
    },
  };
})();
