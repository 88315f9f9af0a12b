// What the page says about the chosen trace: its message, its pictures, the cause, the findings.
"use strict";

(() => {
  const {byId, facts, make} = page;
  const kThumbs = 24;  // on a page

  let result = null;    // the line of the results file
  let pictures = [];    // of each image: where its files lie
  let order = [];       // places in result.images: those that are not as expected first
  let current = 0;      // place in `order`
  let pageNumber = 0;   // of thumbnails
  let onImage = () => {};

  function nameOf(image) {
    return `${image.kind} ${image.sequence}${image.slice === undefined ? "" : ` slice ${image.slice}`}${image.stencil ? " stencil" : ""}`;
  }

  const code = (text) => (text ? make("code", text) : "");
  const region = ({x, y, width, height}) => `${x},${y},${width},${height}`;
  const size = ({width, height}) => `${width}x${height}`;
  const pixel = ({x, y, expected, actual}) => `${x},${y}: expected ${expected}, actual ${actual}`;

  function describeCause(image) {
    if (image.status !== "differ") return "";
    if (image !== result.images.find(({difference}) => difference)) return "Looked for only in the first picture of a trace that differs.";
    if (image.edge_draw) return `The first edge that lies elsewhere is of draw ${image.edge_draw.draw}: ${image.edge_draw.operation} in event ${image.edge_draw.event}.`;
    if (!image.last_writer) return "No draw: something else wrote the first pixel that differs last, or the check could not look.";
    const {draw, event, offset, operation} = image.last_writer;
    return `Draw ${draw} wrote the first pixel that differs: ${operation} in event ${event}, offset 0x${offset.toString(16)}.`;
  }

  function showImage(place, view) {
    current = place;
    const image = result.images[order[place]];
    const {difference} = image;
    byId("image-name").textContent = `${nameOf(image)}: ${image.status}`;
    const text = pictures[order[place]].text ?? "";
    byId("image-text").textContent = result.message?.includes(text) ? "" : text;
    const inspected = pictures[order[place]].inspect;
    byId("inspect").hidden = !inspected;
    if (inspected) byId("inspect").href = inspected;
    byId("cause").textContent = describeCause(image);
    byId("cause").previousElementSibling.hidden = byId("cause").textContent === "";
    facts(byId("image-facts"), [
      ["pixels that differ", difference && difference.differing_pixels.toLocaleString("en")],
      ["in region", difference && region(difference.differing_rectangle)],
      ["largest difference", difference?.largest_difference.toString()],
      ["expected size", difference && size(difference.expected_size)],
      ["actual size", difference && size(difference.actual_size)],
      ["first", difference?.first && pixel(difference.first)],
      ["format", image.format ?? image.expected_format],
      ["event", image.event?.toString()],
      ["hash", code(image.hash)],
      ["raw hash", code(image.raw_hash)],
      ["expected format", image.expected_format !== image.format && image.format ? image.expected_format : ""],
      ["expected hash", code(image.expected_hash)],
      ["expected raw hash", code(image.expected_raw_hash)],
    ]);
    drawThumbs();
    golden.viewer.show({...image, name: nameOf(image), pictures: pictures[order[place]]}, view);
    onImage(place);
  }

  function thumb(place) {
    const image = result.images[order[place]];
    const files = pictures[order[place]];
    const button = make("button", "", {type: "button", "data-place": place, title: files.text ?? ""});
    if (place === current) button.setAttribute("aria-current", "true");
    const frame = make("span", "", {class: "frame"});
    const source = files.actual ?? files.expected;
    if (source) frame.append(make("img", "", {src: source, alt: "", loading: "lazy"}));
    else frame.append("no picture");
    button.append(frame, make("span", nameOf(image)), make("span", image.status, {class: golden.statusClass(image.status)}));
    button.addEventListener("click", () => showImage(place));
    return button;
  }

  function drawThumbs() {
    const pages = Math.ceil(order.length / kThumbs);
    pageNumber = Math.floor(current / kThumbs);
    fillThumbs(pages);
  }

  function fillThumbs(pages) {
    const focused = document.activeElement?.dataset.place;
    const thumbs = [];
    for (let place = pageNumber * kThumbs; place < Math.min(order.length, (pageNumber + 1) * kThumbs); ++place) thumbs.push(thumb(place));
    byId("thumbs").replaceChildren(...thumbs);
    if (focused !== undefined) byId("thumbs").querySelector("[aria-current]")?.focus();
    page.pager(byId("thumbs-pager"), pageNumber, pages);
  }

  function findingElements() {
    const elements = [];
    const counts = Object.entries(result.finding_counts ?? {});
    const expected = result.expected_finding_counts ?? {};
    const rules = [...new Set([...counts.map(([rule]) => rule), ...Object.keys(expected)])].sort();
    elements.push(make("h3", "Findings"));
    if (rules.length === 0) return [...elements, make("p", "None.")];
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const title of ["Rule", "Actual", ...(result.findings_changed ? ["Expected"] : [])]) head.append(make("th", title, {scope: "col"}));
    const body = table.createTBody();
    for (const rule of rules) {
      const row = body.insertRow();
      row.append(make("td", rule), make("td", String(result.finding_counts?.[rule] ?? 0), {class: "number"}));
      if (result.findings_changed) row.append(make("td", String(expected[rule] ?? 0), {class: "number"}));
    }
    elements.push(table);
    const list = document.createElement("ol");
    for (const finding of result.findings ?? []) {
      const where = [finding.event === undefined ? "" : `event ${finding.event}`, finding.offset === undefined ? "" : `offset 0x${finding.offset.toString(16)}`];
      list.append(make("li", `${finding.severity}: ${finding.message} [${finding.rule}] ${where.filter(Boolean).join(", ")}`));
    }
    if (list.children.length > 0) elements.push(list);
    return elements;
  }

  function showFindings() {
    const hasImages = order.length > 0;
    for (const place of document.querySelectorAll(".findings")) place.replaceChildren();
    const target = hasImages ? document.querySelector("aside .findings") : byId("findings-alone");
    if (result.finding_counts || result.expected_finding_counts || hasImages) target.replaceChildren(...findingElements());
  }

  golden.detail = {
    start(changed) {
      onImage = changed;
      for (const button of byId("thumbs-pager").querySelectorAll("button")) {
        button.addEventListener("click", () => {
          pageNumber += Number(button.dataset.step);
          fillThumbs(Math.ceil(order.length / kThumbs));
        });
      }
    },
    show(trace, place = 0, view = undefined) {
      ({result, pictures} = trace);
      byId("nothing").hidden = true;
      byId("detail").hidden = false;
      byId("status").textContent = result.actual_status ? `${result.status} (${result.actual_status})` : result.status;
      byId("status").className = `status ${golden.statusClass(result.status)}`;
      byId("tags").textContent = trace.tags ? `tags: ${trace.tags}` : "";
      byId("path").textContent = result.trace;
      byId("message").textContent = result.message ?? "";
      byId("output").textContent = result.output ?? "";
      byId("output").hidden = !result.output;
      const images = result.images ?? [];
      order = images.map((_, i) => i);
      order.sort((a, b) => (images[a].status === "match") - (images[b].status === "match") || a - b);
      byId("images").hidden = order.length === 0;
      showFindings();
      facts(byId("trace-facts"), [
        ["hash of the file", code(result.hash)],
        ["expected hash", code(result.expected_hash)],
        ["in the manifest", result.is_new ? "no" : "yes"],
      ]);
      if (order.length > 0) showImage(Math.min(Math.max(place, 0), order.length - 1), view);
      else golden.viewer.hide();
    },
    step(by) {
      if (result && current + by >= 0 && current + by < order.length) showImage(current + by);
    },
  };
})();
