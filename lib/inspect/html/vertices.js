// The vertices of a draw: as it got them, and where they come to lie on the screen.
"use strict";

(() => {
  const {count, make} = page;
  const kClip = ["clip x", "clip y", "clip z", "clip w"];
  const kScreen = ["screen x", "screen y", "depth", "1/w"];

  const number = (value) => (typeof value === "number" ? inspect.pixels.shortFloat(Math.fround(value)) : String(value ?? ""));

  // Columns of a position before it is transformed; null: the draw has none.
  function positionsOf({columns = [], rows = []}) {
    const places = ["x", "y", "z"].map((axis) => columns.findIndex((column) => new RegExp(`^POSITION[^.]*\\.${axis}$`, "i").test(column)));
    return places.includes(-1) ? null : rows.map((row) => places.map((place) => Number(row[place])));
  }

  function meshOf(mesh) {
    const box = make("section", "", {class: "part"});
    const {columns = [], rows = [], numbers = [], clip = [], screen = [], indices = [], more = 0} = mesh;
    const all = rows.length + more;
    box.append(make("h3", [mesh.type, all === 1 ? "1 vertex" : `${all.toLocaleString("en")} vertices`, count(indices.length, "primitive")].filter(Boolean).join(", ")));
    if (screen.length > 0 && screen.length < all) box.append(make("p", `The views show the ${count(indices.length, "primitive")} of the first ${screen.length.toLocaleString("en")} vertices.`));
    const positions = mesh.positions ?? positionsOf(mesh);
    const view = make("select", "", {"aria-label": "Positions of the view"});
    view.append(...(positions ? [make("option", "as given", {value: "given"})] : []), make("option", "on the screen", {value: "screen"}));
    const place = make("div");
    const show = () => place.replaceChildren(view.value === "given" ? inspect.meshView(positions, indices, false) : inspect.meshView(screen, indices, true));
    view.addEventListener("change", show);
    const cells = (i) => [String(numbers[i] ?? i), ...rows[i].map(number), ...(clip[i] ?? []).map(number), ...(screen.length ? (screen[i] ?? ["behind the eye", "", "", ""]).map(number) : [])];
    const titles = ["", ...columns, ...(clip.length ? kClip : []), ...(screen.length ? kScreen : [])];
    box.append(view, place, inspect.table(titles, rows.length, cells, {label: "Vertices", kind: "numbers"}));
    if (more) box.append(make("p", `Not in the data: ${count(more, "more row")}.`));
    show();
    return box;
  }

  inspect.panes.vertices = (frame, place, {vertices}) => {
    const meshes = [vertices ?? []].flat();
    return meshes.length ? meshes.map(meshOf) : [make("p", "There are no vertices.")];
  };
})();
