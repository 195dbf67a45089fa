"use strict";
// The table of sizes: every figure there is, and what went wrong. With two series they stand side by side.
(() => {
  const kColumns = [
    ["instructions", "instructions", tally.count, tally.countedRun],
    ["virtual_ms", "virtual ms", tally.figure, tally.countedRun],
    ["cpu_ms", "CPU ms", tally.figure, () => tally.nativeRun],
    ["peak_memory_mb", "peak MiB", tally.figure, () => tally.nativeRun],
  ];

  // A null is infinite where the run itself failed; else the figure could not be had.
  const cell = (report, at, key, format) => {
    const value = (report[key] || [])[at];
    if (value !== null && value !== undefined) return tally.el("td", {}, format(value));
    const failures = report.failures.filter(({ size }) => size === report.input_sizes[at]);
    const run = failures.find(({ stage }) => stage === "run");
    const infinite = run && (key === "cpu_ms" || key === "peak_memory_mb");
    const why = run || failures[0];
    return tally.el("td", { title: why && why.sentence, "aria-label": infinite ? "infinite" : "absent" }, infinite ? "∞" : "–");
  };

  const failed = (list, n) => list.flatMap(({ name, report }) =>
    report.failures.filter(({ size }) => size === n).map(({ cause, sentence }) =>
      tally.el("div", {}, list.length > 1 ? tally.breakable(`${name}: `) : "", tally.el("span", { class: "cause" }, cause), sentence && sentence !== cause ? ` ${sentence}` : "")));

  tally.sizesSection = (list) => {
    const sizes = [...new Set(list.flatMap(({ report }) => report.input_sizes))].sort((a, b) => a - b);
    if (!sizes.length) return;
    const section = tally.section("sizes");
    const anyFailed = list.some(({ report }) => report.failures.length);
    const head = tally.el("tr", {}, tally.el("th", { scope: "col" }, "n"),
      list.flatMap((series, at) => kColumns.map(([, title, , run]) => tally.el("th", { scope: "col", "data-series": list.length > 1 && at + 1 }, title, tally.el("div", { class: "run" }, run(series))))),
      anyFailed && tally.el("th", { scope: "col", class: "text" }, "what went wrong"));
    const groups = list.length > 1 && tally.el("tr", {}, tally.el("th", {}),
      list.map((series, at) => tally.el("th", { colspan: kColumns.length, scope: "colgroup", "data-series": at + 1, class: "whose" }, tally.breakable(series.name))), anyFailed && tally.el("th", {}));
    const rows = sizes.map((n) => {
      const wrong = failed(list, n);
      return tally.el("tr", { class: wrong.length && "failed" }, tally.el("td", {}, tally.count(n)),
        list.flatMap(({ report }) => {
          const at = report.input_sizes.indexOf(n);
          return kColumns.map(([key, , format]) => (at < 0 ? tally.el("td", {}, "–") : cell(report, at, key, format)));
        }),
        anyFailed && tally.el("td", { class: "text" }, wrong));
    });
    section.append(tally.scroller("Figures of each size", tally.el("table", {}, tally.el("thead", {}, groups, head), tally.el("tbody", {}, rows))));
    section.dataset.rows = rows.length;
    section.dataset.failed = rows.filter((row) => row.className === "failed").length;
  };
})();
