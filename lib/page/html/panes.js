// The panes in which pictures are shown: one or more side by side, at the same zoom and place.
"use strict";

(() => {
  const {byId, make} = page;
  const kLargestZoom = 64;
  const kMargin = 16;

  let zoom = 0;  // screen pixels per pixel; 0 = as large as fits
  let fitting = 1;  // the zoom that fits
  let size = {width: 0, height: 0};
  let box = null;  // {x, y, width, height} that the frame is around
  let on = {};     // what the page wants to hear: click(pixel), point(pixel), rectangle([left, top, right, bottom)),
                   // layOut(scale), scroll(), cursor(pixel): arrow keys move a pixel, Enter chooses it
  let pointed = null;  // the pixel under the pointer
  let cursor = null;   // the one that keys move

  const stages = () => [...byId("panes").querySelectorAll(".stage")];

  // As large as fits, in whole steps where that is larger than the picture.
  function fit() {
    const stage = stages()[0];
    if (!stage || size.width === 0) return 1;
    const scale = Math.min((stage.clientWidth - kMargin) / size.width, (stage.clientHeight - kMargin) / size.height);
    return scale >= 1 ? Math.min(Math.floor(scale), kLargestZoom) : Math.max(scale, 1 / 64);
  }

  const scale = () => zoom || fitting;

  function placeBox(frame, now) {
    frame.hidden = !(byId("box").checked && box);
    if (!box) return;
    frame.style.left = `${box.x * now - 3}px`;
    frame.style.top = `${box.y * now - 3}px`;
    frame.style.width = `${box.width * now + 6}px`;
    frame.style.height = `${box.height * now + 6}px`;
  }

  function placeCursor(mark, now) {
    mark.hidden = !cursor;
    if (!cursor) return;
    Object.assign(mark.style, {left: `${cursor.x * now}px`, top: `${cursor.y * now}px`, width: `${now}px`, height: `${now}px`});
  }

  function setCursor(pixel) {
    cursor = pixel;
    for (const mark of byId("panes").querySelectorAll(".cursor")) placeCursor(mark, scale());
    byId("pixel").setAttribute("aria-live", cursor ? "polite" : "off");
  }

  function layOut() {
    for (const stage of stages()) stage.style.height = "";
    if (cursor && (cursor.x >= size.width || cursor.y >= size.height)) cursor = null;
    fitting = fit();
    const now = scale();
    for (const sheet of byId("panes").querySelectorAll(".sheet")) {
      sheet.style.width = `${size.width * now}px`;
      sheet.style.height = `${size.height * now}px`;
      sheet.classList.toggle("shrunk", now < 1);
      placeBox(sheet.querySelector(".box"), now);
      placeCursor(sheet.querySelector(".cursor"), now);
      if (!zoom && size.height > 0) sheet.parentElement.style.height = `${Math.ceil(size.height * now) + kMargin + 2}px`;
    }
    on.layOut?.(now);
    byId("zoom").textContent = now >= 1 ? `${now}×` : `${Math.round(now * 100)} %`;
    byId("zoom-in").disabled = now >= kLargestZoom;
    byId("zoom-out").disabled = now <= 1 / 16;
  }

  // The pixel under a point of the screen; null outside of the picture.
  function pixelAt(stage, event) {
    const sheet = stage.querySelector(".sheet");
    if (!sheet) return null;
    const at = sheet.getBoundingClientRect();
    const x = Math.floor((event.clientX - at.left) / scale());
    const y = Math.floor((event.clientY - at.top) / scale());
    return x >= 0 && y >= 0 && x < size.width && y < size.height ? {x, y} : null;
  }

  function centre(x, y) {
    for (const stage of stages()) {
      stage.scrollLeft = (x + 0.5) * scale() - stage.clientWidth / 2;
      stage.scrollTop = (y + 0.5) * scale() - stage.clientHeight / 2;
    }
  }

  // Zooms so that what is in the middle, or the given pixel, is in the middle.
  function zoomTo(wanted, pixel = null) {
    const stage = stages()[0];
    if (!stage) return;
    const x = pixel ? pixel.x : (stage.scrollLeft + stage.clientWidth / 2) / scale();
    const y = pixel ? pixel.y : (stage.scrollTop + stage.clientHeight / 2) / scale();
    zoom = wanted;
    layOut();
    if (zoom) centre(x, y);
  }

  function zoomBy(step, pixel = null) {
    const now = scale();
    const next = step > 0 ? 2 ** (Math.floor(Math.log2(now) + 1e-9) + 1) : 2 ** (Math.ceil(Math.log2(now) - 1e-9) - 1);
    zoomTo(Math.min(kLargestZoom, Math.max(1 / 16, next)), pixel);
  }

  const spanOf = (a, b) => [Math.min(a.x, b.x), Math.min(a.y, b.y), Math.max(a.x, b.x) + 1, Math.max(a.y, b.y) + 1];

  // With Shift a rectangle is chosen, where the page wants to hear of one; else the picture is moved.
  // Clicks have whole CSS pixels only: what the pointer was over last is meant.
  function addDragging(stage) {
    let from = null;
    let corner = null;  // of a rectangle
    let hasMoved = false;
    stage.addEventListener("pointerdown", (event) => {
      hasMoved = false;
      pointed = pixelAt(stage, event);
      if (event.button !== 0 || event.target === stage && event.offsetX > stage.clientWidth) return;
      corner = event.shiftKey && on.rectangle ? pointed : null;
      if (corner) stage.setPointerCapture(event.pointerId);
      else from = {x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop};
    });
    stage.addEventListener("pointermove", (event) => {
      const pixel = pointed = pixelAt(stage, event);
      if (cursor) setCursor(null);
      on.point(pixel);
      if (corner && pixel) {
        hasMoved = true;
        on.rectangle(spanOf(corner, pixel));
      }
      if (!from) return;
      const left = from.x - event.clientX;
      const top = from.y - event.clientY;
      if (Math.abs(left - stage.scrollLeft) + Math.abs(top - stage.scrollTop) > 3 && !hasMoved) {
        hasMoved = true;
        stage.setPointerCapture(event.pointerId);
        stage.classList.add("dragged");
      }
      if (hasMoved) stage.scrollTo(left, top);
    });
    const end = () => {
      from = corner = null;
      stage.classList.remove("dragged");
    };
    stage.addEventListener("pointerup", end);
    stage.addEventListener("pointercancel", end);
    stage.addEventListener("click", (event) => {
      if (!hasMoved && event.detail < 2) on.click(pointed);
    });
    stage.addEventListener("dblclick", () => zoomTo(Math.max(16, scale()), pointed));
  }

  const kSteps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

  // The first step shows where the cursor is: at the pixel of the pointer, or in the middle of what is seen.
  function addCursor(stage) {
    stage.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || size.width === 0) return;
      const step = kSteps[event.key];
      if (!step && !(event.key === "Enter" && cursor)) return;
      event.preventDefault();
      if (!step) return on.cursor(cursor);
      const least = (value, end) => Math.min(Math.max(Math.floor(value), 0), end - 1);
      const by = event.shiftKey ? 10 : 1;
      const middle = pointed ?? {x: (stage.scrollLeft + stage.clientWidth / 2) / scale(), y: (stage.scrollTop + stage.clientHeight / 2) / scale()};
      const {x, y} = cursor ? {x: cursor.x + by * step[0], y: cursor.y + by * step[1]} : middle;
      setCursor({x: least(x, size.width), y: least(y, size.height)});
      stage.querySelector(".cursor").scrollIntoView({block: "nearest", inline: "nearest"});
      on.point(cursor);
    });
  }

  function addStage(figure, label) {
    const stage = make("div", "", {class: "stage", tabindex: 0, role: "group", "aria-label": on.cursor ? `${label}: arrow keys move to a pixel, Enter chooses it` : label});
    stage.addEventListener("scroll", () => {
      for (const other of stages()) {
        if (other === stage) continue;
        if (other.scrollLeft !== stage.scrollLeft) other.scrollLeft = stage.scrollLeft;
        if (other.scrollTop !== stage.scrollTop) other.scrollTop = stage.scrollTop;
      }
      on.scroll?.();
    });
    stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomBy(-event.deltaY, pixelAt(stage, event));
    }, {passive: false});
    addDragging(stage);
    if (on.cursor) addCursor(stage);
    figure.append(stage);
    return stage;
  }

  // A picture of a file, or an element (a canvas) that the page draws.
  function addPicture(sheet, picture) {
    if (picture.element) {
      size = {width: Math.max(size.width, picture.width), height: Math.max(size.height, picture.height)};
      sheet.append(picture.element);
      return;
    }
    const image = make("img", "", {alt: picture.alt, draggable: "false"});
    image.addEventListener("load", () => {
      size = {width: Math.max(size.width, image.naturalWidth), height: Math.max(size.height, image.naturalHeight)};
      layOut();
      // A smaller picture than its neighbours keeps its scale.
      image.style.width = `${100 * image.naturalWidth / size.width}%`;
      image.style.height = `${100 * image.naturalHeight / size.height}%`;
    });
    image.src = picture.source;
    if (picture.filter) image.style.filter = picture.filter;
    if (picture.off) image.classList.add("off");
    sheet.append(image);
  }

  function showPoint(pixel) {
    byId("pixel").textContent = pixel ? `pixel ${pixel.x}, ${pixel.y}` : "\u00a0";
  }

  page.panes = {
    // `listeners`: see `on`.
    start(listeners) {
      on = {point: showPoint, ...listeners};
      byId("zoom-in").addEventListener("click", () => zoomBy(1));
      byId("zoom-out").addEventListener("click", () => zoomBy(-1));
      byId("zoom-fit").addEventListener("click", () => zoomTo(0));
      byId("box").addEventListener("change", layOut);
      addEventListener("resize", layOut);
    },
    // Each pane: {title, pictures, absent}; a picture is {source, alt, filter, off}, or {element, width, height}. `frame`: see `box`.
    show(panes, frame) {
      box = frame;
      size = {width: 0, height: 0};
      const figures = panes.map((pane) => {
        const figure = document.createElement("figure");
        figure.append(make("figcaption", pane.title));
        const stage = addStage(figure, pane.title);
        if (pane.absent) {
          stage.append(make("p", pane.absent, {class: "absent"}));
          return figure;
        }
        const sheet = make("div", "", {class: "sheet"});
        for (const picture of pane.pictures) addPicture(sheet, picture);
        sheet.append(make("div", "", {class: "box", hidden: ""}), make("div", "", {class: "cursor", hidden: ""}));
        stage.append(sheet);
        return figure;
      });
      byId("panes").replaceChildren(...figures);
      layOut();
    },
    // Another frame, around the same pictures.
    setFrame(frame) {
      box = frame;
      layOut();
    },
    zoomBy,
    zoomTo,
    layOut,
  };
})();
