// The keys of a page: what they do, and the table in which the page lists them.
"use strict";

(() => {
  const {byId, make} = page;
  const kEntries = "input:not([type=checkbox]):not([type=range]), select, textarea";

  function showHelp() {
    byId("help").open = true;
    byId("help").querySelector("summary").focus();
    byId("help").scrollIntoView();
  }

  // `keys` are {key, text, act}; "?" is added. `label` is what the table shows in place of the name of the key.
  page.startKeys = (keys) => {
    const all = [...keys, {key: "?", text: "show the keys", act: showHelp}];
    byId("keys").append(...all.map(({key, label, text}) => {
      const row = document.createElement("tr");
      const cell = document.createElement("td");
      cell.append(make("kbd", label ?? key));
      row.append(cell, make("td", text));
      return row;
    }));
    byId("show-keys").addEventListener("click", showHelp);
    addEventListener("keydown", (event) => {
      if (!byId("keys-on").checked || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (event.target.matches(kEntries)) {
        if (event.key !== "Escape") return;
        event.preventDefault();  // the field keeps its text
        event.target.blur();
        return;
      }
      const found = all.find(({key}) => key === event.key);
      if (!found) return;
      event.preventDefault();
      found.act();
    });
  };
})();
