"use strict";
// The head of the page and its sections in their order. What was drawn is told in data- attributes of <html> and of each
// section, for whoever checks it.
(() => {
  const { series, metrics, trace } = tally.data;
  const faults = [];
  addEventListener("error", (event) => { faults.push(event.message); document.documentElement.dataset.faults = faults.join("; "); });

  const last = (list) => (list || []).filter((value) => value !== null).pop();
  const tiles = ({ report }) => {
    const { input_sizes: sizes = [], instructions = [], cpu_ms: times = [], peak_memory_mb: memory = [], failures } = report;
    const failed = new Set(failures.map(({ size }) => size)).size;
    const ran = sizes.filter((n, at) => times[at] !== null && times[at] !== undefined);
    const entries = [["largest size that ran", ran.length ? tally.count(Math.max(...ran)) : "none"]];
    if (last(instructions) !== undefined) entries.push(["most instructions", tally.short(Math.max(...instructions.filter((one) => one !== null)))]);
    if (last(times) !== undefined) entries.push(["longest CPU time", tally.milliseconds(Math.max(...times.filter((one) => one !== null)))]);
    if (last(memory) !== undefined) entries.push(["most memory", `${tally.figure(Math.max(...memory.filter((one) => one !== null)))} MiB`]);
    entries.push(["sizes that failed", failed ? `${failed} of ${sizes.length}` : "none"]);
    return tally.el("dl", { class: "tiles" }, entries.map(([name, value]) => tally.el("div", {}, tally.el("dt", {}, name), tally.el("dd", {}, value))));
  };

  const verdict = (one, at) => {
    const { report } = one;
    const words = report.growth ? report.growth.sentence : report.error ? report.error.sentence : `No growth: ${report.growth_absent}`;
    const expected = report.expectation && tally.el("p", {}, tally.el("span", { class: `badge ${report.expectation.met ? "good" : "bad"}` }, report.expectation.met ? "✓ as expected" : "✕ not as expected"),
      ` ${tally.power(report.expectation.sentence)}`);
    return tally.el("div", { class: `verdict ${at ? "second" : ""}` },
      tally.el("p", { class: "who" }, tally.breakable([one.name, one.language || report.compiler_used].filter(Boolean).join(" · "))),
      tally.el("p", { class: "growth" }, tally.power(words)), expected,
      report.instructions_vary && tally.note(`Counts may be others next time: ${report.instructions_vary}.`), report.error ? null : tiles(one));
  };

  const errors = (list) => {
    for (const { name, report } of list) {
      const section = tally.section("error");
      section.append(tally.el("h3", {}, tally.breakable(`${name}: ${report.error.sentence}`)));
      if (report.error.text) section.append(tally.el("pre", { class: "words", tabindex: 0 }, report.error.text));
      section.dataset.code = report.error.code;
    }
  };

  const means = () => {
    const { report } = series[0];
    const rows = [...tally.runsOf(series[0]), ["isolation", report.isolation_used], ["compiler", report.compiler_used], ["iteration", report.iteration || ""]]
      .filter(([, value]) => value !== undefined && value !== "");
    if (!rows.length) return;
    tally.section("means").append(tally.el("dl", { class: "means" }, rows.map(([name, value]) => [tally.el("dt", {}, name), tally.el("dd", {}, String(value))]).flat()),
      tally.note("Virtual milliseconds are instructions of a processor that executes two in a nanosecond."));
  };

  // What two series come to, at the largest size that was counted for both.
  const compared = ([one, other]) => {
    if (!other) return null;
    const count = ({ report }, n) => (report.instructions || [])[(report.input_sizes || []).indexOf(n)];
    const both = (one.report.input_sizes || []).filter((n) => count(one, n) > 0 && count(other, n) > 0);
    if (!both.length) return tally.note("No size was counted for both.");
    const n = Math.max(...both), times = count(other, n) / count(one, n);
    const [less, more] = times >= 1 ? [one, other] : [other, one];
    if (times === 1) return tally.el("p", { class: "compared" }, `At n = ${tally.count(n)} both execute the same number of instructions.`);
    return tally.el("p", { class: "compared" }, tally.breakable(`At n = ${tally.count(n)}, ${more.name} executes ${tally.figure(Math.max(times, 1 / times))} times the instructions of ${less.name}.`));
  };

  const ready = () => {
    document.getElementById("contents").append(...[...document.querySelectorAll("main section:not([hidden])")].map((section) =>
      tally.el("a", { href: `#${section.id}` }, section.querySelector("h2").textContent)));
    document.documentElement.dataset.ready = "yes";
  };

  // One run's timeline, and nothing else (`tally trace --html`).
  if (trace) {
    document.title = `${trace.name}: Tally trace`;
    document.querySelector(".brand span").textContent = "trace";
    Object.assign(document.querySelector(".skip"), { href: "#timeline", textContent: "Skip to the timeline" });
    document.getElementById("task").append(...tally.breakable(trace.name));
    tally.timelineSection([trace]);
    ready();
    return;
  }

  document.querySelector("main").dataset.series = series.length;
  const task = series[0].report.task_id || series.map(({ name }) => name).join(" and ");
  document.title = `${task}: Tally profile`;
  document.getElementById("task").append(...tally.breakable(task));
  document.getElementById("verdicts").append(...series.map(verdict), ...[compared(series)].filter(Boolean));
  const ran = series.filter(({ report }) => !report.error);
  errors(series.filter(({ report }) => report.error));
  tally.growthSection(ran);
  tally.memorySection(ran);
  tally.sizesSection(ran);
  tally.functionsSection(ran);
  tally.sourceSection(series);
  tally.timelineSection(ran);
  tally.metricsSection(metrics);
  means();
  ready();
})();
