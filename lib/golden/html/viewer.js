// How one picture is viewed: expected, actual, what differs, side by side or in turn.
"use strict";

(() => {
  const {byId} = page;
  const kTurnMs = 500;  // two pictures a second: slow enough for everybody
  const kViews = [
    {name: "side", key: "1", label: "Side by side"},
    {name: "expected", key: "2", label: "Expected"},
    {name: "actual", key: "3", label: "Actual"},
    {name: "difference", key: "4", label: "Difference"},
    {name: "heat", key: "5", label: "Heat map"},
    {name: "flicker", key: "f", label: "Flicker"},
  ];
  const kAbout = {
    difference: "Difference: how far apart, per channel; a difference of alpha is grey",
    heat: "Heat map: yellow is one step, red is all; magenta is in one picture only",
  };

  let image = null;  // what is shown: {name, pictures, difference, ...}
  let view = "side";
  let isActual = false;  // in flicker: which one can be seen
  let timer = 0;
  let onView = () => {};

  golden.views = kViews;

  const has = (name) => Boolean(image?.pictures[name]);
  const hasBoth = () => has("expected") && has("actual");

  function isPossible(name) {
    if (name === "side") return true;
    if (name === "flicker") return hasBoth();
    return has(name);
  }

  function picture(name, more = {}) {
    const filter = name === "difference" && byId("gain").value !== "1" ? `brightness(${byId("gain").value})` : "";
    return {source: image.pictures[name], alt: `${image.name}, ${name}`, filter, ...more};
  }

  function pane(name) {
    const title = kAbout[name] ?? (name === "expected" ? "Expected" : "Actual");
    return has(name) ? {title, pictures: [picture(name)]} : {title, pictures: [], absent: image.pictures[`no_${name}`] ?? "There is no such picture."};
  }

  function sides() {
    if (image.status === "new") return [pane("actual")];
    if (image.status === "missing") return [pane("expected")];
    if (image.status === "match") return [pane("actual")];
    return [pane("expected"), pane("actual"), ...(has("heat") ? [{...pane("heat"), title: "Heat map"}] : [])];
  }

  function showTurn() {
    const [expected, actual] = byId("panes").querySelectorAll("img");
    if (!actual) return;
    expected.classList.toggle("off", isActual);
    actual.classList.toggle("off", !isActual);
    byId("panes").dataset.turn = isActual ? "actual" : "expected";
    byId("panes").querySelector("figcaption").textContent = `Flicker: ${isActual ? "actual" : "expected"}${timer ? "" : " (stopped)"}`;
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
  }

  function startTurns() {
    stop();
    timer = setInterval(() => {
      isActual = !isActual;
      showTurn();
    }, kTurnMs);
    showTurn();
  }

  function draw() {
    stop();
    const shown = isPossible(view) ? view : "side";
    page.chooseRadio(byId("views"), shown, isPossible);
    byId("panes").dataset.view = shown;
    byId("gain-label").hidden = shown !== "difference";
    if (shown === "flicker") {
      page.panes.show([{title: "Flicker", pictures: [picture("expected"), picture("actual", {off: true})]}], image.difference?.differing_rectangle);
      isActual = false;
      startTurns();
    } else {
      delete byId("panes").dataset.turn;
      page.panes.show(shown === "side" ? sides() : [pane(shown)], image.difference?.differing_rectangle);
    }
    byId("zoom-first").disabled = !image.difference?.first;
    byId("box").disabled = !image.difference;
  }

  // Expected in place of actual, or the other way round; stops a flicker.
  function swap() {
    if (!image || !hasBoth()) return;
    if (byId("panes").dataset.view === "flicker") {
      stop();
      isActual = !isActual;
      showTurn();
    } else {
      choose(view === "actual" ? "expected" : "actual");
    }
  }

  function choose(name) {
    if (!image || !isPossible(name)) return;
    view = name;
    draw();
    onView(name);
  }

  golden.viewer = {
    start(changed) {
      onView = changed;
      page.radios(byId("views"), kViews, choose);
      byId("gain").addEventListener("change", draw);
      byId("zoom-first").addEventListener("click", () => this.goToFirst());
      page.panes.start({click: swap});
    },
    show(next, wanted = view) {
      image = next;
      view = wanted;
      draw();
    },
    hide() {
      stop();
      image = null;
      byId("panes").replaceChildren();
    },
    choose,
    swap,
    // Flicker on, and off again.
    toggleFlicker() {
      choose(byId("panes").dataset.view === "flicker" && timer ? "side" : "flicker");
    },
    goToFirst() {
      if (image?.difference?.first) page.panes.zoomTo(16, image.difference.first);
    },
  };
})();
