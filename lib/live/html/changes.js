// What if: changes of the trace that is shown. A state, a constant, a matrix or a vertex of an item gets a field, a level of a texture another picture, a
// draw can be left out or moved; the picture follows.
"use strict";

(() => {
  const {byId, count, make} = page;
  let changes = [];   // {line, label}: "set draw=5,ZENABLE=FALSE", "drop draw=7", "move draw=7,before=3", "patch {...}"
  let patches = [];   // of the answer, for the export
  let onChange = () => {};

  function download(name, content, type) {
    const link = make("a", "", {href: URL.createObjectURL(new Blob([content], {type})), download: name});
    link.click();
    URL.revokeObjectURL(link.href);
  }

  // Those that change which draws there are.
  function hideButtons(isHidden) {
    for (const name of ["leave-out", "move-earlier", "move-later"]) byId(name).hidden = isHidden;
  }

  function draw() {
    byId("changes").hidden = changes.length === 0;
    if (!live.changes.isNumbered()) hideButtons(true);
    byId("changes-name").textContent = count(changes.length, "change");
    byId("changes-list").replaceChildren(...changes.map((change, i) => {
      const row = make("li", change.label);
      const undo = make("button", "Undo", {type: "button", "aria-label": `Undo ${change.label}`});
      undo.addEventListener("click", () => apply(changes.filter((_, place) => place !== i)));
      row.append(" ", undo);
      return row;
    }));
  }

  // Shows the trace with these changes; where that cannot be, it stays as it is.
  async function apply(next) {
    byId("changes-failure").hidden = true;
    try {
      ({patches} = await page.source(`edit/${encodeURIComponent(next.map(({line}) => line).join("\n"))}`));
      const wasNumbered = live.changes.isNumbered();
      changes = next;
      draw();
      await onChange(wasNumbered && live.changes.isNumbered());
    } catch (error) {
      byId("changes").hidden = false;
      byId("changes-failure").hidden = false;
      byId("changes-failure").textContent = error.message;
    }
  }

  // A state of the trace's own draw, as `edit --set` names it; null: it is none that can be set.
  function nameOf(section, name) {
    const prefix = {render_state: "", transform: "", vertex_constant: "vs.", pixel_constant: "ps.", vertex: "vertex."}[section];
    if (prefix !== undefined) return prefix + name;
    const stage = section === "texture_stage" && /^stage (\d+) (\w+)$/.exec(name);
    return stage ? `${stage[1]}.${stage[2]}` : null;
  }

  // Adds a change in place of those that `isOld` names.
  const add = (line, label, isOld = () => false) => apply([...changes.filter((change) => !isOld(change)), {line, label}]);

  // Another picture in a level of a texture.
  async function replace({handle}, level, face, file) {
    const where = {texture: handle, level, face};
    const bytes = new Uint8Array(await file.arrayBuffer());
    const png = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const start = `patch ${JSON.stringify({changes: [where]}).slice(0, -3)},`;
    const place = [level ? `level ${level}` : "", face ? `face ${face}` : ""].filter(Boolean).join(", ");
    await add(`${start}"png":"${png}"}]}`, `texture ${handle}${place ? `, ${place}` : ""}: ${file.name}`, ({line}) => line.startsWith(start));
  }

  live.changes = {
    start(changed) {
      onChange = changed;
      byId("changes-undo").addEventListener("click", () => apply([]));
      byId("changes-export").addEventListener("click", () => download("patch.json", JSON.stringify({changes: patches.flatMap((patch) => patch.changes)}, null, 1), "application/json"));
      byId("changes-save").hidden = live.isServed;
      byId("changes-save").addEventListener("click", async () => download("edited.dp2t", await live.engine.file(), "application/octet-stream"));
    },
    forget() {
      changes = [];
      draw();
    },
    // Draws keep their numbers only as long as none is left out or moved.
    isNumbered: () => !changes.some(({line}) => /^(drop|move) /.test(line)),
    // A button that becomes a field; null where the state cannot be set.
    editorOf(item, section, name, value) {
      const state = item?.draw && item.kind === "draw" && this.isNumbered() ? nameOf(section, name) : null;
      if (!state) return null;
      const button = make("button", "✎", {type: "button", class: "edit", title: `Another value of ${name} at draw ${item.draw}`, "aria-label": `Change ${name}`});
      button.addEventListener("click", () => {
        const field = make("input", "", {"aria-label": `Value of ${name}`, spellcheck: "false", size: Math.max(12, Math.min(value.length, 30))});
        field.value = value.replaceAll(/[[\](),;]+/g, " ").trim();
        button.replaceWith(field);
        field.focus();
        field.select();
        field.addEventListener("keydown", (event) => {
          if (event.key === "Escape") field.replaceWith(button);
          const start = `set draw=${item.draw},${state}=`;
          const next = field.value.trim();
          if (event.key === "Enter" && next) add(start + next, `draw ${item.draw}: ${state}=${next}`, ({line}) => line.startsWith(start));
          event.stopPropagation();
        });
      });
      return button;
    },
    // A field for a picture that takes the place of a level of a texture; one that is dropped on the figure does, too. `place` says which level and face.
    replacerOf(texture, figure, place) {
      const label = make("label", "Replace … ", {class: "file edit", title: "By a PNG of the same size"});
      const field = make("input", "", {type: "file", accept: "image/png"});
      const take = (file) => file && replace(texture, place().level, place().face, file).catch(inspect.warn);
      field.addEventListener("change", () => take(field.files[0]));
      figure.addEventListener("dragover", (event) => event.preventDefault());
      figure.addEventListener("drop", (event) => {
        event.preventDefault();
        event.stopPropagation();
        take(event.dataTransfer.files[0]);
      });
      label.append(field);
      return label;
    },
    // The item that is chosen.
    show(item) {
      hideButtons(!item?.draw || !this.isNumbered());
      byId("leave-out").onclick = () => add(`drop draw=${item.draw}`, `without draw ${item.draw}`);
      const exchange = (first) => add(`move draw=${first + 1},before=${first}`, `draw ${first + 1} before draw ${first}`);
      byId("move-earlier").onclick = () => exchange(item.draw - 1);
      byId("move-later").onclick = () => exchange(item.draw);
      if (item?.draw === 1) byId("move-earlier").hidden = true;
    },
  };
})();
