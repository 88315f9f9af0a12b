// What if: changes of the trace that is shown. A state, a constant, a matrix or a vertex of an item gets a field, a level of a texture another picture, a
// draw can be left out or moved; the picture follows.
"use strict";

(() => {
  const {byId, count, make} = page;
  let changes = [];   // {line, label}: "set draw=5,ZENABLE=FALSE", "drop draw=7", "move draw=7,before=3", "patch {...}"; {drop} or {move}, too
  let order = new DrawOrder();
  let patches = [];   // of the answer, for the export
  let selected = () => undefined;
  let onChange = () => {};
  let setChanging = () => {};
  let past = [];      // changes before each of those that were made
  let future = [];    // changes that were taken back

  function download(name, content, type) {
    const link = make("a", "", {href: URL.createObjectURL(new Blob([content], {type})), download: name});
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function draw() {
    byId("changes").hidden = changes.length === 0 && byId("changes-failure").hidden;
    for (const id of ["changes-name", "changes-list", "changes-all"]) byId(id).hidden = changes.length === 0;
    byId("changes-name").textContent = count(changes.length, "change");
    byId("changes-about").hidden = !changes.some(({drop, move}) => drop || move);
    byId("changes-list").replaceChildren(...changes.map((change, i) => {
      const row = make("li", change.label);
      const undo = make("button", "Undo", {type: "button", "aria-label": `Undo ${change.label}`});
      undo.addEventListener("click", () => apply(changes.filter((_, place) => place !== i)));
      row.append(" ", undo);
      return row;
    }));
  }

  const orderOf = (list) => new DrawOrder(list.flatMap(({move}) => move ?? []), list.flatMap(({drop}) => drop ?? []));

  function fail(error) {
    byId("changes-failure").hidden = !error;
    byId("changes-failure").querySelector("span").textContent = error?.message ?? "";
    draw();
  }

  // Shows the trace with these changes; where that cannot be, it stays as it is. Returns whether it could be.
  async function show(next) {
    fail(null);
    setChanging(true);
    try {
      ({patches} = await page.source(`edit/${encodeURIComponent(next.map(({line}) => line).join("\n"))}`));
      const chosen = selected();
      const own = chosen && order.of(chosen);
      changes = next;
      order = orderOf(changes);
      draw();
      await onChange(own && order.shown(own));
      return true;
    } catch (error) {
      fail(error);
      return false;
    } finally {
      setChanging(false);
    }
  }

  async function apply(next) {
    const before = changes;
    if (!await show(next)) return;
    past.push(before);
    future = [];
  }

  // Takes back what was done last, or the other way round.
  async function goBack(from, to) {
    if (from.length === 0) return;
    const before = changes;
    if (!await show(from.at(-1))) return;
    from.pop();
    to.push(before);
  }

  function onKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("input:not([type=checkbox]):not([type=range]), textarea")) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "z" && !event.shiftKey) goBack(past, future);
    else goBack(future, past);
  }

  // Instructions that take the place of one, in the text of a change.
  const partsOf = (text) => text.split(/[;\n]/).map((part) => part.trim()).filter(Boolean);
  const isInstruction = (section) => section.endsWith("_instruction");

  // The instruction of the trace that shows as number `shown`: those before it may have become none or several. `parts` are the instructions that
  // are in its place, and `part` which of them is shown.
  function instructionOf(draw, stage, shown) {
    const start = `set draw=${draw},${stage}`;
    const changed = new Map(changes.flatMap(({line}) => {
      const found = line.startsWith(start) && /^(\d+)=(.*)$/s.exec(line.slice(start.length));
      return found ? [[Number(found[1]), partsOf(found[2])]] : [];
    }));
    for (let number = 1, left = shown; ; ++number) {
      const parts = changed.get(number) ?? [""];
      if (left <= parts.length) return {number, parts, part: left - 1};
      left -= parts.length;
    }
  }

  // A state of the trace's own draw, as `edit --set` names it; null: it is none that can be set.
  function nameOf(section, name) {
    const prefix = {render_state: "", transform: "", vertex_constant: "vs.", pixel_constant: "ps.", vertex_instruction: "vs.", pixel_instruction: "ps.", vertex: "vertex."}[section];
    if (prefix !== undefined) return prefix + name;
    const stage = section === "texture_stage" && /^stage (\d+) (\w+)$/.exec(name);
    return stage ? `${stage[1]}.${stage[2]}` : null;
  }

  // The names that a state may have are offered in its field; those of other fields are numbers.
  async function offerNames(field, section, name) {
    const state = section === "texture_stage" ? name.replace(/^stage \d+ /, "") : name;
    const {values} = await page.data(`values/${section}.${state}`);
    if (values.length === 0 || !field.isConnected) return;
    const list = make("datalist", "", {id: "legal-values"});
    list.append(...values.map((value) => make("option", "", {value})));
    field.after(list);
    field.setAttribute("list", list.id);
  }

  // Adds a change in place of those that `isOld` names.
  const add = (line, label, isOld = () => false) => apply([...changes.filter((change) => !isOld(change)), {line, label}]);

  // A state, or an instruction, of a draw; an instruction without text is left out.
  function set(draw, section, state, text) {
    let [name, value] = [state, text];
    if (isInstruction(section)) {
      const {number, parts, part} = instructionOf(draw, state.slice(0, 3), Number(state.slice(3)));
      [name, value] = [state.slice(0, 3) + number, parts.map((old, i) => (i === part ? text : old)).filter(Boolean).join("; ")];
    } else if (!value) {
      return;
    }
    const start = `set draw=${draw},${name}=`;
    add(start + value, value ? `draw ${draw}: ${name}=${value}` : `draw ${draw}: without ${name}`, ({line}) => line.startsWith(start));
  }

  const moveOf = (move) => ({line: `move draw=${move.draw},before=${move.before}`, label: `draw ${move.draw} before draw ${move.before}`, move});

  // The draw that is shown as `first` comes after the next one.
  const exchange = (first) => apply([...changes.filter(({move}) => !move), ...order.exchanged(first).map(moveOf)]);

  function leaveOut(draw) {
    const drop = {line: `drop draw=${draw}`, label: `without draw ${draw}`, drop: draw};
    return apply([...changes.filter(({move}) => move?.draw !== draw), drop]);
  }

  // Another picture in a level of a texture.
  async function replace({handle}, level, face, file) {
    const where = {texture: handle, level, face};
    const bytes = await live.read(file);
    const png = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const start = `patch ${JSON.stringify({changes: [where]}).slice(0, -3)},`;
    const place = [level ? `level ${level}` : "", face ? `face ${face}` : ""].filter(Boolean).join(", ");
    await add(`${start}"png":"${png}"}]}`, `texture ${handle}${place ? `, ${place}` : ""}: ${file.name}`, ({line}) => line.startsWith(start));
  }

  live.changes = {
    // `drawOf` says which draw is selected; `changed` shows the trace anew, with this draw if it is still there.
    // `changing` is called with true before, and with false afterwards.
    start(drawOf, changed, changing) {
      selected = drawOf;
      onChange = changed;
      setChanging = changing;
      addEventListener("keydown", onKey);
      byId("changes-failure").querySelector("button").addEventListener("click", () => fail(null));
      byId("changes-undo").addEventListener("click", () => apply([]));
      byId("changes-export").addEventListener("click", () => download("patch.json", JSON.stringify({changes: patches.flatMap((patch) => patch.changes)}, null, 1), "application/json"));
      byId("changes-save").hidden = live.isServed;
      byId("changes-save").addEventListener("click", async () => download("edited.dp2t", await live.engine.file(), "application/octet-stream"));
    },
    forget() {
      changes = [];
      past = [];
      future = [];
      order = new DrawOrder();
      fail(null);
    },
    // A button that becomes a field; null where the state cannot be set.
    editorOf(item, section, name, value) {
      const state = item?.draw && item.kind === "draw" ? nameOf(section, name) : null;
      if (!state) return null;
      const draw = order.of(item.draw);
      const what = isInstruction(section) ? `instruction ${name} of the ${section.replace("_instruction", "")} shader` : name;
      const button = make("button", "✎", {type: "button", class: "edit", title: `Another value of ${what} at draw ${item.draw}`, "aria-label": `Change ${what}`});
      button.addEventListener("click", () => {
        const field = make("input", "", {"aria-label": `Value of ${what}`, spellcheck: "false", size: Math.max(12, Math.min(value.length, isInstruction(section) ? 60 : 30))});
        field.value = isInstruction(section) ? value : value.replaceAll(/[[\](),;]+/g, " ").trim();
        button.replaceWith(field);
        field.focus();
        field.select();
        if (["render_state", "texture_stage"].includes(section)) offerNames(field, section, name).catch(inspect.warn);
        let isClosed = false;
        const close = () => {
          if (isClosed) return;
          isClosed = true;  // a field that is taken away loses the focus, too
          field.list?.remove();
          field.replaceWith(button);
        };
        field.addEventListener("blur", close);
        field.addEventListener("keydown", (event) => {
          if (event.key === "Escape") {
            close();
            button.focus();
          }
          if (event.key === "Enter") set(draw, section, state, field.value.trim());
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
      const isThere = (draw) => inspect.frame().items.some((one) => one.draw === draw);
      byId("leave-out").hidden = !item?.draw;
      byId("move-earlier").hidden = !item?.draw || !isThere(item.draw - 1);
      byId("move-later").hidden = !item?.draw || !isThere(item.draw + 1);
      byId("leave-out").onclick = () => leaveOut(order.of(item.draw));
      byId("move-earlier").onclick = () => exchange(item.draw - 1);
      byId("move-later").onclick = () => exchange(item.draw);
    },
  };
})();
