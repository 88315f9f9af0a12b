// All surfaces that live after an item, whether the frame names them or not; what one holds is asked for when it is chosen.
"use strict";

(() => {
  const {count, make} = page;
  // Both stay from item to item.
  let chosen = null;  // {space, handle}
  let words = "";     // of the search

  const isChosen = ({space, handle}) => chosen?.space === space && chosen.handle === handle;
  const nameOf = ({space, handle}, isAlone) => (isAlone ? `${handle}` : `${handle} of space ${space}`);
  const formatOf = ({format_name: format, kind}) => (kind === "2d" ? format : `${format}, ${kind}`);
  const sizeOf = ({width, height, depth}) => [width, height, ...(depth > 1 ? [depth] : [])].join(" × ");
  const textOf = (surface, isAlone) => [nameOf(surface, isAlone), surface.type, surface.shows ? formatOf(surface) : "", sizeOf(surface)].join(" ").toLowerCase();

  inspect.detail.kPanes.splice(2, 0, {name: "surfaces", label: "Surfaces"});

  inspect.panes.surfaces = async (frame, place) => {
    const {event, offset} = frame.items[place];
    const name = `surfaces/${[frame.number, event, offset].filter((part) => part !== undefined).join("-")}`;
    const {surfaces} = await page.data(name);
    if (surfaces.length === 0) return [make("p", "There is no surface.")];
    const isAlone = new Set(surfaces.map(({space}) => space)).size === 1;
    const shown = make("div", "", {id: "surface-shown"});
    const show = (surface) => {
      const box = make("section", "", {class: "part"});
      box.append(make("h3", `Surface ${nameOf(surface, isAlone)}`));
      shown.replaceChildren(box);
      return inspect.addPixels(box, {handle: surface.handle, resource: `${name}-${surface.space}-${surface.handle}`});
    };
    const cells = (surface) => {
      if (!surface.shows) return [nameOf(surface, isAlone), surface.type, "", `${surface.width.toLocaleString("en")} bytes`, ""];
      const button = make("button", nameOf(surface, isAlone), {type: "button", class: "link", title: "Show what it holds here"});
      button.addEventListener("click", () => {
        chosen = surface;
        show(surface);
      });
      return [button, surface.type, formatOf(surface), sizeOf(surface), String(surface.levels)];
    };
    const list = make("div");
    const redraw = () => {
      const found = surfaces.filter((surface) => words === "" || textOf(surface, isAlone).includes(words));
      list.replaceChildren(found.length ? inspect.table(["Handle", "Type", "Format", "Size", "Levels"], found.length, (i) => cells(found[i]), {label: "Surfaces"}) : make("p", "None."));
    };
    redraw();
    const find = inspect.findField("Find in the surfaces", words, (text) => {
      words = text;
      redraw();
    });
    const line = make("p", `${count(surfaces.length, "surface")} after this item; a click shows what one holds. `);
    line.append(find);
    const again = surfaces.find(isChosen);
    if (again) await show(again);
    return [shown, line, list];
  };
})();
