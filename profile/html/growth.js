"use strict";
// The growth chart: what was counted at each size, the fitted sum as a curve over the sizes that it was fitted to, and the failed sizes on a line of
// their own. The memory chart beside it has the same form.
(() => {
  const kPerMillisecond = 2e6;  // the virtual processor's instructions
  const kTerms = { "1": () => 1, "log n": Math.log2, "n": (n) => n, "n log n": (n) => n * Math.log2(n), "n sqrt n": (n) => n * Math.sqrt(n),
    "sqrt n": Math.sqrt, "n^2": (n) => n * n, "n^2 log n": (n) => n * n * Math.log2(n), "n^3": (n) => n ** 3, "2^n": (n) => 2 ** n };

  // Bytes of input and output between two sizes that ran: on a straight line between them.
  const bytesAt = (sizes, bytes) => {
    const known = sizes.map((n, at) => [n, bytes[at] || 0]).filter(([, count]) => count > 0).sort((a, b) => a[0] - b[0]);
    if (known.length < 2) return null;
    return (n) => {
      let at = known.findIndex(([size]) => size >= n);
      at = at < 0 ? known.length - 1 : Math.max(1, at);
      const [n0, b0] = known[at - 1], [n1, b1] = known[at];
      return b0 + ((b1 - b0) * (n - n0)) / (n1 - n0);
    };
  };

  // "n log n"; "n^1.58", "1.62^n" and "n^2/log n" stand beside the list.
  const termOf = (term) => {
    if (kTerms[term]) return kTerms[term];
    const power = /^n\^([\d.]+)$/.exec(term), base = /^([\d.]+)\^n$/.exec(term), slowed = /^(.+)\/log n$/.exec(term);
    if (power) return (n) => n ** Number(power[1]);
    if (base) return (n) => Number(base[1]) ** n;
    return slowed && kTerms[slowed[1]] ? (n) => kTerms[slowed[1]](n) / Math.log2(n) : undefined;
  };

  // The fitted sum as a function of n, or null where a term is not known.
  tally.fitted = ({ report, bytes }) => {
    if (!report.growth) return null;
    const terms = report.growth.terms.map(({ term, coefficient }) => {
      const of = term === "byte" ? bytesAt(report.input_sizes, bytes) : termOf(term);
      return of && ((n) => coefficient * of(n));
    });
    return terms.every(Boolean) ? (n) => terms.reduce((sum, term) => sum + term(n), 0) : null;
  };

  const curve = (series, scale) => {
    const f = tally.fitted(series);
    const counted = series.report.input_sizes.filter((n, at) => n >= 2 && series.report.instructions[at] !== null);
    if (!f || !counted.length) return [];
    const first = Math.min(...counted), last = Math.max(...counted), steps = 120, out = [];
    for (let i = 0; i <= steps; ++i) {
      const n = first * (last / first) ** (i / steps), value = f(n) * scale;
      if (Number.isFinite(value) && value > 0) out.push({ n, value });
    }
    return out;
  };

  const points = ({ report }, key) =>
    report.input_sizes.map((n, at) => ({ n, value: (report[key] || [])[at] })).filter(({ value }) => value !== null && value !== undefined);

  tally.failuresOf = ({ report }) => report.failures.map(({ size, cause, sentence }) => ({ n: size, cause, sentence }));

  const kFigures = {
    instructions: { key: "instructions", title: "instructions", scale: 1, tell: (value) => `${tally.count(value)} instructions` },
    virtual: { key: "virtual_ms", title: "virtual ms", scale: 1 / kPerMillisecond, tell: (value) => `${tally.figure(value)} virtual ms` },
    cpu: { key: "cpu_ms", title: "CPU ms", scale: 0, tell: (value) => `${tally.figure(value)} ms of CPU time` },
  };

  const allSizes = (list) => [...new Set(list.flatMap(({ report }) => report.input_sizes))];

  const legend = (list, figure) => list.flatMap((series, at) => {
    const who = list.length > 1 ? `${series.name}: ` : "";
    const entries = [[`dot-${at + 1}`, `${who}${figure.title} (${figure.scale ? tally.countedRun(series) : tally.nativeRun})`]];
    if (figure.scale && curve(series, 1).length) entries.push([`fit-${at + 1}`, `${who}fitted: ${tally.sum(series.report.growth.terms)}`]);
    return entries;
  }).concat(list.some(({ report }) => report.failures.length) ? [["cross", "a size that failed, with its cause"]] : []);

  const sentences = (list, figure) => list.flatMap((series) => {
    const { growth, growth_absent: absent } = series.report, who = list.length > 1 ? `${series.name}: ` : "";
    if (!growth) return [`${who}There is no fitted curve: ${absent}.`];
    if (!tally.fitted(series)) return [`${who}The fitted sum has a term that this page cannot draw: ${tally.sum(growth.terms)}.`];
    if (!figure.scale) return [`${who}The curve is fitted to instructions, which are exact; CPU time is not.`];
    const fitted = growth.runs > growth.sizes ? `${growth.runs} runs of ${growth.sizes} sizes` : `${growth.sizes} sizes`;
    return [`${who}Fitted to ${fitted}, off by ${tally.percent(growth.error)} of the growth part. ` +
      "The curve ends where the sizes end that it was fitted to."];
  });

  tally.growthSection = (list) => {
    if (!list.length) return;
    const section = tally.section("growth");
    const canvas = tally.el("canvas", { role: "img", "aria-label": `Growth: ${list.map(({ report }) => report.growth ? report.growth.sentence : report.growth_absent).join("; ")}. The table below has the figures.` });
    const below = tally.el("div", {});
    let shown = "instructions", chart = null;
    const config = () => tally.sizeChart(canvas, {
      sizes: allSizes(list), failures: list.map(tally.failuresOf), title: kFigures[shown].title, logarithmic: true, tell: kFigures[shown].tell,
      series: list.map((series) => ({ name: series.name, points: points(series, kFigures[shown].key), curve: kFigures[shown].scale ? curve(series, kFigures[shown].scale) : [] })),
    })();
    const told = () => {
      below.replaceChildren(tally.legend(legend(list, kFigures[shown])), ...sentences(list, kFigures[shown]).map((text) => tally.note(text)));
      Object.assign(section.dataset, { figure: shown, points: points(list[0], kFigures[shown].key).length,
        curve: kFigures[shown].scale ? curve(list[0], 1).length : 0, failed: list.flatMap(tally.failuresOf).length,
        model: list.map(({ report }) => (report.growth ? report.growth.model || "" : "")).join("; ") });
    };
    section.replaceChildren(
      tally.el("div", { class: "head" }, tally.el("h2", {}, "Growth"),
        tally.choice("What the chart shows", [["instructions", "Instructions"], ["virtual", "Virtual ms"], ["cpu", "CPU ms"]], shown, (value) => {
          shown = value;
          chart.again();
          told();
        })),
      tally.el("div", { class: "chart" }, canvas), below);
    told();
    chart = tally.makeChart(canvas, config);
  };

  tally.memorySection = (list) => {
    if (!list.some((series) => points(series, "peak_memory_mb").length)) return;
    const section = tally.section("memory");
    const canvas = tally.el("canvas", { role: "img", "aria-label": "Peak memory by size. The table below has the figures." });
    section.append(tally.el("div", { class: "chart low" }, canvas));
    section.append(tally.legend(list.map((series, at) => [`dot-${at + 1}`, `${list.length > 1 ? `${series.name}: ` : ""}peak memory (${[tally.nativeRun, series.report.mem_metric].filter(Boolean).join(", ")})`])));
    section.dataset.points = points(list[0], "peak_memory_mb").length;
    tally.makeChart(canvas, tally.sizeChart(canvas, {
      sizes: allSizes(list), failures: list.map(() => []), title: "peak MiB", logarithmic: false, tell: (value) => `${tally.figure(value)} MiB`,
      series: list.map((series) => ({ name: series.name, points: points(series, "peak_memory_mb"), curve: [] })),
    }));
  };
})();
