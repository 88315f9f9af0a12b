// Shaders, tokens and findings of an item.
"use strict";

(() => {
  const {count, make} = page;
  const offsetText = (offset) => (offset === null || offset === undefined ? "" : `0x${offset.toString(16)}`);

  // The version, and the instructions with their numbers.
  function assemblyElements(item, kind, assembly) {
    const [version, ...instructions] = assembly.trimEnd().split("\n");
    const list = make("ol", "", {class: "assembly", tabindex: 0, "aria-label": `${kind} shader`});
    list.append(...instructions.map((line, i) => {
      const row = make("li");
      row.append(make("code", line));
      const editor = inspect.live?.editorOf(item, `${kind}_instruction`, String(i + 1), line.trim());
      if (editor) row.append(" ", editor);
      return row;
    }));
    return [make("code", version), list];
  }

  inspect.panes.shaders = (frame, place, {shaders = []}) => {
    if (shaders.length === 0) return [make("p", "No shader is bound: fixed functions draw.")];
    return shaders.map(({kind, handle, assembly, constants = []}) => {
      const box = make("section", "", {class: "part"});
      box.append(make("h3", `${kind} shader ${handle ?? ""}`), ...assemblyElements(frame.items[place], kind, assembly));
      const cells = (i) => {
        const [name, ...values] = constants[i].flat().map(String);
        const editor = inspect.live?.editorOf(frame.items[place], `${kind}_constant`, name, values.join(" "));
        const title = make("span", `${name} `);
        if (editor) title.append(editor);
        return [title, ...values];
      };
      if (constants.length) box.append(inspect.table(["Constant", "x", "y", "z", "w"], constants.length, cells, {label: "Constants", kind: "numbers"}));
      return box;
    });
  };

  inspect.panes.tokens = (frame, place, {tokens = [], more_tokens: more}) => {
    const cells = ({text, hex}) => {
      if (!hex) return [make("code", text, {class: "token"})];
      const bytes = document.createElement("details");
      bytes.append(make("summary", text, {class: "token"}), make("code", hex.replace(/(.{8})(?=.)/g, "$1 "), {class: "token"}));
      return [bytes];
    };
    const marked = inspect.marked === null ? null : tokens.findIndex(({event, offset}) => event === inspect.marked.event && (offset ?? null) === inspect.marked.offset);
    const box = [];
    if (more) box.push(make("p", `Not in the data: ${count(more, "more token")} before these.`));
    box.push(tokens.length ? inspect.table(["Offset and token; its bytes when opened"], tokens.length, (i) => cells(tokens[i]), {label: "Tokens", mark: marked === null || marked < 0 ? tokens.length - 1 : marked}) : make("p", "There are no tokens."));
    return box;
  };

  // The rule, with what `explain` says of it, which is loaded when somebody opens it.
  function ruleElement(rule) {
    const about = make("details");
    about.append(make("summary", rule));
    about.addEventListener("toggle", async () => {
      const {title, text} = await page.data(`rules/${rule}`).catch((error) => ({title: "", text: error.message}));
      about.append(make("p", title, {class: "strong"}), make("p", text, {class: "explain"}));
      about.dataset.shown = rule;
    }, {once: true});
    return about;
  }

  function findingCells(finding) {
    const message = make("div");
    message.append(make("p", finding.message));
    const facts = document.createElement("dl");
    page.facts(facts, [["path", finding.path], ["actual", finding.actual], ["expected", finding.expected], ["states", finding.set_by], ["found again", finding.more], ["event", finding.event?.toString()], ["offset", offsetText(finding.offset)]]);
    message.append(facts, ruleElement(finding.rule));
    return [make("span", finding.severity, {class: `badge ${finding.severity}`}), message];
  }

  inspect.findingCells = findingCells;

  inspect.panes.findings = (frame, place, {findings = [], more_findings: more}) => {
    if (findings.length === 0) return [make("p", "None.")];
    const box = [inspect.table(["", "Finding"], findings.length, (i) => findingCells(findings[i]), {label: "Findings"})];
    if (more) box.push(make("p", `Not in the data: ${count(more, "more finding")}.`));
    return box;
  };
})();
