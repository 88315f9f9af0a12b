// Starts the page: what the run was, where the reader is (in the address), and the keys.
"use strict";

(() => {
  const {byId} = page;
  const kPlace = /^#([a-z-]+)\/(\d+)(?:\/(\d+))?(?:\/([a-z]+))?$/;  // STATUS/PLACE/IMAGE/VIEW

  let run = null;
  let entry = null;  // the trace that is shown
  let image = 0;
  let view = "side";
  let opened = 0;

  // {key, text, act}: also what the page lists.
  const kKeys = [
    {key: "j", text: "next trace", act: () => golden.traces.step(1)},
    {key: "k", text: "trace before", act: () => golden.traces.step(-1)},
    {key: "n", text: "next picture of the trace", act: () => golden.detail.step(1)},
    {key: "p", text: "picture before", act: () => golden.detail.step(-1)},
    ...golden.views.map(({name, key, label}) => ({
      key,
      text: name === "flicker" ? "flicker between expected and actual, on and off" : label.toLowerCase(),
      act: name === "flicker" ? () => golden.viewer.toggleFlicker() : () => golden.viewer.choose(name),
    })),
    {key: "x", text: "the other one of expected and actual; stops a flicker", act: () => golden.viewer.swap()},
    {key: "+", text: "zoom in", act: () => page.panes.zoomBy(1)},
    {key: "-", text: "zoom out", act: () => page.panes.zoomBy(-1)},
    {key: "0", text: "fit into the page", act: () => page.panes.zoomTo(0)},
    {key: "d", text: "go to the first pixel that differs", act: () => golden.viewer.goToFirst()},
    {key: "b", text: "frame around all differences, on and off", act: () => byId("box").click()},
    {key: "/", text: "find", act: () => byId("find").focus()},
  ];

  function remember() {
    if (entry) history.replaceState(null, "", `#${entry.status}/${entry.place}/${image}/${view}`);
  }

  // Shows a trace; `more` may say which of its pictures, and how.
  async function open(next, row, more) {
    const mine = ++opened;
    const pack = await page.data(`traces/${row.pack}`);
    if (mine !== opened) return;
    entry = next;
    image = 0;
    golden.detail.show(pack[row.place], more.image ?? 0, more.view);
    remember();
  }

  function placeInAddress() {
    const found = kPlace.exec(location.hash);
    const status = run.statuses.find((one) => one.status === found?.[1]);
    if (!status || Number(found[2]) >= status.count) return null;
    const wanted = golden.views.some(({name}) => name === found[4]) ? found[4] : undefined;
    return {entry: {status: found[1], place: Number(found[2])}, more: {image: Number(found[3] ?? 0), view: wanted}};
  }

  function describeRun() {
    const failing = run.statuses.filter(({fails}) => fails).reduce((sum, {count}) => sum + count, 0);
    byId("run").textContent = `${page.count(run.traces, "trace")}, ${failing === 0 ? "none fails" : `${failing.toLocaleString("en")} fail`}. ${run.tool}, manifest ${run.manifest.slice(0, 8)}`;
    document.title = `Golden images: ${failing === 0 ? "all as expected" : `${failing} of ${run.traces} fail`}`;
    byId("partial").hidden = run.shard === undefined;
    if (run.shard) byId("partial").textContent = `This is shard ${run.shard} only: ${page.count(run.results, "result")}.`;
  }

  async function start() {
    run = await page.data("run");
    describeRun();
    golden.viewer.start((name) => {
      view = name;
      remember();
    });
    golden.detail.start((place) => {
      image = place;
      remember();
    });
    await golden.traces.start(run, open);
    const place = placeInAddress();
    if (place?.more.view) view = place.more.view;
    const first = place?.entry ?? golden.traces.first();
    if (first) await golden.traces.open(first, place?.more);
    page.startKeys(kKeys);
    addEventListener("hashchange", () => {
      const next = placeInAddress();
      if (next) golden.traces.open(next.entry, next.more);
    });
    document.documentElement.dataset.ready = "true";
  }

  start().catch((error) => {
    byId("partial").hidden = false;
    byId("partial").textContent = String(error.message ?? error);
  });
})();
