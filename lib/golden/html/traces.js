// The list of traces: chosen by status and by words, a page at a time.
"use strict";

const golden = {};

(() => {
  const {byId, count: countOf, make} = page;
  const kMostFound = 5000;

  let run = null;
  let chosen = new Set();  // statuses
  let found = null;        // what the words choose: [{status, place}]; null without words
  let search = 0;          // number of the last search: an older one ends when it sees another
  let pageNumber = 0;
  let current = null;      // {status, place} of the trace that is shown
  let onChoice = () => {};

  golden.isFailure = (status) => run.statuses.find((one) => one.status === status).fails;
  golden.statusClass = (status) => (golden.isFailure(status) ? "fails" : status === "match" ? "passes" : "");

  const rowsPerFile = () => run.rows_per_file;
  const statuses = () => run.statuses.filter(({status}) => chosen.has(status));

  async function rowAt({status, place}) {
    const rows = await page.data(`rows/${status}-${Math.floor(place / rowsPerFile())}`);
    return rows[place % rowsPerFile()];
  }

  const total = () => (found ? found.length : statuses().reduce((sum, {count}) => sum + count, 0));

  // The trace at a position of the list; null outside.
  function entryAt(position) {
    if (position < 0) return null;
    if (found) return found[position] ?? null;
    let rest = position;
    for (const {status, count} of statuses()) {
      if (rest < count) return {status, place: rest};
      rest -= count;
    }
    return null;
  }

  function positionOf(entry) {
    if (found) return found.findIndex(({status, place}) => status === entry.status && place === entry.place);
    let before = 0;
    for (const {status, count} of statuses()) {
      if (status === entry.status) return before + entry.place;
      before += count;
    }
    return -1;
  }

  function rowElement(entry, row) {
    const button = make("button", row.trace, {type: "button"});
    const isCurrent = current && current.status === entry.status && current.place === entry.place;
    if (isCurrent) button.setAttribute("aria-current", "true");
    const small = make("small");
    small.append(make("span", entry.status, {class: golden.statusClass(entry.status)}), row.message ? `: ${row.message}` : "");
    button.append(small);
    button.title = row.message;
    button.addEventListener("click", () => golden.traces.open(entry));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }

  async function draw() {
    const drawn = ++draw.last;
    const size = rowsPerFile();
    const pages = Math.max(1, Math.ceil(total() / size));
    pageNumber = Math.min(pageNumber, pages - 1);
    const items = [];
    for (let position = pageNumber * size; position < Math.min(total(), (pageNumber + 1) * size); ++position) {
      const entry = entryAt(position);
      items.push(rowElement(entry, await rowAt(entry)));
      if (drawn !== draw.last) return;
    }
    byId("traces").replaceChildren(...items);
    page.pager(byId("traces-pager"), pageNumber, pages);
    byId("found").textContent = total() === 0 ? "No trace matches." : countOf(total(), "trace") + (total() === kMostFound && found ? " and more" : "");
  }
  draw.last = 0;

  async function find() {
    const mine = ++search;
    const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    pageNumber = 0;
    if (words.length === 0) {
      found = null;
      return draw();
    }
    const result = [];
    for (const {status, count} of statuses()) {
      for (let first = 0; first < count && result.length < kMostFound; first += rowsPerFile()) {
        const rows = await page.data(`rows/${status}-${first / rowsPerFile()}`);
        if (mine !== search) return;
        rows.forEach((row, i) => {
          const text = `${row.trace} ${row.message} ${row.tags ?? ""}`.toLowerCase();
          if (result.length < kMostFound && words.every((word) => text.includes(word))) result.push({status, place: first + i});
        });
      }
    }
    found = result;
    return draw();
  }

  function drawStatuses() {
    const buttons = run.statuses.map(({status, count}) => {
      const button = make("button", "", {type: "button", "aria-pressed": chosen.has(status), "data-status": status});
      button.append(make("span", status, {class: golden.statusClass(status)}), make("span", count.toLocaleString("en"), {class: "count"}));
      button.disabled = count === 0;
      button.addEventListener("click", () => {
        if (!chosen.delete(status)) chosen.add(status);
        choose(chosen);
      });
      return button;
    });
    const focused = document.activeElement?.dataset.status;
    byId("statuses").replaceChildren(...buttons);
    buttons.find((button) => button.dataset.status === focused)?.focus();
  }

  function choose(wanted) {
    chosen = new Set(wanted);
    drawStatuses();
    return find();
  }

  const names = (test) => run.statuses.filter(({status, count}) => count > 0 && test(status)).map(({status}) => status);

  golden.traces = {
    async start(value, open) {
      run = value;
      onChoice = open;
      byId("choose-failing").addEventListener("click", () => choose(names(golden.isFailure)));
      byId("choose-all").addEventListener("click", () => choose(names(() => true)));
      byId("find").addEventListener("input", find);
      for (const button of byId("traces-pager").querySelectorAll("button")) {
        button.addEventListener("click", () => {
          pageNumber += Number(button.dataset.step);
          draw();
        });
      }
      const failing = names(golden.isFailure);
      await choose(failing.length > 0 ? failing : names(() => true));
    },
    first: () => entryAt(0),
    // Shows a trace, and the page of the list that it stands on.
    async open(entry, more = {}) {
      current = entry;
      const position = positionOf(entry);
      if (position >= 0) pageNumber = Math.floor(position / rowsPerFile());
      const focused = byId("traces").contains(document.activeElement);
      await draw();
      if (focused) byId("traces").querySelector("[aria-current]")?.focus();
      byId("traces").querySelector("[aria-current]")?.scrollIntoView({block: "nearest"});
      await onChoice(entry, await rowAt(entry), more);
    },
    step(by) {
      const entry = entryAt(current ? positionOf(current) + by : 0);
      if (entry) this.open(entry);
    },
  };
})();
