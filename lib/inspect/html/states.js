// The states that an item finds: those that are not as they are by default, those that changed, or all; and who set each.
"use strict";

(() => {
  const {byId, make} = page;
  const kChoices = [["set", "not as by default"], ["changed", "changed since the draw before"], ["all", "all"]];
  let choice = "set";
  let words = "";

  function setBy(frame, place, [,,,, event, offset]) {
    if (event === null || event === undefined) return "";
    const where = `event ${event}${offset === null || offset === undefined ? "" : `, offset 0x${offset.toString(16)}`}`;
    const token = {event, offset: offset ?? null};
    const item = frame.itemAt(event, offset ?? 0);
    if (item >= 0 && item <= place) return inspect.itemLink(item, `item ${item}`, where, token);
    // A live page has the frames before, too, and knows where each ends.
    const before = inspect.run.frames.find((one) => one.event >= event);
    if (!before || before.frame >= frame.number) return make("span", `event ${event}`, {title: where});
    return inspect.placeLink(before.frame, token, `frame ${before.frame}`, where);
  }

  function rowsOf(details, changed) {
    return details.rows.filter(([section, name, value, isDefault]) => {
      if (choice === "set" && isDefault) return false;
      if (choice === "changed" && !changed.has(`${section}.${name}`)) return false;
      return words === "" || `${section}.${name}=${value}`.toLowerCase().includes(words);
    });
  }

  function cells(frame, place, changed, row) {
    const [section, name, value] = row;
    const title = make("span", name, {class: changed.has(`${section}.${name}`) ? "changed" : ""});
    title.append(make("small", section));
    const text = make("span", String(value));
    const editor = inspect.live?.editorOf(frame.items[place], section, name, String(value));
    if (editor) text.append(" ", editor);
    if (row[6] !== undefined) text.append(make("small", `by default ${row[6]}`));
    return [title, text, setBy(frame, place, row)];
  }

  function bar(redraw) {
    const line = make("p", "", {class: "row"});
    const select = make("select", "", {"aria-label": "Which states"});
    select.append(...kChoices.map(([value, label]) => make("option", label, {value})));
    select.value = choice;
    select.addEventListener("change", () => {
      choice = select.value;
      redraw();
    });
    const find = inspect.findField("Find in the states", words, (text) => {
      words = text;
      redraw();
    });
    find.id = "find-state";
    line.append(select, find);
    return line;
  }

  inspect.panes = {};
  inspect.panes.states = (frame, place, details) => {
    if (!details.rows) return [make("p", "Only draws have states.")];
    const changed = new Set((frame.items[place].states ?? []).map((state) => state.slice(0, state.indexOf("="))));
    const list = make("div");
    const redraw = () => {
      const rows = rowsOf(details, changed);
      list.replaceChildren(rows.length ? inspect.table(["State", "Value", "Set by"], rows.length, (i) => cells(frame, place, changed, rows[i]), {label: "States", kind: "states"}) : make("p", "None."));
    };
    redraw();
    return [bar(redraw), list];
  };
})();
