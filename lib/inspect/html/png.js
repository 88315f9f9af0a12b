// Reads PNG files bit by bit: what a browser draws has its colours multiplied by alpha, which loses what the comparison is about.
// Source: PNG specification (third edition), sections 5 to 11.
"use strict";

(() => {
  const kSignature = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A];
  const kSamples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4};  // per pixel, by colour type
  const kMostPixels = 1 << 26;
  // Of each pass the first column and row, and the steps from one to the next.
  const kWhole = [[0, 0, 1, 1]];
  const kInterlaced = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

  // {header, palette, transparency, data}; null where it is not a PNG that this reader knows.
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
    const isKnown = header && kSamples[header.color] && [1, 2, 4, 8, 16].includes(header.depth) && header.interlaced <= 1 && header.width * header.height <= kMostPixels && !(header.color === 3 && !found.palette);
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

  // Sample number `i` of the row that begins at `row`.
  function sampleAt(raw, row, i, depth) {
    if (depth === 16) return raw[row + 2 * i] << 8 | raw[row + 2 * i + 1];
    if (depth === 8) return raw[row + i];
    const bit = i * depth;
    return raw[row + (bit >> 3)] >> (8 - depth - (bit & 7)) & ((1 << depth) - 1);
  }

  // [red, green, blue, alpha] of pixel `x` of the row that begins at `row`; of 16 bits the upper 8.
  function colorAt({header: {color, depth}, palette, transparency}, raw, row, x) {
    const samples = Array.from({length: kSamples[color]}, (_, i) => sampleAt(raw, row, x * kSamples[color] + i, depth));
    if (color === 3) return [0, 1, 2].map((i) => palette[samples[0] * 3 + i]).concat(transparency?.[samples[0]] ?? 255);
    const bytes = samples.map((sample) => depth === 16 ? sample >> 8 : sample * 255 / ((1 << depth) - 1));
    if (color === 4) return [bytes[0], bytes[0], bytes[0], bytes[1]];
    if (color === 6) return bytes;
    // One colour may be transparent.
    const isClear = transparency && samples.every((sample, i) => sample === (transparency[2 * i] << 8 | transparency[2 * i + 1]));
    return [bytes[0], bytes[color === 2 ? 1 : 0], bytes[color === 2 ? 2 : 0], isClear ? 0 : 255];
  }

  async function inflate(parts) {
    const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // {width, height, bytes: red, green, blue, alpha of each pixel}; null: the browser may try.
  inspect.readPng = async (file) => {
    const png = chunksOf(file);
    if (!png) return null;
    const {width, height, color, depth, interlaced} = png.header;
    const bits = kSamples[color] * depth;
    const raw = await inflate(png.data);
    const bytes = new Uint8Array(width * height * 4);
    let start = 0;
    for (const [left, top, right, down] of interlaced ? kInterlaced : kWhole) {
      const columns = Math.max(0, Math.ceil((width - left) / right));
      const rows = columns && Math.max(0, Math.ceil((height - top) / down));
      const stride = Math.ceil(columns * bits / 8);
      const end = start + rows * (stride + 1);
      if (raw.length < end) throw new Error("the PNG is cut off");
      const pass = raw.subarray(start, end);
      start = end;
      unfilter(pass, stride, rows, Math.max(1, bits >> 3));
      for (let y = 0; y < rows; ++y) {
        for (let x = 0; x < columns; ++x) bytes.set(colorAt(png, pass, y * (stride + 1) + 1, x), ((top + y * down) * width + left + x * right) * 4);
      }
    }
    return {width, height, bytes};
  };
})();
