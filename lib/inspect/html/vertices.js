// The vertices of a draw: as it got them, and where they come to lie on the screen.
"use strict";

(() => {
  const {count, make} = page;
  const kScreen = ["screen x", "screen y", "screen z", "1/w"];

  const number = (value) => (typeof value === "number" ? inspect.pixels.shortFloat(Math.fround(value)) : String(value ?? ""));

  // Columns of a position before it is transformed; null: the draw has none.
  function positionsOf({columns = [], rows = []}) {
    const places = ["x", "y", "z"].map((axis) => columns.findIndex((column) => new RegExp(`^POSITION[^.]*\\.${axis}$`, "i").test(column)));
    return places.includes(-1) ? null : rows.map((row) => places.map((place) => Number(row[place])));
  }

  function meshOf(mesh) {
    const box = make("section", "", {class: "part"});
    const {columns = [], rows = [], screen = [], indices = []} = mesh;
    box.append(make("h3", [mesh.type, count(rows.length + (mesh.more ?? 0), "vertex").replace("vertexs", "vertices"), count(indices.length, "primitive")].filter(Boolean).join(", ")));
    const positions = positionsOf(mesh);
    const view = make("select", "", {"aria-label": "Positions of the view"});
    view.append(...(positions ? [make("option", "as given", {value: "given"})] : []), make("option", "on the screen", {value: "screen"}));
    const place = make("div");
    const show = () => place.replaceChildren(view.value === "given" ? inspect.meshView(positions, indices, false) : inspect.meshView(screen, indices, true));
    view.addEventListener("change", show);
    const all = [...columns, ...(screen.length ? kScreen : [])];
    const cells = (i) => [String(i), ...rows[i].map(number), ...(screen.length ? (screen[i] ?? ["behind the eye", "", "", ""]).map(number) : [])];
    box.append(view, place, inspect.table(["", ...all], rows.length, cells, {label: "Vertices"}));
    if (mesh.more) box.append(make("p", `${mesh.more.toLocaleString("en")} more are not in the data.`));
    show();
    return box;
  }

  inspect.panes.vertices = (frame, place, {vertices}) => {
    const meshes = [vertices ?? []].flat();
    return meshes.length ? meshes.map(meshOf) : [make("p", "There are no vertices.")];
  };
})();
