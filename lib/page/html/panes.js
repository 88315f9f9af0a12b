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
                   // layOut(scale), scroll()

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

  function layOut() {
    for (const stage of stages()) stage.style.height = "";
    fitting = fit();
    const now = scale();
    for (const sheet of byId("panes").querySelectorAll(".sheet")) {
      sheet.style.width = `${size.width * now}px`;
      sheet.style.height = `${size.height * now}px`;
      sheet.classList.toggle("shrunk", now < 1);
      placeBox(sheet.querySelector(".box"), now);
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
  function addDragging(stage) {
    let from = null;
    let corner = null;  // of a rectangle
    let hasMoved = false;
    stage.addEventListener("pointerdown", (event) => {
      hasMoved = false;
      if (event.button !== 0 || event.target === stage && event.offsetX > stage.clientWidth) return;
      corner = event.shiftKey && on.rectangle ? pixelAt(stage, event) : null;
      if (corner) stage.setPointerCapture(event.pointerId);
      else from = {x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop};
    });
    stage.addEventListener("pointermove", (event) => {
      const pixel = pixelAt(stage, event);
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
      if (!hasMoved && event.detail < 2) on.click(pixelAt(stage, event));
    });
    stage.addEventListener("dblclick", (event) => zoomTo(Math.max(16, scale()), pixelAt(stage, event)));
  }

  function addStage(figure, label) {
    const stage = make("div", "", {class: "stage", tabindex: 0, role: "group", "aria-label": label});
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
        sheet.append(make("div", "", {class: "box", hidden: ""}));
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
