// Pixels as bytes: how planes are packed, changed and shown. They never pass through a picture element, which would lose bits of alpha.
"use strict";

const inspect = {};

(() => {
  const kBytes = {rgba8: 4, depth: 4, stencil: 1};

  // How a colour is looked at.
  const kChannels = [
    {name: "color", label: "colour"},
    {name: "blended", label: "colour over checks"},
    {name: "alpha", label: "alpha", at: 3},
    {name: "red", label: "red", at: 0},
    {name: "green", label: "green", at: 1},
    {name: "blue", label: "blue", at: 2},
  ];

  const empty = (format, width, height) => ({format, width, height, bytes: new Uint8Array(width * height * kBytes[format])});

  // Of a file: {rect, format, data}.
  async function unpack({rect, format, data}) {
    const bytes = await page.inflate(data);
    const expected = (rect[2] - rect[0]) * (rect[3] - rect[1]) * kBytes[format];
    if (bytes.length !== expected) throw new Error(`pixels are damaged: ${bytes.length} bytes in place of ${expected}`);
    return {rect, format, bytes};
  }

  // A patch is what was before XOR what is afterwards: it works in both directions.
  function apply(plane, patch) {
    const {rect: [left, top, right, bottom], bytes} = patch;
    const size = kBytes[plane.format];
    const length = (right - left) * size;
    for (let y = top, from = 0; y < bottom; ++y) {
      let to = (y * plane.width + left) * size;
      for (const end = from + length; from < end;) plane.bytes[to++] ^= bytes[from++];
    }
  }

  const contains = ([left, top, right, bottom], x, y) => x >= left && x < right && y >= top && y < bottom;

  const overlap = (a, b) => {
    const rect = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
    return rect[0] < rect[2] && rect[1] < rect[3] ? rect : null;
  };

  // Calls visit(x, y) for each pixel of the rectangle that the patch changes, until that returns true; whether it did.
  function eachChange({rect, format, bytes}, within, visit) {
    const area = overlap(rect, within);
    if (!area) return false;
    const size = kBytes[format];
    for (let y = area[1]; y < area[3]; ++y) {
      let at = ((y - rect[1]) * (rect[2] - rect[0]) + area[0] - rect[0]) * size;
      for (let x = area[0]; x < area[2]; ++x, at += size) {
        if ((bytes[at] || (size === 4 && (bytes[at + 1] || bytes[at + 2] || bytes[at + 3]))) && visit(x, y)) return true;
      }
    }
    return false;
  }

  // The bytes of one pixel of a plane or a patch.
  function bytesAt({rect, format, width, bytes}, x, y) {
    const [left, top, right] = rect ?? [0, 0, width];
    const size = kBytes[format];
    const at = ((y - top) * (right - left) + x - left) * size;
    return bytes.slice(at, at + size);
  }

  // A number, or [red, green, blue, alpha].
  function valueOf(format, bytes) {
    if (format === "rgba8") return [...bytes];
    return format === "stencil" ? bytes[0] : new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  }

  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // The shortest text that names the number among those of 32 bits.
  function shortFloat(value) {
    for (let digits = 1; digits < 9; ++digits) {
      if (Math.fround(Number(value.toPrecision(digits))) === value) return String(Number(value.toPrecision(digits)));
    }
    return String(Number(value.toPrecision(9)));
  }

  function textOf(format, value) {
    if (format === "depth") return `depth ${shortFloat(value)}`;
    if (format === "stencil") return `stencil ${value} (0x${value.toString(16).padStart(2, "0")})`;
    return `R ${value[0]} G ${value[1]} B ${value[2]} A ${value[3]} (${hex(value)})`;
  }

  const floats = (plane) => new Float32Array(plane.bytes.buffer, plane.bytes.byteOffset, plane.bytes.length / 4);

  function extent(plane, at) {
    const values = plane.format === "depth" ? floats(plane) : plane.bytes;
    let [low, high] = [Infinity, -Infinity];
    for (let i = plane.format === "rgba8" ? at : 0; i < values.length; i += plane.format === "rgba8" ? 4 : 1) {
      if (values[i] < low) low = values[i];
      if (values[i] > high) high = values[i];
    }
    return low <= high ? [low, high] : [0, 1];
  }

  // Grey: one channel or value of each pixel, `low` black and `high` white.
  function grey(plane, at, low, high, out) {
    const values = plane.format === "depth" ? floats(plane) : plane.bytes;
    const step = plane.format === "rgba8" ? 4 : 1;
    const scale = high > low ? 255 / (high - low) : 0;
    for (let i = 0, from = at; i < out.length; ++i, from += step) {
      const level = scale ? Math.min(255, Math.max(0, Math.round((values[from] - low) * scale))) : values[from] > low ? 255 : 0;
      out[i] = 0xFF000000 | level << 16 | level << 8 | level;
    }
  }

  // A plane as a picture; `look` is {channel, low, high}: of depth, stencil and single channels.
  function toImage(plane, look) {
    const image = new ImageData(plane.width, plane.height);
    const out = new Uint32Array(image.data.buffer);
    const channel = kChannels.find(({name}) => name === look.channel);
    if (plane.format !== "rgba8" || channel?.at !== undefined) {
      grey(plane, plane.format === "rgba8" ? channel.at : 0, look.low, look.high, out);
    } else {
      const from = new Uint32Array(plane.bytes.buffer, plane.bytes.byteOffset, out.length);
      const opaque = look.channel === "blended" ? 0 : 0xFF000000;
      for (let i = 0; i < out.length; ++i) out[i] = from[i] | opaque;
    }
    return image;
  }

  // Counts as colours: black is none, then blue over green and yellow to red for `most`.
  const kHeat = [[0, 0, 0], [30, 40, 160], [20, 140, 120], [80, 190, 40], [230, 220, 40], [240, 130, 20], [220, 20, 20]];
  function heatColor(part) {
    const place = Math.min(part, 1) * (kHeat.length - 1);
    const [a, b] = [kHeat[Math.floor(place)], kHeat[Math.ceil(place)]];
    const t = place - Math.floor(place);
    return a.map((value, i) => Math.round(value + (b[i] - value) * t));
  }

  inspect.pixels = {kChannels, empty, unpack, apply, contains, overlap, eachChange, bytesAt, valueOf, textOf, hex, shortFloat, extent, toImage, heatColor};
})();
