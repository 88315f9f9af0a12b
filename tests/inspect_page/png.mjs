// PNG files of every kind that the page reads: a filter for each row in turn.
import zlib from "node:zlib";

function chunk(type, body) {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4, "latin1");
  body.copy(bytes, 8);
  bytes.writeUInt32BE(zlib.crc32 ? zlib.crc32(bytes.subarray(4, 8 + body.length)) : 0, 8 + body.length);
  return bytes;
}

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [a, b, c].map((value) => Math.abs(p - value));
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// Rows of samples, row y under filter y % 5.
function filtered(raw, stride, size) {
  const at = (x, y) => (x < 0 || y < 0 ? 0 : raw[y * stride + x]);
  const rows = raw.length / stride;
  const out = [];
  for (let y = 0; y < rows; ++y) {
    out.push(y % 5);
    for (let x = 0; x < stride; ++x) {
      const [a, b, c] = [at(x - size, y), at(x, y - 1), x < size ? 0 : at(x - size, y - 1)];
      out.push((at(x, y) - [0, a, b, (a + b) >> 1, paeth(a, b, c)][y % 5]) & 255);
    }
  }
  return Buffer.from(out);
}

// {bytes, pixels}: a PNG of a colour type and depth, and the [red, green, blue, alpha] of each of its pixels.
export function makePng(color, depth, width, height) {
  const samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color];
  const size = samples * depth / 8;
  const raw = Buffer.from(Array.from({length: width * height * size}, (_, i) => (i * 89 + (i >> 3) * 57) & (color === 3 ? 7 : 255)));
  const palette = Buffer.from(Array.from({length: 24}, (_, i) => (i * 31) & 255));
  const alphas = Buffer.from([0, 50, 100, 150]);
  const pixels = Array.from({length: width * height}, (_, i) => {
    const sample = (k) => raw[i * size + k * depth / 8];
    if (color === 3) return [...palette.subarray(3 * sample(0), 3 * sample(0) + 3), alphas[sample(0)] ?? 255];
    if (color === 0) return [sample(0), sample(0), sample(0), 255];
    if (color === 4) return [sample(0), sample(0), sample(0), sample(1)];
    return [sample(0), sample(1), sample(2), color === 6 ? sample(3) : 255];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, 0], 8);
  const data = zlib.deflateSync(filtered(raw, width * size, size));
  const parts = [chunk("IHDR", header), ...(color === 3 ? [chunk("PLTE", palette), chunk("tRNS", alphas)] : []), chunk("IDAT", data.subarray(0, 20)), chunk("IDAT", data.subarray(20)), chunk("IEND", Buffer.alloc(0))];
  return {bytes: Buffer.concat([Buffer.from([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ...parts]), pixels: pixels.flat()};
}
