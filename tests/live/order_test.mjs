// Draws that are left out and exchanged in any order: the numbers that are shown and those of the file.
import assert from "node:assert/strict";
import {createRequire} from "node:module";
import path from "node:path";
import {test} from "node:test";

const {DrawOrder} = createRequire(import.meta.url)(path.resolve(import.meta.dirname, "../../lib/live/html/order.js"));

test("without changes draws have the numbers of the file", () => {
  const order = new DrawOrder();
  assert.equal(order.of(7), 7);
  assert.equal(order.shown(9), 9);
});

test("a draw that goes three places up is one move, and none when it comes back", () => {
  let moves = [];
  for (const first of [6, 5, 4]) moves = new DrawOrder(moves).exchanged(first);
  assert.deepEqual(moves, [{draw: 7, before: 4}]);
  for (const first of [4, 5, 6]) moves = new DrawOrder(moves).exchanged(first);
  assert.deepEqual(moves, []);
});

test("the last two draws exchange their places", () => {
  assert.deepEqual(new DrawOrder([], [2]).exchanged(1), [{draw: 3, before: 1}]);
});

test("the moves give the order that was asked for", () => {
  let seed = 7;
  const random = (count) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 65536) % count;
  };
  for (let round = 0; round < 300; ++round) {
    const expected = Array.from({length: 20}, (_, i) => i + 1);
    let moves = [];
    const dropped = [];
    for (let step = 0; step < 20; ++step) {
      if (random(6) === 0 && expected.length > 8) {
        const [draw] = expected.splice(random(expected.length - 6), 1);
        dropped.push(draw);
        moves = moves.filter((move) => move.draw !== draw);
      } else {
        const first = random(expected.length - 1) + 1;
        moves = new DrawOrder(moves, dropped).exchanged(first);
        expected.splice(first - 1, 2, expected[first], expected[first - 1]);
      }
      const order = new DrawOrder(moves, dropped);
      assert.deepEqual(expected.map((_, i) => order.of(i + 1)), expected);
      expected.forEach((draw, i) => assert.equal(order.shown(draw), i + 1));
      for (const draw of dropped) assert.equal(order.shown(draw), null);
      // `edit` takes the place of a draw from the file.
      for (const {before} of moves) assert.ok(!moves.some(({draw}) => draw === before));
    }
  }
});
