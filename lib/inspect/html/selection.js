// The chosen pixel or rectangle: what changed it in the frame, with the colour after each, and how to learn the rest.
"use strict";

(() => {
  const {byId, count, make} = page;
  const {textOf} = inspect.pixels;
  let chosen = null;  // {target, rect}
  let asked = 0;

  const isPixel = ([left, top, right, bottom]) => right - left === 1 && bottom - top === 1;

  function swatch(value) {
    const box = make("span", "", {class: "swatch", "aria-hidden": "true"});
    if (Array.isArray(value)) box.style.background = `rgb(${value[0]} ${value[1]} ${value[2]})`;
    else box.hidden = true;
    return box;
  }

  // A text of the shell as one word.
  const quoted = (text) => (/^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

  // The read by the CPU that is looked at, where it is one of the target: its history ends there.
  function readOf(frame) {
    const item = frame.items[inspect.picture.state().place];
    return item?.read && item.target === chosen.target ? item.read : 0;
  }

  function commandsFor(frame, [x, y]) {
    const {surface, level, face, shown} = frame.targets[chosen.target];
    const read = readOf(frame);
    const where = shown && !read ? "" : ` --surface ${surface}${level ? ` --level ${level}` : ""}${face ? ` --face ${face}` : ""}`;
    return `dp2trace history ${quoted(inspect.run.trace ?? "TRACE")} ${read ? `--read ${read}` : `--frame ${frame.number}`} --pixel ${x},${y}${where}`;
  }

  function showCommand(text) {
    const copy = make("button", "Copy", {type: "button", "aria-label": "Copy the command"});
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
      } catch {  // not allowed for pages from a disk, in some browsers
        getSelection().selectAllChildren(byId("commands").querySelector("code"));
        copy.textContent = "Selected";
      }
    });
    byId("commands").replaceChildren(make("code", text), copy);
  }

  // The name of the history of a pixel; null where the data have none. A live page has one of each pixel.
  function historyName(frame, x, y) {
    const {plane, shown, surface, face, level} = frame.targets[chosen.target];
    const isThere = inspect.live ? plane === "color" : shown && (inspect.run.history ?? []).some(([left, top]) => left === x && top === y);
    const read = inspect.live ? readOf(frame) : 0;
    return isThere ? `history/${read ? `read-${read}` : frame.number}-${x}-${y}${shown && !read ? "" : `-${surface}-${face}-${level}`}` : null;
  }

  async function showHistory(frame, x, y) {
    const mine = asked;
    const name = historyName(frame, x, y);
    byId("history").hidden = !name;
    byId("selection").scrollIntoView({block: "nearest"});
    if (!name) return;
    byId("history-text").textContent = "…";
    const {text} = await page.data(name).catch((error) => ({text: error.message}));
    if (mine !== asked) return;
    byId("history-text").textContent = text;
    byId("selection").scrollIntoView({block: "nearest"});
  }

  async function showPixel(frame, rect) {
    const [x, y] = rect;
    const {plane} = frame.targets[chosen.target];
    const values = await frame.pixelValues(chosen.target, x, y);
    const format = plane === "color" ? "rgba8" : plane;
    byId("selection-text").textContent = `${count(values.length - 1, "item")} of this frame changed it. Those that drew the same value or failed a test are in its history:`;
    const cells = ({place, value}) => {
      const item = frame.items[place];
      const words = make("span");
      words.append(swatch(value), textOf(format, value));
      return [place < 0 ? "before" : inspect.itemLink(place, `${place} ${item.name}`), item?.draw ? String(item.draw) : "", words];
    };
    byId("selection-rows").replaceChildren(inspect.table(["Item", "Draw", "Held then"], values.length, (i) => cells(values[i]), {label: "What the pixel held"}));
    showCommand(commandsFor(frame, rect));
    await showHistory(frame, x, y);
  }

  async function showRectangle(frame, rect) {
    const places = await frame.touching(chosen.target, rect);
    byId("selection-text").textContent = `${count(places.length, "item")} of this frame changed something in it.`;
    byId("selection-rows").replaceChildren(inspect.table(["Item", "Draw"], places.length, (i) => {
      const item = frame.items[places[i]];
      return [inspect.itemLink(places[i], `${places[i]} ${item.name}`), item.draw ? String(item.draw) : ""];
    }, {label: "What changed the rectangle"}));
    byId("commands").replaceChildren();
    byId("history").hidden = true;
  }

  inspect.selection = {
    // {target, rect}, or null.
    current: () => chosen,
    async show(frame, next) {
      const mine = ++asked;
      chosen = next;
      byId("selection").hidden = !chosen;
      inspect.picture.mark(chosen && chosen.rect);
      if (!chosen) return;
      const [left, top, right, bottom] = chosen.rect;
      const target = inspect.targetName(frame.targets[chosen.target]);
      byId("selection-name").textContent = isPixel(chosen.rect) ? `Pixel ${left}, ${top} of ${target}` : `Region ${left},${top},${right - left},${bottom - top} of ${target}`;
      await (isPixel(chosen.rect) ? showPixel(frame, chosen.rect) : showRectangle(frame, chosen.rect));
      if (mine === asked) byId("selection").dataset.shown = chosen.rect.join(",");
    },
  };
})();
