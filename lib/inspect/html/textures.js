// The textures of a draw: every level and face, with the sampler that reads them.
"use strict";

(() => {
  const {make} = page;

  function optionsOf(count, word) {
    return Array.from({length: count}, (_, i) => make("option", `${word} ${i}`, {value: i}));
  }

  async function paint(canvas, caption, {format_name: format, levels}, level, face, channel) {
    const {width, height, data} = levels[level][face];
    const {bytes} = await inspect.pixels.unpack({rect: [0, 0, width, height], format: "rgba8", data});
    const plane = {format: "rgba8", width, height, bytes};
    Object.assign(canvas, {width, height});
    canvas.style.width = `${Math.min(384, width * Math.max(1, Math.floor(256 / Math.max(width, height))))}px`;
    canvas.getContext("2d").putImageData(inspect.pixels.toImage(plane, {channel, low: 0, high: 255}), 0, 0);
    caption.textContent = `${format ?? ""} ${width} × ${height}`;
    canvas.onpointermove = (event) => {
      const at = canvas.getBoundingClientRect();
      const x = Math.min(width - 1, Math.floor((event.clientX - at.left) * width / at.width));
      const y = Math.min(height - 1, Math.floor((event.clientY - at.top) * height / at.height));
      caption.textContent = `texel ${x}, ${y}: ${inspect.pixels.textOf("rgba8", inspect.pixels.valueOf("rgba8", inspect.pixels.bytesAt(plane, x, y)))}`;
    };
  }

  const kParts = {cube: "face", volume: "slice"};

  function viewer(texture, resource) {
    const figure = document.createElement("figure");
    const canvas = make("canvas", "", {role: "img", "aria-label": `texture ${texture.handle}`, class: "texture"});
    const caption = make("figcaption");
    const level = make("select", "", {"aria-label": "Level"});
    level.append(...optionsOf(resource.levels.length, "level"));
    const face = make("select", "", {"aria-label": "Face or slice"});
    const channel = make("select", "", {"aria-label": "Channel"});
    channel.append(...inspect.pixels.kChannels.map(({name, label}) => make("option", label, {value: name})));
    channel.value = "blended";
    const redraw = () => {
      const faces = resource.levels[level.value].length;
      if (face.children.length !== faces) face.replaceChildren(...optionsOf(faces, kParts[resource.kind] ?? "part"));
      face.hidden = faces < 2;
      paint(canvas, caption, resource, Number(level.value), Number(face.value), channel.value).catch((error) => (caption.textContent = error.message));
    };
    for (const select of [level, face, channel]) select.addEventListener("change", redraw);
    level.hidden = resource.levels.length < 2;
    const line = make("p", "", {class: "row"});
    line.append(level, face, channel);
    if (inspect.live && resource.kind !== "volume") line.append(inspect.live.replacerOf(texture, figure, () => ({level: Number(level.value), face: Number(face.value)})));
    figure.append(line, canvas, caption);
    redraw();
    return figure;
  }

  // Adds what `resource` of a texture holds.
  async function addPixels(box, texture) {
    if (!texture.resource) return box.append(make("p", "Its pixels are not in the data."));
    try {
      const resource = await page.data(texture.resource);
      box.append(resource.levels?.length ? viewer(texture, resource) : make("p", "It has no pixels that can be shown."));
    } catch (error) {
      box.append(make("p", error.message));
    }
  }

  inspect.addPixels = addPixels;

  inspect.panes.textures = (frame, place, {textures = []}) => {
    if (textures.length === 0) return [make("p", "No texture is bound.")];
    return textures.map((texture) => {
      const box = make("section", "", {class: "part"});
      const link = make("button", `texture:${texture.handle}`, {type: "button", title: "Find the draws with this texture"});
      link.addEventListener("click", () => inspect.findItems(`texture:${texture.handle}`));
      const title = make("h3", `Stage ${texture.stage}: ${texture.handle} `);
      title.append(link);
      const facts = document.createElement("dl");
      page.facts(facts, [["format", texture.format], ["levels", String(texture.levels ?? "")], ["faces", texture.faces > 1 ? String(texture.faces) : ""], ...(texture.sampler ?? []).map(([name, value]) => [name, String(value)])]);
      const pixels = make("div");
      box.append(title, pixels, facts);
      addPixels(pixels, texture);
      return box;
    });
  };
})();
