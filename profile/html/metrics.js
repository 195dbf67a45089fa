"use strict";
// The machine while it ran: processor, memory, disk, network, over one time axis; behind them, which test was run. What
// is read is the agent's delivery (docs/metrics.md).
(() => {
  const kDashes = [[], [7, 4], [2, 3], [10, 3, 2, 3]];
  const kColours = ["series-1", "series-2", "network", "waiting", "stopped", "sleep"];
  const kMostCores = 8;
  const kGroups = [
    ["Processor", (name) => name.startsWith("cpu")], ["Memory", (name) => name.startsWith("memory")], ["Disk", (name) => name.startsWith("disk")],
    ["Network", (name) => name.startsWith("network") || name.startsWith("net_")], ["GPU", (name) => name.startsWith("gpu")], ["Other", () => true],
  ];

  const merged = (deliveries) => {
    const list = [].concat(deliveries).filter((one) => one && one.samples);
    const times = list.flatMap((one) => one.samples.time_ms), batches = list.flatMap((one) => one.samples.batch);
    const series = new Map();
    let before = 0;
    for (const { samples } of list) {
      for (const one of samples.series) {
        const key = `${one.name} ${one.instance}`;
        if (!series.has(key)) series.set(key, { name: one.name, instance: one.instance, unit: one.unit, values: [] });
        const values = series.get(key).values;
        while (values.length < before) values.push(null);
        values.push(...one.values);
      }
      before += samples.time_ms.length;
    }
    return { times, batches, series: [...series.values()], names: Object.assign({}, ...list.map((one) => one.batches)),
      missing: list.flatMap((one) => one.not_measured || []) };
  };

  const written = (unit, value) => {
    if (unit === "percent") return `${tally.figure(value)}%`;
    if (unit.startsWith("bytes")) return tally.bytes(value) + (/second|\/s/.test(unit) ? "/s" : "");
    return `${tally.figure(value)} ${unit.replace(/_/g, " ")}`;
  };

  // So that "2 GiB" is a step and not "1.86 GiB".
  const binaryStep = (most) => {
    const unit = 1024 ** Math.floor(Math.log2(most) / 10);
    return unit * [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => most / (unit * step) <= 4.5);
  };

  // A band behind each second test.
  const bands = (times, batches, names) => ({
    id: "bands",
    beforeDatasetsDraw: ({ ctx, scales, chartArea }) => {
      ctx.save();
      ctx.font = `11px ${Chart.defaults.font.family}`;
      ctx.textBaseline = "top";
      let start = 0, odd = false;
      for (let i = 1; i <= times.length; ++i) {
        if (i < times.length && batches[i] === batches[start]) continue;
        const a = scales.x.getPixelForValue(times[start]), b = scales.x.getPixelForValue(times[Math.min(i, times.length - 1)]);
        ctx.fillStyle = tally.translucent("soft", odd ? 0.13 : 0.05);
        ctx.fillRect(a, chartArea.top, b - a, chartArea.bottom - chartArea.top);
        const text = names[batches[start]] || `test ${batches[start]}`;
        ctx.fillStyle = tally.colour("soft");
        if (ctx.measureText(text).width + 4 < b - a) ctx.fillText(text, a + 2, chartArea.top - 15);
        start = i;
        odd = !odd;
      }
      ctx.restore();
    },
  });

  const chart = (canvas, all, seconds, series) => () => {
    const unit = series[0].unit, most = Math.max(...series.flatMap(({ values }) => values.filter((value) => value !== null)), 1);
    const datasets = series.map((one, at) => ({ label: [one.name, one.instance].filter(Boolean).join(" ").replace(/_/g, " "),
      data: one.values.map((value, i) => ({ x: seconds[i], y: value })), borderColor: tally.colour(kColours[at % kColours.length]),
      borderDash: kDashes[Math.floor(at / kColours.length + at) % kDashes.length], borderWidth: 1.75, pointRadius: 0, spanGaps: false }));
    return { type: "line", data: { datasets }, plugins: [bands(seconds, all.batches, all.names)],
      options: { maintainAspectRatio: false, parsing: false, normalized: true, interaction: { mode: "index", intersect: false },
        layout: { padding: { top: 17 } },
        scales: { x: { type: "linear", min: 0, max: seconds[seconds.length - 1] || 1, ticks: { maxRotation: 0, callback: (value) => `${Number(value.toPrecision(6))} s` } },
          y: { beginAtZero: true, max: unit === "percent" && most <= 100 ? 100 : undefined, ticks: { maxTicksLimit: 5, stepSize: unit.startsWith("bytes") ? binaryStep(most) : undefined, callback: (value) => written(unit, value) } } },
        plugins: { legend: { display: series.length > 1, position: "bottom", labels: { usePointStyle: true, pointStyle: "line", boxWidth: 24 } },
          tooltip: { callbacks: { title: (items) => `${tally.figure(items[0].parsed.x)} s: ${all.names[all.batches[items[0].dataIndex]] || `test ${all.batches[items[0].dataIndex]}`}`,
            label: ({ dataset, parsed }) => `${dataset.label}: ${written(unit, parsed.y)}` } } } } };
  };

  tally.metricsSection = (metrics) => {
    if (!metrics) return;
    const section = tally.section("metrics");
    if (metrics.absent) { section.append(tally.note(`There are no system metrics: ${metrics.absent}.`)); return; }
    const all = merged(metrics);
    if (!all.times.length) { section.append(tally.note("There are no system metrics: not one sample was taken.")); return; }
    const seconds = all.times.map((ms) => (ms - all.times[0]) / 1000);
    const plots = tally.el("div", { class: "plots" });
    section.append(plots);
    let left = all.series, charts = 0;
    for (const [title, holds] of kGroups) {
      const here = left.filter(({ name }) => holds(name));
      left = left.filter(({ name }) => !holds(name));
      for (const unit of new Set(here.map((one) => one.unit))) {
        let series = here.filter((one) => one.unit === unit);
        if (title === "Processor" && series.length > kMostCores) series = series.filter(({ instance }) => !/^\d+$/.test(instance));
        if (!series.length) continue;
        const canvas = tally.el("canvas", { role: "img", "aria-label": `${title} over time, ${unit}` });
        plots.append(tally.el("div", {}, tally.el("h3", {}, `${title}: ${series.length > 1 ? unit.replace(/_/g, " ") : `${series[0].name.replace(/_/g, " ")}`}`), tally.el("div", { class: "chart strip" }, canvas)));
        tally.makeChart(canvas, chart(canvas, all, seconds, series));
        ++charts;
      }
    }
    const reasons = new Set(all.missing.map(({ name, instance, reason }) => `${[name, instance].filter(Boolean).join(" ").replace(/_/g, " ")} is not here: ${reason}.`));
    section.append(...[...reasons].map((text) => tally.note(text)));
    Object.assign(section.dataset, { charts, samples: all.times.length, tests: new Set(all.batches).size });
  };
})();
