// What the parts of a page are made of. Whatever comes from a trace is text, never markup.
"use strict";

(() => {
  page.byId = (id) => document.getElementById(id);

  // An element with text and attributes.
  page.make = (tag, text = "", attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  page.count = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

  // Fills a <dl> with [name, text or element]; what has no value is left out.
  page.facts = (list, facts) => {
    list.replaceChildren(...facts.filter(([, value]) => value !== undefined && value !== "").flatMap(([name, value]) => {
      const data = document.createElement("dd");
      data.append(value);
      return [page.make("dt", name), data];
    }));
  };

  // "Earlier", "page 2 of 5", "Later"; hidden for one page.
  page.pager = (element, place, pages) => {
    const [earlier, later] = element.querySelectorAll("button");
    element.hidden = pages <= 1;
    earlier.disabled = place === 0;
    later.disabled = place === pages - 1;
    element.querySelector("span").textContent = `page ${place + 1} of ${pages}`;
  };

  // A group of radio buttons, of {name, key, label}; arrow keys move inside of it, as everywhere.
  page.radios = (group, choices, choose) => {
    group.append(...choices.map(({name, key, label}) => {
      const button = page.make("button", label, {type: "button", role: "radio", "data-view": name, title: key ? `${label} (${key})` : label});
      button.addEventListener("click", () => choose(name));
      return button;
    }));
    group.addEventListener("keydown", (event) => {
      const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const buttons = [...group.children].filter((button) => !button.disabled);
      const next = buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
      choose(next.dataset.view);
      next.focus();
    });
  };

  // Marks the chosen one of such a group, and disables those that are not possible.
  page.chooseRadio = (group, chosen, isPossible = () => true) => {
    for (const button of group.children) {
      const isChosen = button.dataset.view === chosen;
      button.setAttribute("aria-checked", isChosen);
      button.tabIndex = isChosen ? 0 : -1;
      button.disabled = !isPossible(button.dataset.view);
    }
  };
})();
