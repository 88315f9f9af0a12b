// The order of draws where some are left out and some are moved. Changes name a draw by its number in the file, the page by its number in what it shows.
"use strict";

class DrawOrder {
  #moves;
  #dropped;
  #order = [];   // numbers in the file, as far as they were asked for
  #next = 1;     // the first draw that is not looked at yet

  // `moves`: {draw, before} each; those that come before the same draw do so in this order. `dropped`: draws.
  constructor(moves = [], dropped = []) {
    this.#dropped = new Set(dropped);
    this.#moves = moves.filter(({draw}) => !this.#dropped.has(draw));
  }

  #grow() {
    const draw = this.#next++;
    for (const move of this.#moves) if (move.before === draw) this.#order.push(move.draw);
    if (!this.#dropped.has(draw) && !this.#moves.some((move) => move.draw === draw)) this.#order.push(draw);
  }

  #growPast(draw) {
    while (this.#next <= draw) this.#grow();
  }

  // The number in the file of a draw that is shown.
  of(shown) {
    while (this.#order.length < shown) this.#grow();
    return this.#order[shown - 1];
  }

  // The number that is shown; null: the draw is left out.
  shown(draw) {
    this.#growPast(Math.max(draw, ...this.#moves.map(({before}) => before)));
    return this.#order.indexOf(draw) + 1 || null;
  }

  // The fewest moves with which the draw that is shown as `first` and the one after it have exchanged their places.
  exchanged(first) {
    const touched = [this.of(first), this.of(first + 1), ...this.#moves.flatMap(({draw, before}) => [draw, before])];
    const [low, high] = [Math.min(...touched), Math.max(...touched)];
    this.#growPast(high);
    const order = [...this.#order];
    order.splice(first - 1, 2, order[first], order[first - 1]);
    const range = order.filter((draw) => draw >= low && draw <= high);
    // The longest chain of draws that stay, and among them the last: the others come before one that stays.
    const ends = [];      // of the chains of each length: where the one ends that is the easiest to prolong
    const previous = [];
    range.forEach((draw, i) => {
      if (draw > range.at(-1)) return;
      const found = ends.findIndex((end) => range[end] >= draw);
      const length = found < 0 ? ends.length : found;
      previous[i] = ends[length - 1];
      ends[length] = i;
    });
    const stays = new Set();
    for (let i = ends.at(-1); i !== undefined; i = previous[i]) stays.add(i);
    const moves = [];
    for (let i = range.length - 1, before; i >= 0; --i) {
      if (stays.has(i)) before = range[i];
      else moves.unshift({draw: range[i], before});
    }
    return moves;
  }
}

if (typeof module !== "undefined") module.exports = {DrawOrder};
