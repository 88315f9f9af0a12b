// The items of a frame as a film: slider, steps, play.
"use strict";

(() => {
  const {byId} = page;
  let timer = 0;
  let step = () => Promise.resolve(false);  // goes to the next item; whether there was one

  function stop() {
    clearTimeout(timer);
    timer = 0;
    byId("play").setAttribute("aria-pressed", "false");
    byId("play").textContent = "Play";
  }

  async function turn() {
    const began = performance.now();
    const went = await step(1);
    if (!timer) return;  // stopped meanwhile
    if (!went) return stop();
    timer = setTimeout(turn, Math.max(0, 1000 / Number(byId("speed").value) - (performance.now() - began)));
  }

  inspect.film = {
    start(next, goTo) {
      step = next;
      byId("play").addEventListener("click", () => this.toggle());
      byId("item-before").addEventListener("click", () => step(-1));
      byId("item-next").addEventListener("click", () => step(1));
      byId("slider").addEventListener("input", () => goTo(byId("slider").valueAsNumber));
    },
    stop,
    toggle() {
      if (timer) return stop();
      byId("play").setAttribute("aria-pressed", "true");
      byId("play").textContent = "Stop";
      timer = setTimeout(turn, 0);
    },
    // Where the film is: an item of so many.
    show(place, count) {
      byId("slider").max = Math.max(0, count - 1);
      byId("slider").value = place;
      byId("slider").setAttribute("aria-valuetext", `item ${place}`);
      byId("place").textContent = count ? `${place.toLocaleString("en")} of ${(count - 1).toLocaleString("en")}` : "";
    },
  };
})();
