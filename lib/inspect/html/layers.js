// What lies over a picture: the wireframe of the draw, the chosen pixels, and the values of pixels that are shown large.
"use strict";

(() => {
  const {make} = page;
  const kSvg = "http://www.w3.org/2000/svg";
  const kLeastZoom = 40;  // from which on values fit into pixels

  function svg(tag, attributes = {}) {
    const element = document.createElementNS(kSvg, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  // Pixel centres of the interface are whole numbers, those of the picture lie half a pixel further.
  const point = ([x, y]) => `${x + 0.5} ${y + 0.5}`;

  // Edges of primitives in screen coordinates as the text of a path; what lies behind the eye has no place.
  function pathOf(meshes) {
    return meshes.flatMap(({screen = [], indices = []}) => indices.map((corners) => {
      const points = corners.map((corner) => screen[corner]);
      if (points.some((one) => !one || !Number.isFinite(one[0]) || !Number.isFinite(one[1]))) return "";
      if (points.length === 1) return `M${point(points[0])}h.01`;
      return `M${points.map(point).join("L")}${points.length > 2 ? "Z" : ""}`;
    })).join("");
  }

  class Layers {
    constructor(width, height) {
      this.svg = svg("svg", {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true", class: "layer"});
      this.wireBack = svg("path", {class: "wire back"});
      this.wire = svg("path", {class: "wire"});
      this.chosen = [svg("rect", {class: "chosen back"}), svg("rect", {class: "chosen"})];
      this.svg.append(this.wireBack, this.wire, ...this.chosen);
      this.values = make("div", "", {class: "values layer"});
    }

    showWire(meshes) {
      const path = meshes ? pathOf(meshes) : "";
      this.wire.setAttribute("d", path);
      this.wireBack.setAttribute("d", path);
    }

    showChosen(rect) {
      for (const element of this.chosen) {
        element.style.display = rect ? "" : "none";
        const [left, top, right, bottom] = rect ?? [0, 0, 0, 0];
        for (const [name, value] of Object.entries({x: left, y: top, width: right - left, height: bottom - top})) element.setAttribute(name, value);
      }
    }

    // The values of the pixels that can be seen of a plane; nothing where they would not fit.
    showValues(plane, scale) {
      this.values.replaceChildren();
      const stage = this.values.closest(".stage");
      if (!plane || !stage || scale < kLeastZoom) return;
      const sheet = this.values.getBoundingClientRect();
      const view = stage.getBoundingClientRect();
      const first = (a, b) => Math.max(0, Math.floor((a - b) / scale));
      const right = Math.min(plane.width, Math.ceil((view.right - sheet.left) / scale));
      const bottom = Math.min(plane.height, Math.ceil((view.bottom - sheet.top) / scale));
      for (let y = first(view.top, sheet.top); y < bottom; ++y) {
        for (let x = first(view.left, sheet.left); x < right; ++x) this.values.append(valueElement(plane, x, y, scale));
      }
    }
  }

  function valueElement(plane, x, y, scale) {
    const value = inspect.pixels.valueOf(plane.format, inspect.pixels.bytesAt(plane, x, y));
    const text = plane.format === "depth" ? inspect.pixels.shortFloat(value) : plane.format === "stencil" ? String(value) : value.join("\n");
    const element = make("span", text);
    element.style.left = `${x * scale}px`;
    element.style.top = `${y * scale}px`;
    element.style.width = element.style.height = `${scale}px`;
    return element;
  }

  inspect.Layers = Layers;
})();
