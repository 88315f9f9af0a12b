// The list of what a frame does: grouped, filtered, and drawn only where it can be seen, so that its length does not matter.
"use strict";

(() => {
  const {byId, count, make} = page;
  const kRowHeight = 42;  // as the style has it
  const kBeyond = 12;     // rows drawn outside of what can be seen

  let frame = null;
  let chosen = null;        // places that the search names; null: all
  let rows = [];            // {group, level, ...} or {place, level}
  let rowOf = new Map();    // of a place
  let closed = new Set();   // keys of groups
  let current = -1;         // place
  let active = -1;          // row that keys work on
  let mostSteps = 1;
  let onChoice = () => {};

  const box = () => byId("timeline");
  const places = () => chosen ?? frame.items.map((_, place) => place);

  function groupNamesOf(item) {
    const grouping = byId("grouping").value;
    if (grouping === "marker") return item.marker ?? [];
    const target = frame.targets[item.target ?? item.depth];
    return grouping === "target" && target ? [inspect.targetName(target)] : [];
  }

  // Runs of neighbours with the same names become groups; a run of one is not a group.
  function addRows(list, level, path) {
    for (let i = 0; i < list.length;) {
      const name = groupNamesOf(frame.items[list[i]])[level];
      let end = i + 1;
      while (name !== undefined && end < list.length && groupNamesOf(frame.items[list[end]])[level] === name) ++end;
      if (name === undefined || end === i + 1) {
        rowOf.set(list[i], rows.length);
        rows.push({place: list[i], level});
      } else {
        addGroup(list.slice(i, end), name, level, `${path}/${list[i]}`);
      }
      i = end;
    }
  }

  function addGroup(list, name, level, key) {
    const isClosed = closed.has(key);
    const pixels = list.reduce((sum, place) => sum + (frame.items[place].pixels ?? 0), 0);
    const findings = [0, 1, 2].map((i) => list.reduce((sum, place) => sum + (frame.items[place].findings?.[i] ?? 0), 0));
    rows.push({group: name, key, level, items: list.length, pixels, findings, isClosed});
    if (isClosed) for (const place of list) rowOf.set(place, rows.length - 1);
    else addRows(list, level + 1, key);
  }

  function build() {
    rows = [];
    rowOf = new Map();
    addRows(places(), 0, "");
    mostSteps = frame.items.reduce((most, {steps = 0}) => Math.max(most, steps), 1);
    byId("found").textContent = chosen ? `${chosen.length.toLocaleString("en")} of ${count(frame.items.length, "item")}` : count(frame.items.length, "item");
    active = rowOf.get(current) ?? -1;
    draw();
  }

  const kSeverities = [["error", "errors"], ["warning", "warnings"], ["advice", "advice"]];
  function badges(counts = []) {
    return kSeverities.flatMap(([name, names], i) => {
      if (!counts[i]) return [];
      const text = `${counts[i].toLocaleString("en")} ${counts[i] === 1 ? name : names}`;
      const badge = make("span", counts[i] > 999 ? "999+" : String(counts[i]), {class: `badge ${name}`, title: text});
      badge.setAttribute("aria-label", text);
      return [badge];
    });
  }

  // In words; the marker where no group has it as its name.
  function aboutItem(item, level) {
    const parts = [];
    if (item.refused) parts.push(`not drawn: ${item.refused}`);
    if (item.kind !== "draw") parts.push(item.kind);
    if (item.primitive) parts.push(`${item.primitive} ${(item.primitives ?? 0).toLocaleString("en")}`);
    if (item.surface) parts.push(`surface ${item.surface}`);
    if (item.count) parts.push(count(item.count, "item"));
    if (item.pixels) parts.push(count(item.pixels, "pixel"));
    if (item.steps) parts.push(`cost ${item.steps.toLocaleString("en")}`);
    if (item.marker && level === 0) parts.push(item.marker.join(" / "));
    return parts.join(" · ");
  }

  function itemRow(row, element) {
    const item = frame.items[row.place];
    const title = make("span", "", {class: "title"});
    title.append(make("span", String(row.place), {class: "number"}), make("span", item.name, {class: "name"}), make("span", item.draw ? `draw ${item.draw}` : item.read ? `read ${item.read}` : "", {class: "quiet"}), ...badges(item.findings));
    const about = aboutItem(item, row.level);
    element.append(title, make("small", about, {title: about}));
    if (item.steps) {
      const bar = make("span", "", {class: "cost"});
      bar.style.width = `${100 * item.steps / mostSteps}%`;
      element.append(bar);
    }
    element.classList.toggle("idle", frame.targets.length > 0 && (item.writes ?? []).length === 0);
    element.setAttribute("aria-selected", row.place === current);
  }

  function groupRow(row, element) {
    const title = make("span", "", {class: "title"});
    title.append(make("span", row.isClosed ? "▸" : "▾", {class: "number", "aria-hidden": "true"}), make("span", row.group, {class: "name"}), ...badges(row.findings));
    element.append(title, make("small", [count(row.items, "item"), row.pixels ? count(row.pixels, "pixel") : ""].filter(Boolean).join(" · ")));
    element.setAttribute("aria-expanded", !row.isClosed);
  }

  function rowElement(index) {
    const row = rows[index];
    const element = make("div", "", {role: "treeitem", id: `row-${index}`, class: row.group === undefined ? "item" : "group", "aria-level": row.level + 1, "aria-setsize": rows.length, "aria-posinset": index + 1});
    element.style.top = `${index * kRowHeight}px`;
    element.style.paddingLeft = `${0.5 + row.level}rem`;
    element.classList.toggle("active", index === active);
    (row.group === undefined ? itemRow : groupRow)(row, element);
    element.addEventListener("click", () => (row.group === undefined ? onChoice(row.place) : toggle(index)));
    return element;
  }

  function draw() {
    const first = Math.max(0, Math.floor(box().scrollTop / kRowHeight) - kBeyond);
    const last = Math.min(rows.length, Math.ceil((box().scrollTop + box().clientHeight) / kRowHeight) + kBeyond);
    const space = make("div", "", {class: "space", role: "presentation"});
    space.style.height = `${rows.length * kRowHeight}px`;
    for (let index = first; index < last; ++index) space.append(rowElement(index));
    const top = box().scrollTop;
    box().replaceChildren(space);
    box().scrollTop = top;
    if (active >= first && active < last) box().setAttribute("aria-activedescendant", `row-${active}`);
    else box().removeAttribute("aria-activedescendant");
  }

  function toggle(index) {
    const {key} = rows[index];
    if (!closed.delete(key)) closed.add(key);
    build();
    active = rows.findIndex((row) => row.key === key);
    draw();
  }

  // The row is moved into what can be seen.
  function reveal(index) {
    const top = index * kRowHeight;
    if (top < box().scrollTop) box().scrollTop = top;
    else if (top + kRowHeight > box().scrollTop + box().clientHeight) box().scrollTop = top + kRowHeight - box().clientHeight;
  }

  function activate(index) {
    active = Math.min(Math.max(index, 0), rows.length - 1);
    if (active < 0) return;
    reveal(active);
    if (rows[active].group === undefined) onChoice(rows[active].place);
    else draw();
  }

  function onKey(event) {
    const pageRows = Math.max(1, Math.floor(box().clientHeight / kRowHeight) - 1);
    const target = {ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + pageRows, PageUp: active - pageRows, Home: 0, End: rows.length - 1}[event.key];
    const row = rows[active];
    const isGroup = row?.group !== undefined;
    if (target !== undefined) activate(target);
    else if (isGroup && (event.key === "Enter" || event.key === (row.isClosed ? "ArrowRight" : "ArrowLeft"))) toggle(active);
    else if (event.key === "ArrowLeft" && row?.level > 0) activate(rows.findLastIndex((one, i) => i < active && one.level < row.level));
    else return;
    event.preventDefault();
  }

  inspect.timeline = {
    start(choose) {
      onChoice = choose;
      box().addEventListener("scroll", draw);
      box().addEventListener("keydown", onKey);
      addEventListener("resize", draw);
      byId("grouping").addEventListener("change", build);
    },
    // Another frame, or other items of it; null: all.
    show(next, found) {
      if (frame !== next) closed = new Set();
      frame = next;
      chosen = found;
      build();
    },
    // Marks the item.
    mark(place) {
      current = place;
      const row = rowOf.get(place);
      if (row !== undefined) {
        active = row;
        reveal(row);
      }
      draw();
    },
    // The chosen item `by` rows further, of those that pass a test; null where there is none.
    step(by, test = () => true) {
      const list = places().filter((place) => test(frame.items[place]));
      const behind = list.findIndex((place) => place >= current);
      if (current < 0) return list[0] ?? null;
      if (by > 0) return list.find((place) => place > current) ?? null;
      return list[(behind < 0 ? list.length : behind) - 1] ?? null;
    },
    places,
  };
})();
