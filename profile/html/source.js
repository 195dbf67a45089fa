"use strict";
// The source with what each line cost: count, share, share with all that was called from it, and the more colour the hotter. The
// hottest lines have buttons, and those from which most was called.
(() => {
  const kJumps = 4, kCallers = 2;
  const kHot = 0.05;  // of all
  const kWarmest = 0.55;  // more would hide the text

  // Debug information may name a file with its folder, or by the name under which it was compiled.
  const linesOf = (file, sources, hotspots) => {
    const lines = hotspots.lines || [];
    const same = lines.filter((one) => one.file === file);
    if (same.length) return same;
    const base = lines.filter((one) => tally.baseName(one.file) === tally.baseName(file));
    if (base.length || sources.length > 1) return base;
    // A source that was given as text has no name of its own; it is the one that no folder of the system has.
    const own = lines.filter((one) => !one.file.startsWith("/"));
    return new Set(own.map((one) => one.file)).size === 1 ? own : [];
  };

  const codeLine = (text, number, cost, total, most) => {
    const line = tally.el("li", { tabindex: cost ? -1 : undefined, "data-line": number },
      tally.el("span", { class: "cost" }, cost ? tally.count(cost.self) : ""), tally.el("span", { class: "part" }, cost ? tally.percent(cost.self / total) : ""),
      tally.el("span", { class: "with" }, cost ? tally.percent(cost.inclusive / total) : ""),
      tally.el("span", { class: "at" }, String(number)), tally.el("span", { class: "text" }, text));
    if (cost) {
      line.style.setProperty("--warm", (kWarmest * Math.sqrt(cost.self / most)).toFixed(3));
      if (cost.self / total >= kHot) line.classList.add("hot");
      if (cost.inclusive / total >= kHot) line.classList.add("calls");
      if (cost.self === most) line.classList.add("hottest");
    }
    return line;
  };

  const goTo = (box, number) => {
    const line = box.querySelector(`[data-line="${number}"]`);
    box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 3;
    line.focus({ preventScroll: true });
  };

  const annotated = (source, costs, total) => {
    const byLine = new Map();
    for (const { line, self, inclusive } of costs) {
      const known = byLine.get(line) || { self: 0, inclusive: 0 };
      byLine.set(line, { self: known.self + self, inclusive: known.inclusive + inclusive });
    }
    const hottest = [...byLine].sort((a, b) => b[1].self - a[1].self);
    const most = hottest.length ? hottest[0][1].self : 1;
    const texts = source.text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
    const box = tally.scroller(`Source of ${source.file}`, tally.el("ol", {}, texts.map((text, at) => codeLine(text, at + 1, byLine.get(at + 1), total, most))));
    box.classList.add("code");
    box.dataset.hottest = hottest.length ? hottest[0][0] : "";
    box.dataset.lines = texts.length;
    const button = (line, text) => tally.el("button", { type: "button", onclick: () => goTo(box, line) }, `Line ${line}: ${text}`);
    const here = hottest.filter(([line]) => line <= texts.length);
    const callers = here.slice(kJumps).filter(([, cost]) => cost.inclusive / total >= kHot).sort((a, b) => b[1].inclusive - a[1].inclusive).slice(0, kCallers);
    const jumps = [...here.slice(0, kJumps).map(([line, cost]) => button(line, tally.percent(cost.self / total))),
      ...callers.map(([line, cost]) => button(line, `${tally.percent(cost.inclusive / total)} with calls`))];
    return [jumps.length ? tally.el("div", { class: "jump", role: "group", "aria-label": "Jump to the hottest lines" }, jumps) : null, box];
  };

  // What lies in files that are not here: libraries, mostly.
  const elsewhere = (costs, hotspots) => {
    const here = new Set(costs);
    const files = new Map();
    for (const one of hotspots.lines) if (!here.has(one)) files.set(one.file, (files.get(one.file) || 0) + one.self);
    const counted = hotspots.lines.reduce((sum, one) => sum + one.self, 0);
    const parts = [];
    const others = [...files].sort((a, b) => b[1] - a[1]);
    const sum = others.reduce((total, [, cost]) => total + cost, 0);
    if (sum) {
      const names = others.slice(0, 3).map(([file, cost]) => `${tally.baseName(file)} (${tally.percent(cost / hotspots.total)})`).join(", ");
      parts.push(`${tally.percent(sum / hotspots.total)} of all instructions are in other files: ${names}${others.length > 3 ? ` and ${others.length - 3} more` : ""}.`);
    }
    const rest = hotspots.total - counted;
    if (rest > 0) parts.push(`${tally.percent(rest / hotspots.total)} belong to no line that is known: the language's library, mostly.`);
    return parts;
  };

  const side = (series, many) => {
    const { hotspot_details: hotspots, hotspots: { _absent: absent } = {} } = series.report;
    const heading = many ? tally.el("h3", {}, tally.breakable(series.name)) : null;
    if (!hotspots || !hotspots.lines || !hotspots.lines.length) {
      const why = absent ? `Its lines have no counts: ${absent}.` : "Its lines have no counts: --debug counts them.";
      return tally.el("div", {}, heading, tally.note(why), series.sources.map((source) => annotated(source, [], 1)).flat());
    }
    const kept = [];
    const parts = series.sources.map((source) => {
      const costs = linesOf(source.file, series.sources, hotspots);
      kept.push(...costs);
      const title = series.sources.length > 1 || (!many && source.file) ? tally.el("h3", {}, tally.breakable(source.file)) : null;
      return [title, ...annotated(source, costs, hotspots.total)];
    });
    return tally.el("div", {}, heading, parts.flat(), elsewhere(kept, hotspots).map((text) => tally.note(text)));
  };

  tally.sourceSection = (list) => {
    const shown = list.filter(({ sources }) => sources.length);
    if (!shown.length) return;
    const section = tally.section("source");
    section.append(tally.legend([["heat", "share of the run's instructions: the line's own, then with all that was called from it"]]));
    section.append(tally.el("div", { class: `sides ${shown.length > 1 ? "two" : ""}` }, shown.map((series) => side(series, shown.length > 1))));
    section.dataset.hottest = [...section.querySelectorAll(".code")].map((box) => box.dataset.hottest).join("; ");
    for (const box of section.querySelectorAll(".code")) {
      const line = box.querySelector(".hottest");
      if (line) box.scrollTop = Math.max(0, line.offsetTop - box.clientHeight / 2);
    }
  };
})();
