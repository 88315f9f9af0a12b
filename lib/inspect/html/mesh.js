// A small view of the primitives of a draw in space, which can be turned.
"use strict";

(() => {
  const {make} = page;
  const kWidth = 360;
  const kHeight = 260;

  // Points in a cube around the origin, of edge 2; null where one is not a number.
  function normalised(points) {
    const known = points.filter((point) => point && point.every(Number.isFinite));
    if (known.length === 0) return null;
    const low = [0, 1, 2].map((i) => known.reduce((least, point) => Math.min(least, point[i]), Infinity));
    const high = [0, 1, 2].map((i) => known.reduce((most, point) => Math.max(most, point[i]), -Infinity));
    const size = Math.max(...low.map((value, i) => high[i] - value)) / 2 || 1;
    return points.map((point) => point && point.every(Number.isFinite) ? point.map((value, i) => (value - (low[i] + high[i]) / 2) / size) : null);
  }

  // Turned by two angles, then looked at along z.
  function project([x, y, z], yaw, pitch) {
    const x1 = x * Math.cos(yaw) + z * Math.sin(yaw);
    const z1 = z * Math.cos(yaw) - x * Math.sin(yaw);
    const y1 = y * Math.cos(pitch) - z1 * Math.sin(pitch);
    const depth = 3.2 + z1 * Math.cos(pitch) + y * Math.sin(pitch);
    const scale = 0.45 * Math.min(kWidth, kHeight) * 2.9 / depth;
    return [kWidth / 2 + x1 * scale, kHeight / 2 - y1 * scale];
  }

  function drawLines(context, points, indices, {yaw, pitch}) {
    const style = getComputedStyle(context.canvas);
    const flat = points.map((point) => point && project(point, yaw, pitch));
    context.clearRect(0, 0, kWidth, kHeight);
    context.strokeStyle = style.color;
    context.globalAlpha = indices.length > 2000 ? 0.35 : 0.8;
    context.lineWidth = 0.7;
    context.beginPath();
    for (const corners of indices) {
      const line = corners.map((corner) => flat[corner]);
      if (line.some((point) => !point)) continue;
      if (line.length === 1) context.rect(line[0][0] - 1, line[0][1] - 1, 2, 2);
      else line.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      if (line.length > 2) context.closePath();
    }
    context.stroke();
  }

  // `points` are [x, y, z]; `isScreen`: y points down, as on a screen.
  inspect.meshView = (points, indices, isScreen) => {
    const space = normalised(points.map((point) => point && (isScreen ? [point[0], -point[1], point[2]] : point)));
    if (!space) return make("p", "There are no positions to show.");
    const canvas = make("canvas", "", {width: kWidth, height: kHeight, tabindex: 0, role: "img", class: "mesh", "aria-label": "The primitives in space; arrow keys turn them", title: "Drag, or arrow keys: turn"});
    const angle = isScreen ? {yaw: 0, pitch: 0} : {yaw: 0.6, pitch: 0.4};
    const draw = () => drawLines(canvas.getContext("2d"), space, indices, angle);
    const turn = (yaw, pitch) => {
      angle.yaw += yaw;
      angle.pitch = Math.min(1.55, Math.max(-1.55, angle.pitch + pitch));
      draw();
    };
    canvas.addEventListener("pointermove", (event) => event.buttons & 1 && turn(event.movementX / 90, event.movementY / 90));
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("keydown", (event) => {
      const way = {ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15]}[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      turn(...way);
    });
    requestAnimationFrame(draw);  // in the page: its colour is known
    return canvas;
  };
})();
