// The picture in the middle: a target after the chosen item, before it, what changed, how often, or beside a picture of the reader's.
"use strict";

(() => {
  const {byId, make} = page;
  const {kChannels, extent, heatColor, textOf, toImage} = inspect.pixels;
  const kViews = [
    {name: "after", key: "1", label: "After"},
    {name: "before", key: "2", label: "Before"},
    {name: "changed", key: "3", label: "What changed"},
    {name: "both", key: "4", label: "Before and after"},
    {name: "heat", key: "5", label: "Overdraw"},
    {name: "compare", key: "6", label: "Compare"},
  ];

  let frame = null;
  let place = -1;
  let view = "after";
  let targetId = null;
  let ranges = {};        // [low, high] that the reader chose, by what is shown
  let shape = "";         // of the panes that are there
  let panes = new Map();  // by name: {canvas, layers}
  let plane = null;       // what is shown, with its values
  let meshes = null;      // of the wireframe
  let chosenRect = null;
  let scale = 1;
  let heatCounts = null;
  let drawn = 0;
  let on = {};            // pixel(pixel), rectangle(rect), changed()

  inspect.targetName = ({name, surface, format, plane: kind, face, level, width, height, shown}) =>
    [name ?? `${surface} ${format}`, kind === "color" ? "" : kind, face ? `face ${face}` : "", level ? `level ${level}` : "", `${width} × ${height}`, shown ? "presented" : ""].filter(Boolean).join(", ");

  const target = () => frame?.targets[targetId];

  // Places for pictures: {name, title}; made anew only where they differ from those that are there.
  function setPanes(wanted, width, height) {
    const next = JSON.stringify([wanted.map(({name}) => name), width, height]);
    if (next === shape) {
      byId("panes").querySelectorAll("figcaption").forEach((caption, i) => (caption.textContent = wanted[i].title));
      return;
    }
    shape = next;
    panes = new Map(wanted.map(({name, title}) => {
      const canvas = make("canvas", "", {role: "img", "aria-label": title, width, height});
      return [name, {canvas, layers: new inspect.Layers(width, height)}];
    }));
    page.panes.show(wanted.map(({name, title}) => {
      const {canvas, layers} = panes.get(name);
      return {title, pictures: [canvas, layers.svg, layers.values].map((element) => ({element, width, height}))};
    }), null);
  }

  function paint(name, image) {
    panes.get(name).canvas.getContext("2d").putImageData(image, 0, 0);
  }

  // Looks that a target has: its channel, and the range of what is not a colour.
  function look(of) {
    const channel = of.format === "rgba8" ? byId("channel").value : of.format;
    const isGrey = of.format !== "rgba8" || kChannels.find(({name}) => name === channel).at !== undefined;
    const [low, high] = ranges[channel] ?? (of.format === "depth" ? [0, 1] : [0, 255]);
    byId("range").hidden = !isGrey;
    byId("channel-label").hidden = of.format !== "rgba8";
    if (document.activeElement !== byId("low")) byId("low").value = low;
    if (document.activeElement !== byId("high")) byId("high").value = high;
    return {channel, low, high};
  }

  function setRange(low, high) {
    if (!plane || !Number.isFinite(low) || !Number.isFinite(high)) return;
    ranges[plane.format === "rgba8" ? byId("channel").value : plane.format] = [low, high];
    draw();
  }

  const copyOf = (of) => ({...of, bytes: of.bytes.slice()});

  // Unchanged pixels are dark, changed ones as they are afterwards.
  function changedImage(of, patches) {
    const image = toImage(of, look(of));
    const pixels = new Uint32Array(image.data.buffer);
    const full = pixels.slice();
    for (let i = 0; i < pixels.length; ++i) pixels[i] = (pixels[i] >>> 2 & 0x3F3F3F) | 0xFF000000;
    let count = 0;
    for (const patch of patches) {
      inspect.pixels.eachChange(patch, [0, 0, of.width, of.height], (x, y) => {
        pixels[y * of.width + x] = full[y * of.width + x];
        ++count;
      });
    }
    return {image, count};
  }

  function heatImage({counts, most}, {width, height}) {
    const colors = Array.from({length: most + 1}, (_, i) => {
      const [red, green, blue] = heatColor(most ? i / most : 0);
      return 0xFF000000 | blue << 16 | green << 8 | red;
    });
    const image = new ImageData(width, height);
    const out = new Uint32Array(image.data.buffer);
    for (let i = 0; i < out.length; ++i) out[i] = colors[counts[i]];
    return image;
  }

  function showHeat(heat) {
    heatCounts = heat.counts;
    const sum = heat.counts.reduce((total, count) => total + count, 0);
    byId("about-view").replaceChildren(`Times that a pixel was changed up to this item: black 0 to red ${heat.most}, ${(sum / (plane.width * plane.height)).toFixed(2)} on average.`);
    setPanes([{name: "heat", title: "Overdraw"}], plane.width, plane.height);
    paint("heat", heatImage(heat, plane));
  }

  function showChanged(patches) {
    const {image, count} = changedImage(plane, patches);
    byId("about-view").textContent = count ? `${page.count(count, "pixel")} changed.` : "Nothing of this target changed.";
    setPanes([{name: "changed", title: "What changed"}], plane.width, plane.height);
    paint("changed", image);
  }

  function showBoth(patches) {
    const before = copyOf(plane);
    for (const patch of patches) inspect.pixels.apply(before, patch);
    setPanes([{name: "before", title: "Before"}, {name: "after", title: "After"}], plane.width, plane.height);
    paint("before", toImage(before, look(before)));
    paint("after", toImage(plane, look(plane)));
  }

  function showOne(name) {
    setPanes([{name, title: name === "after" ? "After" : "Before"}], plane.width, plane.height);
    paint(name, toImage(plane, look(plane)));
  }

  function frameOf(patches) {
    if (patches.length === 0) return null;
    const rects = patches.map(({rect}) => rect);
    const [x, y] = [0, 1].map((i) => Math.min(...rects.map((rect) => rect[i])));
    const [right, bottom] = [2, 3].map((i) => Math.max(...rects.map((rect) => rect[i])));
    return {x, y, width: right - x, height: bottom - y};
  }

  function decorate() {
    for (const {layers} of panes.values()) {
      layers.showWire(byId("wire").checked && targetId !== null && isOfItem(targetId) ? meshes : null);
      layers.showChosen(chosenRect);
    }
    showValues();
  }

  const isOfItem = (id) => {
    const {target: color, depth} = frame.items[place] ?? {};
    const surface = (one) => (one === undefined ? null : frame.targets[one]?.surface);
    return [surface(color), surface(depth)].includes(frame.targets[id].surface);
  };

  function showValues() {
    const isPlane = ["after", "before"].includes(view);
    for (const {layers} of panes.values()) layers.showValues(isPlane ? plane : null, scale);
  }

  // Shows what is chosen; a call that another has overtaken does nothing more.
  async function draw() {
    const mine = ++drawn;
    page.chooseRadio(byId("views"), view);
    byId("file").hidden = view !== "compare";
    byId("looks").hidden = byId("choices").hidden = !target();
    if (!target()) return hide("There is no picture: no item of this frame writes a surface that can be shown.");
    const of = await frame.at(targetId, view === "before" ? place - 1 : place);
    if (mine !== drawn) return;
    plane = of;
    const patches = await frame.changes(targetId, place);
    const heat = view === "heat" ? await frame.heat(targetId, place) : null;
    if (mine !== drawn) return;
    byId("nothing").hidden = true;
    byId("panes").hidden = false;
    byId("about-view").textContent = "";
    look(plane);
    heatCounts = null;
    if (heat) showHeat(heat);
    else if (view === "changed") showChanged(patches);
    else if (view === "both") showBoth(patches);
    else if (view === "compare") inspect.compare.draw(plane, look(plane), {setPanes, paint});
    else showOne(view);
    page.panes.setFrame(frameOf(patches));
    decorate();
    byId("panes").dataset.drawn = `${frame.number}/${place}/${targetId}/${view}`;
  }

  function hide(text) {
    shape = "";
    plane = null;
    byId("panes").replaceChildren();
    byId("nothing").hidden = false;
    byId("nothing").textContent = text;
  }

  function showPoint(pixel) {
    if (!pixel || !plane || pixel.x >= plane.width || pixel.y >= plane.height) {
      byId("pixel").textContent = "\u00a0";
      return;
    }
    const value = heatCounts ? `changed ${page.count(heatCounts[pixel.y * plane.width + pixel.x], "time")}`
      : textOf(plane.format, inspect.pixels.valueOf(plane.format, inspect.pixels.bytesAt(plane, pixel.x, pixel.y)));
    byId("pixel").textContent = `pixel ${pixel.x}, ${pixel.y}: ${value}`;
  }

  // The target of an item, of the plane that is looked at.
  function targetOf(item) {
    const kind = target()?.plane ?? "color";
    const color = item?.target ?? item?.writes?.[0]?.target;
    if (kind === "color" || item?.depth === undefined) return color;
    const {surface, space, face, level} = frame.targets[item.depth];
    const same = frame.targets.find((one) => one.plane === kind && one.surface === surface && one.space === space && one.face === face && one.level === level);
    return same?.id ?? item.depth;
  }

  function fillTargets() {
    byId("target").replaceChildren(...frame.targets.map((one) => make("option", inspect.targetName(one), {value: one.id})));
  }

  function setTarget(id) {
    targetId = frame.targets[id] ? id : frame.targets.find(({shown}) => shown)?.id ?? frame.targets[0]?.id ?? null;
    byId("target").value = targetId ?? "";
  }

  function startLooks() {
    byId("channel").append(...kChannels.map(({name, label}) => make("option", label, {value: name})));
    byId("channel").addEventListener("change", draw);
    for (const id of ["low", "high"]) {
      byId(id).addEventListener("change", () => setRange(byId("low").valueAsNumber, byId("high").valueAsNumber));
    }
    byId("range-fit").addEventListener("click", () => plane && setRange(...extent(plane, kChannels.find(({name}) => name === byId("channel").value).at)));
    byId("wire").addEventListener("change", decorate);
    byId("target").addEventListener("change", () => {
      byId("follow").checked = false;
      targetId = Number(byId("target").value);
      on.changed();
      draw();
    });
    byId("follow").addEventListener("change", () => inspect.picture.show(frame, place));
  }

  inspect.picture = {
    kViews,
    start(listeners) {
      on = listeners;
      page.radios(byId("views"), kViews, (name) => this.choose(name));
      startLooks();
      page.panes.start({
        click: (pixel) => pixel && on.pixel(pixel),
        cursor: on.pixel,
        rectangle: (rect) => on.rectangle(rect),
        point: showPoint,
        layOut: (now) => {
          scale = now;
          showValues();
        },
        scroll: showValues,
      });
    },
    // The picture at an item of a frame.
    show(next, item) {
      if (frame !== next) {
        frame = next;
        fillTargets();
        setTarget(undefined);
      }
      place = item;
      meshes = null;
      const followed = byId("follow").checked ? targetOf(frame.items[place]) : undefined;
      if (followed !== undefined) setTarget(followed);
      return draw();
    },
    choose(name) {
      view = name;
      on.changed();
      return draw();
    },
    setTarget(id) {
      byId("follow").checked = false;
      setTarget(id);
    },
    setMeshes(next) {
      meshes = next;
      decorate();
    },
    mark(rect) {
      chosenRect = rect;
      decorate();
    },
    redraw: draw,
    state: () => ({view, target: targetId, place}),
    target,
    setView(name) {
      if (kViews.some((one) => one.name === name)) view = name;
    },
  };
})();
