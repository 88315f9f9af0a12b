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

  // The first column of each element: its name and how many columns it has.
  function elementsOf(columns) {
    const elements = new Map();
    let first = 0;
    columns.forEach((column, i) => {
      const name = column.split(".")[0];
      if (i === 0 || columns[i - 1].split(".")[0] !== name) elements.set(first = i, {name, size: 0});
      ++elements.get(first).size;
    });
    return elements;
  }

  function meshOf(frame, item, mesh) {
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
    const elements = mesh.patch ? new Map() : elementsOf(columns);
    const given = (i, column) => {
      const {name, size} = elements.get(column) ?? {};
      const editor = name && inspect.live?.editorOf(frame.items[item], "vertex", `${numbers[i] ?? i}.${name}`, rows[i].slice(column, column + size).join(" "));
      if (!editor) return number(rows[i][column]);
      const cell = make("span", `${number(rows[i][column])} `);
      cell.append(editor);
      return cell;
    };
    const cells = (i) => [String(numbers[i] ?? i), ...columns.map((_, column) => given(i, column)), ...(clip[i] ?? []).map(number), ...(screen.length ? (screen[i] ?? ["behind the eye", "", "", ""]).map(number) : [])];
    const titles = ["", ...columns, ...(clip.length ? kClip : []), ...(screen.length ? kScreen : [])];
    box.append(view, place, inspect.table(titles, rows.length, cells, {label: "Vertices", kind: "numbers"}));
    if (more) box.append(make("p", `Not in the data: ${count(more, "more row")}.`));
    show();
    return box;
  }

  inspect.panes.vertices = (frame, place, {vertices}) => {
    const meshes = [vertices ?? []].flat();
    return meshes.length ? meshes.map((mesh) => meshOf(frame, place, mesh)) : [make("p", "There are no vertices.")];
  };
})();
