// Tables of any length, a page at a time.
"use strict";

(() => {
  const {make} = page;
  const kRowsPerPage = 100;

  function pagerElement() {
    const pager = make("p", "", {class: "pager"});
    pager.append(make("button", "Earlier", {type: "button"}), make("span"), make("button", "Later", {type: "button"}));
    return pager;
  }

  // An element with the rows 0 to `count`: columns are texts; cellsOf(row) gives a text or an element each. `mark` is a row to begin with, `kind` a name for the style.
  inspect.table = (columns, count, cellsOf, {label = "", mark = -1, kind = ""} = {}) => {
    const box = make("div", "", {class: `scroll ${kind}`, tabindex: 0, role: "group", "aria-label": label});
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const column of columns) head.append(make("th", column, {scope: "col"}));
    const body = table.createTBody();
    const pager = pagerElement();
    const pages = Math.ceil(count / kRowsPerPage);
    let place = Math.max(0, Math.floor(mark / kRowsPerPage));
    const fill = () => {
      body.replaceChildren();
      for (let i = place * kRowsPerPage; i < Math.min(count, (place + 1) * kRowsPerPage); ++i) {
        const row = body.insertRow();
        if (i === mark) row.setAttribute("aria-current", "true");
        for (const cell of cellsOf(i)) row.insertCell().append(cell ?? "");
      }
      page.pager(pager, place, pages);
    };
    const [earlier, later] = pager.querySelectorAll("button");
    earlier.addEventListener("click", () => { --place; fill(); });
    later.addEventListener("click", () => { ++place; fill(); });
    fill();
    box.append(table, pager);
    return box;
  };

  // A field whose words choose rows of a list; `take` gets them in lower case.
  inspect.findField = (label, words, take) => {
    const field = make("input", "", {type: "search", "aria-label": label, placeholder: "find"});
    field.value = words;
    field.addEventListener("input", () => take(field.value.toLowerCase()));
    return field;
  };

  // A link to an item of the frame, as `who set it` and pixels have it; `token`, {event, offset}, is one that is marked there.
  inspect.itemLink = (place, text, title = "", token = null) => {
    const link = make("a", text, {href: inspect.addressOf({i: place}), title});
    link.addEventListener("click", (event) => {
      event.preventDefault();
      inspect.go(place, token);
    });
    return link;
  };

  // A link to a token of another frame.
  inspect.placeLink = (frame, token, text, title) => {
    const link = make("a", text, {href: inspect.addressOf({f: frame, i: undefined}), title});
    link.addEventListener("click", (event) => {
      event.preventDefault();
      inspect.openPlace(frame, token.event, token.offset, token).catch(inspect.warn);
    });
    return link;
  };
})();
