// A file beside the trace: a picture is compared with what the trace shows, and who made it wrong is listed; of another trace, what differs.
"use strict";

(() => {
  const {byId, count, make} = page;
  let file = null;
  let kind = "";       // "picture", "trace"; empty: nothing is beside it
  let asked = 0;
  let compared = null; // what the picture was compared with: {name, text}
  let on = {};         // open(file), frames(), reads()

  const say = (text) => (byId("beside-about").textContent = text);

  function fail(error) {
    say("");
    byId("beside-failure").textContent = error.message;
    byId("beside-failure").hidden = false;
  }

  function swatch(color) {
    const box = make("span", "", {class: "swatch", "aria-hidden": "true"});
    box.style.background = `#${color.slice(3)}`;  // "#aarrggbb"
    return box;
  }

  function linkTo(text, go) {
    const link = make("button", text, {type: "button", class: "link"});
    link.addEventListener("click", () => go()?.catch?.(inspect.warn));
    return link;
  }

  // ---------- a picture ----------

  // What the picture may be one of, as the frame and the item are that are shown.
  function fillPlaces() {
    const chosen = byId("beside-place").value;
    const {number, targets, items} = inspect.frame() ?? {};
    if (number === undefined) return;
    const item = items[inspect.picture.state().place];
    const target = inspect.picture.target();
    const places = [["frame", `frame ${number}`]];
    if (item?.draw) places.push(["draw", `draw ${item.draw}, the target after it`]);
    if (target?.plane === "color" && !target.shown) places.push(["surface", `surface ${target.surface}, at the end of frame ${number}`]);
    if (on.reads()) places.push(["read", "read by the CPU, number"]);
    byId("beside-place").replaceChildren(...places.map(([value, text]) => make("option", text, {value})));
    if (places.some(([value]) => value === chosen)) byId("beside-place").value = chosen;
    byId("beside-read").hidden = byId("beside-place").value !== "read";
    byId("beside-read").max = on.reads();
  }

  function placeName() {
    const {number, items} = inspect.frame();
    const {surface, face, level} = inspect.picture.target() ?? {};
    const place = {
      frame: () => `frame/${number}`,
      draw: () => `draw/${number}-${items[inspect.picture.state().place].draw}`,
      surface: () => `surface/${number}-${surface}-${face ?? 0}-${level ?? 0}`,
      read: () => `read/${byId("beside-read").value}`,
    }[byId("beside-place").value]();
    const tolerance = Number(byId("beside-tolerance").value);
    return tolerance ? `${place}/${tolerance}` : place;
  }

  const placeWords = () => byId("beside-place").selectedOptions[0].textContent;

  // Where the reader has gone elsewhere, the result is still of what it was made of.
  function follow() {
    if (kind !== "picture") return;
    fillPlaces();
    const isStale = compared !== null && compared.name !== placeName();
    byId("beside-stale").hidden = !isStale;
    if (isStale) byId("beside-stale").textContent = `The result is of ${compared.text}. Press Compare for ${placeWords()}.`;
    byId("beside-result").classList.toggle("stale", isStale);
  }

  function operationText({draw, operation, marker}) {
    return `${draw ? `draw ${draw}, ` : ""}${operation}${marker ? ` (${[marker.text, marker.source].filter(Boolean).join(", ")})` : ""}`;
  }

  const operationLink = (frame, operation) => linkTo(operationText(operation), () => inspect.openPlace(frame, operation.event, operation.offset));

  function candidateElement(frame, {operation, measured_by: by, region_pixels: pixels, region_pixels_written: written, differing_pixels: wrong, pixels: all, fit, reads}) {
    const row = make("li");
    row.append(operationLink(frame, operation), ` ${by === "covered" ? `covers ${count(pixels, "pixel")} of the region, wrote ${written.toLocaleString("en")}` : `wrote ${count(pixels, "pixel")} of the region`}; of all ${all.toLocaleString("en")}, ${wrong.toLocaleString("en")} ${wrong === 1 ? "differs" : "differ"}; fit ${fit.toFixed(3)}`);
    for (const {as, surface, written_by: writers} of reads) {
      if (writers.length === 0) continue;
      const line = make("div", `reads surface ${surface} (${as}), which this frame wrote: `, {class: "quiet"});
      writers.slice(-3).forEach((writer, i) => line.append(i ? ", " : "", operationLink(frame, writer)));
      row.append(line);
    }
    return row;
  }

  function regionElement(answer, region, i) {
    const {frame} = answer.blame;
    const [left, top] = [answer.left ?? 0, answer.top ?? 0];
    const {x, y, replay, picture} = region.first;
    const {x: from, y: above, width, height} = region.rectangle;
    const best = region.candidates.find(({operation}) => operation.draw)?.operation.draw;
    const go = (where) => () => (location.hash = inspect.addressOf({f: frame, d: best, i: best ? undefined : inspect.picture.state().place, w: undefined, h: undefined, ...where}));
    const box = make("section", "", {class: "part"});
    const title = make("h3", region.rest ? "Everything else: " : `Region ${i + 1}: `);
    title.append(linkTo(`${count(region.pixels, "pixel")} in ${[from, above, width, height].join(",")}`, go({x: left + from, y: top + above, w: width, h: height})));
    const line = make("p", "first wrong pixel ");
    line.append(linkTo(`${x}, ${y}`, go({x: left + x, y: top + y})), ": the replay has ", swatch(replay), `${replay}, the picture `, swatch(picture), picture);
    const list = make("ol");
    list.append(...region.candidates.map((candidate) => candidateElement(frame, candidate)));
    box.append(title, line, list);
    if (region.unwritten_pixels) box.append(make("p", `Nothing in the frame wrote ${count(region.unwritten_pixels, "pixel")} of it.`));
    if (region.candidates_not_listed) box.append(make("p", `${count(region.candidates_not_listed, "more operation")} ${region.candidates_not_listed === 1 ? "is" : "are"} not listed.`));
    return box;
  }

  function textElement(text) {
    const box = make("details");
    box.append(make("summary", "As the program prints it"), make("pre", text, {tabindex: 0, "aria-label": "Report"}));
    return box;
  }

  function showBlame(answer) {
    const {regions, common, wrong_draws: wrong, right_draws: right, unclear_draws: unclear} = answer.blame;
    const parts = [make("p", `Draws with wrong pixels: ${wrong.length.toLocaleString("en")}; right: ${right.length.toLocaleString("en")}; unclear: ${unclear.toLocaleString("en")}`)];
    if (common.length) {
      const list = make("ul");
      list.append(...common.map(({text}) => make("li", text)));
      parts.push(make("h3", "What the wrong ones have in common"), list);
    }
    parts.push(...regions.map((region, i) => regionElement(answer, region, i)), textElement(answer.text));
    byId("beside-result").replaceChildren(...parts);
  }

  async function compare(mine) {
    if (!inspect.frame()) throw new Error("The trace has no frame that the picture could be compared with.");
    fillPlaces();
    const name = placeName();
    compared = {name, text: placeWords()};
    say(`Comparing with ${compared.text} …`);
    const found = await page.source(`compare/${name}`);
    if (mine !== asked) return;
    const [picture] = found.compare.pictures;
    say(found.text.trim());
    document.documentElement.dataset.beside = picture.state;
    if (picture.state !== "different" || !picture.same_size) return;
    byId("beside-result").replaceChildren(make("p", "Looking for the draws that made it …"));
    const answer = await page.source(`blame/${name}`);
    if (mine === asked) showBlame(answer);
  }

  // ---------- a trace ----------

  function placeText({event, frame, draw, after_event: after}) {
    if (after !== undefined) return `after event ${after}`;
    return [`frame ${frame}`, draw ? `draw ${draw}` : "", `event ${event}`].filter(Boolean).join(", ");
  }

  // Leads to the place in the trace that is shown; what only the other one has, to what it comes after.
  function placeLink({event, frame, offset, after_event: after}, text) {
    const frames = on.frames();
    const number = frame ?? frames.find((one) => one.event >= after)?.frame;
    if (!frames.some((one) => one.frame === number)) return make("span", text);
    return linkTo(text, () => inspect.openPlace(number, event ?? after, offset, event === undefined ? null : {event, offset: offset ?? null}));
  }

  function differenceCells({change, a, b, fields = [], byte}) {
    const texts = make("div");
    for (const [sign, {text}] of [["−", a], ["+", b]]) if (text) texts.append(make("code", `${sign} ${text}`, {class: "token"}));
    const more = [fields.length ? `differs in ${fields.join(", ")}` : "", byte === undefined ? "" : `differs from byte ${byte} of the token on`].filter(Boolean).join("; ");
    if (more) texts.append(make("small", more));
    return [change, placeLink(a, placeText(a)), placeText(b), texts];
  }

  async function diff(mine) {
    say("Comparing the traces …");
    const answer = await page.source("diff");
    if (mine !== asked) return;
    const {removed, added, changed, differences} = answer.diff;
    const sum = removed + added + changed;
    say(sum ? `${removed.toLocaleString("en")} removed, ${added.toLocaleString("en")} added, ${changed.toLocaleString("en")} changed${sum > differences.length ? `; the first ${differences.length.toLocaleString("en")} are listed` : ""}.` : "Both traces do the same.");
    document.documentElement.dataset.beside = sum ? "different" : "equal";
    if (sum === 0) return;
    byId("beside-result").replaceChildren(inspect.table(["", "In this trace", "In the other", "What"], differences.length, (i) => differenceCells(differences[i]), {label: "Differences of the traces"}), textElement(answer.text));
  }

  // ---------- both ----------

  async function again() {
    const mine = ++asked;
    compared = null;
    byId("beside-stale").hidden = true;
    byId("beside-result").classList.remove("stale");
    delete document.documentElement.dataset.beside;
    byId("beside-failure").hidden = true;
    byId("beside-result").replaceChildren();
    try {
      await (kind === "picture" ? compare(mine) : diff(mine));
    } catch (error) {
      if (mine === asked) fail(error);
    }
    if (mine === asked) byId("beside-result").dataset.shown = file.name;
  }

  function forget() {
    ++asked;
    file = null;
    kind = "";
    byId("beside").hidden = true;
  }

  live.beside = {
    start(listeners) {
      on = listeners;
      byId("beside-file").addEventListener("change", () => {
        const [chosen] = byId("beside-file").files;
        if (chosen?.type.startsWith("image/")) inspect.compare.take(chosen);
        else if (chosen) this.take(chosen);
        byId("beside-file").value = "";  // the same one may be chosen again
      });
      byId("beside-place").addEventListener("change", again);
      for (const id of ["beside-read", "beside-tolerance"]) byId(id).addEventListener("change", again);
      byId("beside-again").addEventListener("click", again);
      byId("beside-close").addEventListener("click", forget);
      byId("beside-open").hidden = live.isServed;
      byId("beside-open").addEventListener("click", () => on.open(file));
    },
    async take(next) {
      const mine = ++asked;
      file = next;
      kind = "";
      delete byId("beside-result").dataset.shown;
      byId("beside").hidden = false;
      byId("beside-name").textContent = next.name;
      byId("beside-failure").hidden = byId("beside-stale").hidden = true;
      byId("beside-choices").hidden = byId("beside-open").hidden = true;
      byId("beside-result").replaceChildren();
      say(`Reading ${next.name} …`);
      try {
        const bytes = await live.read(next);
        const isPng = live.isPng(bytes);
        if (next.type.startsWith("image/") && !isPng) throw new Error(`${next.name} is not a PNG image: only those are compared draw by draw. Other files are compared as traces.`);
        const is = await live.engine.beside(next.name, bytes);
        if (mine !== asked) return;
        kind = is.kind;
        byId("beside-choices").hidden = kind !== "picture";
        byId("beside-open").hidden = live.isServed || kind === "picture";
        byId("beside-name").textContent = kind === "picture" ? `${next.name} (${is.width} × ${is.height})` : next.name;
        await again();
      } catch (error) {
        if (mine === asked) fail(error);
      }
    },
    forget,
    // Another item is shown.
    follow,
    // The trace is another one than before: changed, or as it was.
    refresh: () => kind && again(),
  };
})();
