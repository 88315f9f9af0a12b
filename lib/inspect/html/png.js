// Reads PNG files bit by bit: what a browser draws has its colours multiplied by alpha, which loses what the comparison is about.
// Source: PNG specification (third edition), sections 5 to 11. Pictures that are interlaced are left to the browser.
"use strict";

(() => {
  const kSignature = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A];
  const kSamples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4};  // per pixel, by colour type
  const kMostPixels = 1 << 26;

  // {header, palette, transparency, data}; null where it is no PNG that this reader knows.
  function chunksOf(bytes) {
    if (!kSignature.every((byte, i) => bytes[i] === byte)) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const found = {data: []};
    for (let at = 8; at + 12 <= bytes.length;) {
      const length = view.getUint32(at);
      const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
      const body = bytes.subarray(at + 8, at + 8 + length);
      if (type === "IHDR") found.header = {width: view.getUint32(at + 8), height: view.getUint32(at + 12), depth: body[8], color: body[9], interlaced: body[12]};
      else if (type === "PLTE") found.palette = body;
      else if (type === "tRNS") found.transparency = body;
      else if (type === "IDAT") found.data.push(body);
      at += 12 + length;
    }
    const {header} = found;
    const isKnown = header && kSamples[header.color] && header.depth >= 8 && header.interlaced === 0 && header.width * header.height <= kMostPixels && !(header.color === 3 && !found.palette);
    return isKnown ? found : null;
  }

  function paeth(a, b, c) {
    const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
  }

  // Undoes the filters of the rows, in place; a row has one byte in front.
  function unfilter(raw, stride, height, size) {
    for (let y = 0; y < height; ++y) {
      const row = y * (stride + 1) + 1;
      const above = row - stride - 1;
      const filter = raw[row - 1];
      for (let x = 0; x < stride; ++x) {
        const a = x >= size ? raw[row + x - size] : 0;
        const b = y > 0 ? raw[above + x] : 0;
        const c = x >= size && y > 0 ? raw[above + x - size] : 0;
        raw[row + x] += [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0;
      }
    }
  }

  // [red, green, blue, alpha] of the samples at a place; of 16 bits the upper 8.
  function colorAt({header, palette, transparency}, raw, at) {
    const wide = header.depth / 8;
    const sample = (i) => raw[at + i * wide];
    if (header.color === 3) return [0, 1, 2].map((i) => palette[sample(0) * 3 + i]).concat(transparency?.[sample(0)] ?? 255);
    if (header.color === 0) return [sample(0), sample(0), sample(0), 255];
    if (header.color === 4) return [sample(0), sample(0), sample(0), sample(1)];
    return [sample(0), sample(1), sample(2), header.color === 6 ? sample(3) : 255];
  }

  async function inflate(parts) {
    const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // {width, height, bytes: red, green, blue, alpha of each pixel}; null: the browser may try.
  inspect.readPng = async (file) => {
    const png = chunksOf(file);
    if (!png) return null;
    const {width, height, color, depth} = png.header;
    const size = kSamples[color] * depth / 8;
    const raw = await inflate(png.data);
    if (raw.length < height * (width * size + 1)) throw new Error("the PNG is cut off");
    unfilter(raw, width * size, height, size);
    const bytes = new Uint8Array(width * height * 4);
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) bytes.set(colorAt(png, raw, y * (width * size + 1) + 1 + x * size), (y * width + x) * 4);
    }
    return {width, height, bytes};
  };
})();
