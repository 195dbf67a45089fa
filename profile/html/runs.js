"use strict";
// Of which run a figure is: of the native one, which is measured and not counted, or of the one that was counted, natively or in translation. A
// report names only what counted; time and memory are a native run's in each series (docs/profile.md).
(() => {
  const kRuns = { translator: "translated run", perf: "native run", step: "native run" };
  const kCounters = { translator: "the translator", perf: "the processor's counters", step: "single steps" };

  tally.nativeRun = "native run";
  tally.countedRun = ({ report }) => kRuns[report.counter_used] || "run not said in the report";
  tally.translatedRun = kRuns.translator;  // timelines are recorded in no other

  // For each kind of figure there is, of which run it is: [figures, run].
  tally.runsOf = (series) => {
    const { report } = series, counter = kCounters[report.counter_used];
    const has = (key) => (report[key] || []).some((value) => value !== null);
    return [
      has("instructions") && ["instructions, virtual ms", `${tally.countedRun(series)}${counter ? `, counted by ${counter}` : ""}`],
      has("runtime_ms") && ["user ms", tally.nativeRun],
      has("peak_memory_mb") && ["peak MiB", `${tally.nativeRun}${report.mem_metric ? `, ${report.mem_metric}` : ""}`],
      series.timeline && series.timeline.threads && ["timeline", tally.translatedRun],
    ].filter(Boolean);
  };
})();
