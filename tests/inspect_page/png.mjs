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

const kSamples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4};
// PNG specification, 8.2: first column and row of each pass, and the steps.
const kPasses = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

// Rows of pixels, each a list of samples, as bytes.
function packed(rows, depth) {
  return Buffer.concat(rows.map((row) => {
    const bits = row.flat().map((sample) => sample.toString(2).padStart(depth, "0")).join("");
    return Buffer.from(Array.from({length: Math.ceil(bits.length / 8)}, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8).padEnd(8, "0"), 2)));
  }));
}

// {bytes, pixels}: a PNG of a colour type and depth, and the [red, green, blue, alpha] of each of its pixels. With `hasKey` the colour of
// the first pixel is transparent.
export function makePng(color, depth, width, height, {isInterlaced = false, hasKey = false} = {}) {
  const most = (1 << depth) - 1;
  const samples = Array.from({length: height}, (_, y) => Array.from({length: width}, (__, x) => Array.from({length: kSamples[color]}, (___, i) => {
    const value = (y * width + x) * 7919 + i * 89 + (y >> 1) * 57;
    return color === 3 ? value & Math.min(most, 7) : (depth === 16 ? value * 13 : value) & most;
  })));
  const palette = Buffer.from(Array.from({length: 24}, (_, i) => (i * 31) & 255));
  const alphas = Buffer.from([0, 50, 100, 150]);
  const [key] = samples[0];
  const pixels = samples.flat().map((pixel) => {
    const byte = (i) => depth === 16 ? pixel[i] >> 8 : pixel[i] * 255 / most;
    if (color === 3) return [...palette.subarray(3 * pixel[0], 3 * pixel[0] + 3), alphas[pixel[0]] ?? 255];
    if (color === 4) return [byte(0), byte(0), byte(0), byte(1)];
    if (color === 6) return [0, 1, 2, 3].map(byte);
    const alpha = hasKey && pixel.every((sample, i) => sample === key[i]) ? 0 : 255;
    return color === 0 ? [byte(0), byte(0), byte(0), alpha] : [byte(0), byte(1), byte(2), alpha];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, isInterlaced ? 1 : 0], 8);
  const size = kSamples[color] * depth;
  const rows = (isInterlaced ? kPasses : [[0, 0, 1, 1]]).map(([left, top, right, down]) => {
    const pass = samples.filter((_, y) => y >= top && (y - top) % down === 0).map((row) => row.filter((_, x) => x >= left && (x - left) % right === 0));
    return pass.length && pass[0].length ? filtered(packed(pass, depth), Math.ceil(pass[0].length * size / 8), Math.max(1, size >> 3)) : Buffer.alloc(0);
  });
  const data = zlib.deflateSync(Buffer.concat(rows));
  const keyBytes = Buffer.from(key.flatMap((sample) => [sample >> 8, sample & 255]));
  const transparency = color === 3 ? [chunk("PLTE", palette), chunk("tRNS", alphas)] : hasKey ? [chunk("tRNS", keyBytes)] : [];
  const parts = [chunk("IHDR", header), ...transparency, chunk("IDAT", data.subarray(0, 20)), chunk("IDAT", data.subarray(20)), chunk("IEND", Buffer.alloc(0))];
  return {bytes: Buffer.concat([Buffer.from([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ...parts]), pixels: pixels.flat()};
}
