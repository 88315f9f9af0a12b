// A picture of the reader's, beside that of the page. It is read here and goes nowhere.
"use strict";

(() => {
  const {byId} = page;
  const {heatColor, toImage} = inspect.pixels;
  let yours = null;  // {name, format, width, height, bytes}
  let isStarted = false;

  async function readByBrowser(file) {
    const bitmap = await createImageBitmap(file, {colorSpaceConversion: "none", premultiplyAlpha: "none"});
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return {width: bitmap.width, height: bitmap.height, bytes: new Uint8Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer)};
  }

  async function take(file) {
    inspect.live?.picture(file);
    try {
      const read = await inspect.readPng(new Uint8Array(await file.arrayBuffer())) ?? await readByBrowser(file);
      yours = {name: file.name, format: "rgba8", ...read};
      await inspect.picture.choose("compare");
    } catch (error) {
      byId("about-view").textContent = `${file.name} cannot be read as a picture: ${error.message}`;
    }
  }

  // Red, green and blue of both: how many differ, the first, the largest difference, and a heat map. Alpha counts where it is shown.
  function differences(plane, look) {
    const width = Math.max(plane.width, yours.width);
    const height = Math.max(plane.height, yours.height);
    const image = new ImageData(width, height);
    const out = new Uint32Array(image.data.buffer);
    const channels = look.channel === "blended" || look.channel === "alpha" ? 4 : 3;
    const found = {image, count: 0, most: 0, first: null};
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        const isBoth = x < plane.width && x < yours.width && y < plane.height && y < yours.height;
        let most = isBoth ? 0 : -1;
        for (let i = 0; isBoth && i < channels; ++i) most = Math.max(most, Math.abs(plane.bytes[(y * plane.width + x) * 4 + i] - yours.bytes[(y * yours.width + x) * 4 + i]));
        out[y * width + x] = colorOf(most);
        if (most === 0) continue;
        ++found.count;
        found.most = Math.max(found.most, most);
        found.first ??= {x, y};
      }
    }
    return found;
  }

  function colorOf(difference) {
    if (difference === 0) return 0xFF000000;
    if (difference < 0) return 0xFFD02FFF;  // in one of them only
    const [red, green, blue] = heatColor(0.55 + 0.45 * difference / 255);
    return 0xFF000000 | blue << 16 | green << 8 | red;
  }

  inspect.compare = {
    take,
    start() {
      if (isStarted) return;
      isStarted = true;
      byId("yours").addEventListener("change", () => byId("yours").files[0] && take(byId("yours").files[0]));
      addEventListener("dragover", (event) => event.preventDefault());
      addEventListener("drop", (event) => {
        event.preventDefault();
        const file = event.dataTransfer.files[0];
        if (file && !inspect.live?.takes(file)) take(file);
      });
    },
    draw(plane, look, {setPanes, paint}) {
      const own = {name: "page", title: "This page"};
      if (!yours || plane.format !== "rgba8") {
        byId("about-view").textContent = yours ? "Only colours are compared." : "Drop a picture of your own on this page, or choose one under \u201cYour picture\u201d. It stays on this computer.";
        setPanes([own], plane.width, plane.height);
        paint("page", toImage(plane, look));
        return;
      }
      const {image, count, most, first} = differences(plane, look);
      byId("about-view").textContent = count ? `${page.count(count, "pixel")} ${count === 1 ? "differs" : "differ"}; first at ${first.x}, ${first.y}; largest difference ${most}.` : "No pixel differs.";
      setPanes([{name: "yours", title: yours.name}, own, {name: "difference", title: "Difference: yellow is one step, red is all"}], image.width, image.height);
      paint("yours", toImage(yours, {...look, low: 0, high: 255}));
      paint("page", toImage(plane, look));
      paint("difference", image);
    },
  };
})();
