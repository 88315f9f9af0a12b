// One frame: its items, and what its targets hold after any of them. Contents are walked along patches, in either direction, from where
// they were asked for last or from the nearest content that the data hold whole.
"use strict";

(() => {
  const {apply, bytesAt, contains, eachChange, empty, unpack, valueOf} = inspect.pixels;
  const kMostBytes = 256 << 20;  // of contents that are kept
  const kItemsPerPack = 32;
  const kMostUnpacked = 64;      // patches that are kept inflated, and inflated at a time

  inspect.Frame = class {
    #cursors = new Map();   // of each target: {place, plane}, the one used last at the end
    #heats = new Map();     // of each target: {place, counts}
    #writes = new Map();    // of each target: [{place, write}], in order
    #unpacked = new Map();
    #queue = Promise.resolve();

    constructor(number, {targets = [], items = []}) {
      Object.assign(this, {number, targets, items});
      items.forEach((item, place) => {
        for (const write of item.writes ?? []) {
          if (write.patches === undefined) continue;
          if (!this.#writes.has(write.target)) this.#writes.set(write.target, []);
          this.#writes.get(write.target).push({place, write});
        }
      });
    }

    writesTo(target) {
      return this.#writes.get(target) ?? [];
    }

    // Writes to the target after place `from`, up to place `to`.
    #between(target, from, to) {
      return this.writesTo(target).filter(({place}) => place > from && place <= to);
    }

    async #patch({patches, at}) {
      const key = `${patches}/${at}`;
      const patch = this.#unpacked.get(key) ?? await unpack((await page.data(`patches/${this.number}-${patches}`))[at]);
      this.#unpacked.delete(key);
      this.#unpacked.set(key, patch);
      if (this.#unpacked.size > kMostUnpacked) this.#unpacked.delete(this.#unpacked.keys().next().value);
      return patch;
    }

    // Calls visit(patch, place) for each of the writes, in order; browsers inflate several at a time.
    async #each(writes, visit) {
      for (let i = 0; i < writes.length; i += kMostUnpacked) {
        const some = writes.slice(i, i + kMostUnpacked);
        const patches = await Promise.all(some.map(({write}) => this.#patch(write)));
        patches.forEach((patch, k) => visit(patch, some[k].place));
      }
    }

    // What the item changes of the target: patches.
    changes(target, place) {
      return Promise.all(this.#between(target, place - 1, place).map(({write}) => this.#patch(write)));
    }

    async #load(target, name) {
      const {rect, format, bytes} = await unpack(await page.data(name));
      return {format, width: rect[2], height: rect[3], bytes};
    }

    async #base(target) {
      const {base, plane, width, height} = this.targets[target];
      if (base === false) return empty(plane === "color" ? "rgba8" : plane, width, height);
      return this.#load(target, `base/${this.number}-${target}`);
    }

    // Where the walk to a place begins: at the cursor, at the beginning, or at a content that the data hold.
    async #start(target, place) {
      const cursor = this.#cursors.get(target);
      const keys = this.targets[target].keys ?? [];
      const key = keys.filter((one) => one - 1 <= place).at(-1);
      const fromKey = this.#between(target, key === undefined ? -1 : key - 1, place).length;
      const fromCursor = cursor ? this.#between(target, Math.min(cursor.place, place), Math.max(cursor.place, place)).length : Infinity;
      if (fromCursor <= fromKey + 1) return cursor;
      if (key !== undefined) return {place: key - 1, plane: await this.#load(target, `keys/${this.number}-${target}-${key}`)};
      return {place: -1, plane: await this.#base(target)};
    }

    async #walk(target, place) {
      const cursor = await this.#start(target, place);
      const isForward = cursor.place <= place;
      const writes = this.#between(target, Math.min(cursor.place, place), Math.max(cursor.place, place));
      this.#cursors.delete(target);  // a fault below leaves it half way
      await this.#each(isForward ? writes : writes.reverse(), (patch) => apply(cursor.plane, patch));
      cursor.place = place;
      this.#cursors.set(target, cursor);
      let bytes = 0;
      for (const [other, {plane}] of [...this.#cursors].reverse()) {
        bytes += plane.bytes.length;
        if (bytes > kMostBytes && other !== target) this.#cursors.delete(other);
      }
      return cursor.plane;
    }

    // What the target holds after the item; place -1 is before the first. It is the frame's own: valid until the next call.
    at(target, place) {
      const result = this.#queue.then(() => this.#walk(target, place));
      this.#queue = result.catch(() => {});
      return result;
    }

    // How often each pixel of the target was changed, up to the item: {counts, most}.
    async heat(target, place) {
      const {width, height} = this.targets[target];
      const heat = this.#heats.get(target) ?? {place: -1, counts: new Uint16Array(width * height)};
      this.#heats.delete(target);
      const step = heat.place <= place ? 1 : -1;
      const writes = this.#between(target, Math.min(heat.place, place), Math.max(heat.place, place));
      await this.#each(writes, (patch) => eachChange(patch, [0, 0, width, height], (x, y) => {
        heat.counts[y * width + x] += step;
      }));
      heat.place = place;
      this.#heats.set(target, heat);
      return {counts: heat.counts, most: heat.counts.reduce((most, count) => Math.max(most, count), 0)};
    }

    // Places of the items that change the rectangle of the target.
    async touching(target, rect) {
      const places = new Set();
      const near = this.writesTo(target).filter(({write}) => inspect.pixels.overlap(write.rect, rect));
      await this.#each(near, (patch, place) => eachChange(patch, rect, () => true) && places.add(place));
      return [...places];
    }

    // What a pixel held: [{place, value}], at first place -1, then for each item that changed it.
    async pixelValues(target, x, y) {
      const base = await this.#base(target);
      const now = bytesAt(base, x, y);
      const values = [{place: -1, value: valueOf(base.format, now)}];
      await this.#each(this.writesTo(target).filter(({write}) => contains(write.rect, x, y)), (patch, place) => {
        const change = bytesAt(patch, x, y);
        if (change.every((byte) => byte === 0)) return;
        change.forEach((byte, i) => (now[i] ^= byte));
        values.push({place, value: valueOf(base.format, now)});
      });
      return values;
    }

    // What the data hold of an item; null where they hold nothing. Its states are whole: `rows`.
    async details(place) {
      const pack = await page.data(`items/${this.number}-${Math.floor(place / kItemsPerPack)}`);
      const own = pack[place % kItemsPerPack];
      if (!own) return null;
      return {...own, rows: own.states ? statesOf(pack.slice(0, place % kItemsPerPack + 1)) : null};
    }

    // The item whose tokens hold what lies at an offset of an event; -1 where that was before the frame.
    itemAt(event, offset) {
      if (this.items.length === 0 || event < this.items[0].event) return -1;
      return this.items.findIndex((item) => item.event > event || (item.event === event && (item.offset === undefined || item.offset >= offset)));
    }
  };

  // Rows of the last of these items: a whole list at the first that has one, then what changed.
  function statesOf(pack) {
    const rows = new Map();
    const keyOf = ([section, name]) => `${section}\n${name}`;
    for (const one of pack) {
      if (one?.states?.snapshot) rows.clear();
      for (const row of one?.states?.snapshot ?? one?.states?.changes ?? []) rows.set(keyOf(row), row);
      for (const row of one?.states?.removed ?? []) rows.delete(keyOf(row));
    }
    return [...rows.values()];
  }
})();
