"use strict";
// What the charts over n share: a logarithmic axis of sizes, the line on which failed sizes are marked, and how a chart
// is made again when the colours change.
//
// A logarithmic axis has no place for 0. A size of 0 gets one of its own: a step left of the smallest other size, with
// the tick "0" and a break drawn in the axis, so that it is seen and taken for no distance.
(() => {
  const kRoom = 1.35;  // how far the axes go on beyond the first and last value

  // On paper, in CSS pixels.
  tally.paperWidth = 700;
  const kPaperHeight = 340, kPaperHeights = { low: 230, strip: 170 };

  tally.makeChart = (canvas, config) => {
    let chart = null;
    const make = () => {
      if (chart) chart.destroy();
      for (const side of ["width", "height"]) canvas.removeAttribute(side);
      const drawing = config();
      if (tally.paper) {
        const kind = [...canvas.parentElement.classList].find((name) => kPaperHeights[name]);
        Object.assign(canvas, { width: tally.paperWidth, height: kPaperHeights[kind] || kPaperHeight });
        Object.assign(drawing.options, { responsive: false, devicePixelRatio: 2 });
      }
      chart = new Chart(canvas, drawing);
    };
    tally.drawn(() => {
      Chart.defaults.color = tally.colour("soft");
      Chart.defaults.borderColor = tally.colour("grid");
      Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
      Chart.defaults.animation = false;
      make();
    });
    return { again: make };
  };

  // Powers of ten; between them 2 and 5 where there are few.
  const ticks = (least, most) => {
    const out = [];
    const decades = Math.log10(most / least);
    const step = Math.max(1, Math.ceil(decades / 9));
    for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); ++power) {
      if (decades > 3 && power % step !== 0) continue;
      for (const digit of decades <= 3 ? [1, 2, 5] : [1]) {
        const value = digit * 10 ** power;
        if (value >= least && value <= most) out.push({ value });
      }
    }
    return out;
  };

  // Where each size stands on the axis.
  tally.sizeAxis = (sizes) => {
    const positive = sizes.filter((n) => n > 0);
    const least = positive.length ? Math.min(...positive) : 1;
    const most = positive.length ? Math.max(...positive) : 10;
    const hasZero = sizes.includes(0);
    const zero = least / Math.max(2.5, (most / least) ** 0.1);
    return { least, most, hasZero, zero, break: Math.sqrt(zero * least),
      at: (n) => (n > 0 ? n : zero),
      min: (hasZero ? zero : least) / kRoom, max: Math.max(most, least * 1.5) * kRoom };
  };

  const xScale = (axis) => ({
    type: "logarithmic", min: axis.min, max: axis.max,
    title: { display: true, text: axis.hasZero ? "n (logarithmic; 0 stands apart on the left)" : "n (logarithmic)" },
    afterBuildTicks: (scale) => {
      scale.ticks = ticks(axis.least, axis.max);
      if (axis.hasZero) scale.ticks.unshift({ value: axis.zero });
    },
    ticks: { maxRotation: 0, autoSkipPadding: 8, callback: (value) => (axis.hasZero && value === axis.zero ? "0" : tally.short(value)) },
  });

  const yScale = (title, logarithmic, values) => {
    const common = { stack: "left", stackWeight: 6, title: { display: true, text: title + (logarithmic ? " (logarithmic)" : "") } };
    if (!logarithmic) return { ...common, type: "linear", beginAtZero: true, ticks: { callback: (value) => tally.short(value) } };
    const least = values.length ? Math.min(...values) : 1, most = values.length ? Math.max(...values) : 10;
    const min = least / kRoom, max = Math.max(most, least * 1.5) * kRoom;
    return { ...common, type: "logarithmic", min, max,
      afterBuildTicks: (scale) => { scale.ticks = ticks(min, max); },
      ticks: { callback: (value) => tally.short(value) } };
  };

  const axisBreak = (axis) => ({
    id: "axisBreak",
    afterDraw: ({ ctx, scales }) => {
      if (!axis.hasZero) return;
      const x = scales.x.getPixelForValue(axis.break), y = scales.x.top;
      ctx.save();
      ctx.fillStyle = tally.colour("card");
      ctx.fillRect(x - 3, y - 5, 6, 10);
      ctx.strokeStyle = tally.colour("soft");
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      for (const dx of [-3, 3]) { ctx.moveTo(x + dx - 2, y + 5); ctx.lineTo(x + dx + 2, y - 5); }
      ctx.stroke();
      ctx.restore();
    },
  });

  // Causes beside the crosses, where there is room for them; a touch or a hover tells all.
  const causes = {
    id: "causes",
    afterDatasetsDraw: (chart) => {
      const { ctx, chartArea } = chart;
      ctx.save();
      ctx.font = `600 11px ${Chart.defaults.font.family}`;
      ctx.fillStyle = tally.colour("failure");
      ctx.textBaseline = "middle";
      const taken = [];
      chart.data.datasets.forEach((set, index) => {
        if (!set.failures) return;
        const points = chart.getDatasetMeta(index).data;
        points.forEach((point, at) => {
          const text = set.data[at].failure.cause, width = ctx.measureText(text).width;
          const middle = Math.min(point.x - width / 2, chartArea.right - width);
          const places = [[point.x + 9, point.y], [point.x - 9 - width, point.y], [middle, point.y - 13], [middle, point.y + 13]];
          const free = ([x, y]) => x >= chartArea.left && x + width <= chartArea.right &&
            !points.some((other) => other !== point && y === other.y && other.x > x - 8 && other.x < x + width + 8) &&
            !taken.some((box) => box.y === y && box.x < x + width + 6 && box.x + box.width > x - 6);
          const place = places.find(free);
          if (!place) return;
          taken.push({ x: place[0], y: place[1], width });
          ctx.fillText(text, ...place);
        });
      });
      ctx.restore();
    },
  };

  // A chart over n. `series` are [{name, points: [{n, value}], curve: [{n, value}]}], one or two; `failures`
  // a list for each of them: [{n, cause, sentence}].
  tally.sizeChart = (canvas, { sizes, series, failures, title, logarithmic, tell }) => () => {
    const axis = tally.sizeAxis(sizes);
    const all = series.flatMap((one) => [...one.points, ...one.curve]).map((point) => point.value).filter((value) => value > 0);
    const floor = all.length ? Math.min(...all) : 1;
    const lift = (value) => (logarithmic && !(value > 0) ? floor : value);  // "0 ms" has no logarithm; its tooltip tells
    const place = (point) => ({ x: axis.at(point.n), y: lift(point.value), point });
    const datasets = series.flatMap((one, at) => {
      const colour = tally.colour(`series-${at + 1}`);
      const common = { borderColor: colour, backgroundColor: colour };
      return [
        { ...common, name: one.name, data: one.points.map(place), showLine: !one.curve.length, borderWidth: 1.5, pointRadius: at ? 7 : 5,
          pointHoverRadius: 8, pointStyle: at ? "rect" : "circle", pointBackgroundColor: at ? tally.colour("card") : colour, pointBorderWidth: at ? 2 : 1,
          borderDash: at ? [6, 4] : [], order: 1 + at },
        { ...common, name: one.name, isCurve: true, showLine: true, data: one.curve.map(place), borderWidth: 2, pointRadius: 0, pointHitRadius: 0, borderDash: at ? [8, 4] : [], order: 5 },
      ];
    });
    // With two series, whose: by the shape and colour of their points.
    const rows = failures.map((list, at) => (failures.length > 1 ? `${at ? "□" : "●"} failed` : "failed"));
    const colours = failures.length > 1 ? rows.map((row, at) => tally.colour(`series-${at + 1}`)).filter((colour, at) => failures[at].length) : tally.colour("failure");
    const anyFailed = failures.some((list) => list.length);
    failures.forEach((list, at) => datasets.push({ failures: true, yAxisID: "failed", showLine: false, pointStyle: "crossRot",
      pointRadius: 6, pointHoverRadius: 8, borderWidth: 2.5, borderColor: tally.colour("failure"),
      data: list.map((failure) => ({ x: axis.at(failure.n), y: rows[at], failure })) }));
    const scales = { x: xScale(axis), y: yScale(title, logarithmic, all) };
    if (anyFailed) {
      scales.failed = { type: "category", labels: rows.filter((row, at) => failures[at].length), offset: true, stack: "left", stackWeight: 0.8 * rows.length, position: "left",
        ticks: { color: colours, autoSkip: false } };
    }
    return { type: "scatter", data: { datasets: anyFailed ? datasets : datasets.filter((set) => !set.failures) }, plugins: [axisBreak(axis), causes],
      options: { maintainAspectRatio: false, scales, interaction: { mode: "nearest", intersect: false, axis: "xy" },
        plugins: { legend: { display: false }, tooltip: { filter: (item) => !item.dataset.isCurve, callbacks: {
          label: ({ dataset, raw }) => (raw.failure
            ? [`n = ${tally.count(raw.failure.n)}: ${raw.failure.cause}`, raw.failure.sentence]
            : `${series.length > 1 ? `${dataset.name}, ` : ""}n = ${tally.count(raw.point.n)}: ${tell(raw.point.value)}`) } } } } };
  };
})();
