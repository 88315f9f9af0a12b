// What if: changes of the trace that is shown. A state in the list of an item gets a field, a draw can be left out; the picture follows.
"use strict";

(() => {
  const {byId, count, make} = page;
  let changes = [];   // "set draw=5,ZENABLE=FALSE", "drop draw=7"
  let patches = [];   // of the answer, for the export
  let onChange = () => {};

  function download(name, content, type) {
    const link = make("a", "", {href: URL.createObjectURL(new Blob([content], {type})), download: name});
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function draw() {
    byId("changes").hidden = changes.length === 0;
    if (!live.changes.isNumbered()) byId("leave-out").hidden = true;
    byId("changes-name").textContent = count(changes.length, "change");
    byId("changes-list").replaceChildren(...changes.map((change, i) => {
      const row = make("li", change.replace(/^set draw=(\d+),/, "draw $1: ").replace(/^drop draw=/, "without draw "));
      const undo = make("button", "Undo", {type: "button", "aria-label": `Undo ${change}`});
      undo.addEventListener("click", () => apply(changes.filter((_, place) => place !== i)));
      row.append(" ", undo);
      return row;
    }));
  }

  // Shows the trace with these changes; where that cannot be, it stays as it is.
  async function apply(next) {
    byId("changes-failure").hidden = true;
    try {
      ({patches} = await page.source(`edit/${encodeURIComponent(next.join("\n"))}`));
      changes = next;
      draw();
      await onChange();
    } catch (error) {
      byId("changes").hidden = false;
      byId("changes-failure").hidden = false;
      byId("changes-failure").textContent = error.message;
    }
  }

  // A state of the trace's own draw, as `edit --set` names it; null: it is none that can be set.
  function nameOf(section, name) {
    if (section === "render_state") return name;
    const stage = section === "texture_stage" && /^stage (\d+) (\w+)$/.exec(name);
    return stage ? `${stage[1]}.${stage[2]}` : null;
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
    // Draws keep their numbers only as long as none is left out.
    isNumbered: () => !changes.some((change) => change.startsWith("drop ")),
    // A button that becomes a field; null where the state cannot be set.
    editorOf(item, section, name, value) {
      const state = item?.draw && item.kind === "draw" && this.isNumbered() ? nameOf(section, name) : null;
      if (!state) return null;
      const button = make("button", "✎", {type: "button", class: "edit", title: `Another value of ${name} at draw ${item.draw}`, "aria-label": `Change ${name}`});
      button.addEventListener("click", () => {
        const field = make("input", "", {"aria-label": `Value of ${name}`, spellcheck: "false", size: 12});
        field.value = value;
        button.replaceWith(field);
        field.focus();
        field.select();
        field.addEventListener("keydown", (event) => {
          if (event.key === "Escape") field.replaceWith(button);
          if (event.key === "Enter" && field.value.trim()) apply([...changes.filter((one) => !one.startsWith(`set draw=${item.draw},${state}=`)), `set draw=${item.draw},${state}=${field.value.trim()}`]);
          event.stopPropagation();
        });
      });
      return button;
    },
    // The item that is chosen.
    show(item) {
      byId("leave-out").hidden = !item?.draw || !this.isNumbered();
      byId("leave-out").onclick = () => apply([...changes, `drop draw=${item.draw}`]);
    },
  };
})();
