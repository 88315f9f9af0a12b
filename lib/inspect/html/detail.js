// What the page says of the chosen item, pane by pane.
"use strict";

(() => {
  const {byId, make} = page;
  const kPanes = [
    {name: "states", label: "States"},
    {name: "textures", label: "Textures"},
    {name: "vertices", label: "Vertices"},
    {name: "shaders", label: "Shaders"},
    {name: "tokens", label: "Tokens"},
    {name: "findings", label: "Findings"},
  ];
  let pane = "states";
  let frame = null;
  let place = -1;
  let shown = 0;
  let onPane = () => {};

  function showFacts(item) {
    byId("item-name").textContent = `${place} ${item.name}`;
    const found = (item.findings ?? []).reduce((sum, count) => sum + count, 0);
    byId("tabs").querySelector("[data-view=findings]").textContent = found ? `Findings (${found.toLocaleString("en")})` : "Findings";
    const number = (value) => (value === undefined ? "" : value.toLocaleString("en"));
    page.facts(byId("item-facts"), [
      ["kind", item.kind],
      ["draw", item.draw?.toString()],
      ["read", item.read?.toString()],
      ["not drawn", item.refused],
      ["event", item.offset === undefined ? String(item.event) : `${item.event}, offset 0x${item.offset.toString(16)}`],
      ["primitives", item.primitives === undefined ? "" : `${number(item.primitives)} ${item.primitive ?? ""}`],
      ["pixels written", number(item.pixels)],
      ["cost", number(item.steps)],
      ["target", item.target === undefined ? "" : inspect.targetName(frame.targets[item.target])],
      ["depth", item.depth === undefined ? "" : inspect.targetName(frame.targets[item.depth])],
      ["marker", item.marker && [item.marker.join(" / "), item.call === undefined ? "" : `call ${item.call}`].filter(Boolean).join(", ")],
      ["surface", item.surface],
      ["items", number(item.count)],
    ]);
  }

  async function fill() {
    const mine = ++shown;
    page.chooseRadio(byId("tabs"), pane);
    let parts;
    try {
      const details = await frame.details(place);
      if (mine !== shown) return;
      inspect.picture.setMeshes([details?.vertices ?? []].flat());
      parts = details ? await inspect.panes[pane](frame, place, details) : [make("p", "The data hold no details of this item.")];
    } catch (error) {
      parts = [make("p", error.message, {class: "warning"})];
    }
    if (mine !== shown) return;
    byId("detail").replaceChildren(...parts);
    if (inspect.marked) byId("detail").querySelector("[aria-current]")?.scrollIntoView({block: "nearest"});
    byId("detail").dataset.shown = `${frame.number}/${place}/${pane}`;
  }

  inspect.detail = {
    kPanes,
    start(changed) {
      onPane = changed;
      page.radios(byId("tabs"), kPanes, (name) => this.choose(name));
    },
    choose(name) {
      if (!kPanes.some((one) => one.name === name)) return;
      const isOther = pane !== name;
      pane = name;
      onPane();
      if (frame && isOther) fill();
    },
    pane: () => pane,
    show(next, item) {
      frame = next;
      place = item;
      const one = frame.items[place];
      inspect.live?.item(one);
      if (one) {
        showFacts(one);
        return fill();
      }
      byId("item-name").textContent = "No item";
      byId("item-facts").replaceChildren();
      byId("detail").replaceChildren();
    },
  };
})();
