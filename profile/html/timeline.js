"use strict";
// What a run did over time: a bar of what its time went to, and a lane for each thread. A stretch of a lane can be drawn
// over to look at it closely; keys do the same.
(() => {
  const kLane = 26, kGap = 6, kTop = 22, kLeft = 92;
  const kKnown = { cpu: "cpu", compute: "cpu", memory: "memory", disk: "disk", file: "disk", io: "disk", network: "network", wait: "wait", lock: "wait", sleep: "sleep", idle: "sleep" };
  const kind = (resource) => kKnown[String(resource).toLowerCase()] || "other";

  const consumptionBar = (consumption) => {
    const sum = consumption.reduce((total, { ms }) => total + ms, 0) || 1;
    const parts = consumption.map(({ resource, ms }) => {
      const part = tally.el("span", { class: `of-${kind(resource)}`, title: `${resource}: ${tally.milliseconds(ms)}` });
      part.style.flexGrow = String(ms / sum);
      return part;
    });
    return [tally.el("div", { class: "consumption", role: "img", "aria-label": consumption.map(({ resource, ms }) => `${resource} ${tally.percent(ms / sum)}`).join(", ") }, parts),
      tally.legend(consumption.map(({ resource, ms }) => [`of-${kind(resource)}`, `${resource}: ${tally.milliseconds(ms)}, ${tally.percent(ms / sum)}`]))];
  };

  // Round steps for the axis: 1, 2 or 5 of a power of ten.
  const step = (span, most) => {
    const rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find((digit) => digit * power >= rough);
  };

  const lanes = (timeline, label) => {
    const threads = timeline.threads, events = [...timeline.events].sort((a, b) => a.start_ms - b.start_ms);
    const row = new Map(threads.map(({ id }, at) => [id, at]));
    const end = Math.max(timeline.wall_ms || 0, ...events.slice(-200).map((one) => one.start_ms + one.ms), 1e-6);
    let from = 0, to = end, drag = null;
    const canvas = tally.el("canvas", { class: "lanes", tabindex: 0, role: "img", "aria-label": `${label}: ${threads.length} threads, ${events.length} events. Arrow keys move, plus and minus zoom, 0 shows all.` });
    const seen = tally.el("p", { class: "note seen" }, "Draw over a stretch to look at it closely; double-click shows all.");
    const height = kTop + threads.length * (kLane + kGap) + kGap;
    const width = () => canvas.clientWidth || 600;
    const left = () => (width() < 480 ? 76 : kLeft);
    const xOf = (ms) => left() + ((ms - from) / (to - from)) * (width() - left());
    const msOf = (x) => from + ((x - left()) / (width() - left())) * (to - from);

    const draw = () => {
      const ratio = devicePixelRatio || 1, wide = width();
      canvas.width = Math.round(wide * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = `${height}px`;
      const ctx = canvas.getContext("2d");
      ctx.scale(ratio, ratio);
      ctx.clearRect(0, 0, wide, height);
      ctx.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      ctx.textBaseline = "middle";
      const tick = step(to - from, Math.max(2, (wide - left()) / 90));
      for (let ms = Math.ceil(from / tick) * tick; ms <= to; ms += tick) {
        ctx.fillStyle = tally.colour("grid");
        ctx.fillRect(Math.round(xOf(ms)), kTop, 1, height);
        const text = tally.milliseconds(Number(ms.toPrecision(9))), room = ctx.measureText(text).width;
        ctx.fillStyle = tally.colour("soft");
        if (xOf(ms) + room / 2 < wide) ctx.fillText(text, Math.max(left() - room / 2, xOf(ms) - room / 2), kTop / 2);
      }
      const colours = Object.fromEntries(["cpu", "memory", "disk", "network", "wait", "sleep", "other"].map((name) => [name, tally.colour(name)]));
      ctx.save();
      ctx.beginPath();
      ctx.rect(left(), 0, wide - left(), height);
      ctx.clip();
      for (const one of events) {
        if (one.start_ms > to || one.start_ms + one.ms < from || !row.has(one.thread)) continue;
        ctx.fillStyle = colours[kind(one.resource)];
        const x = xOf(one.start_ms);
        ctx.fillRect(x, kTop + kGap + row.get(one.thread) * (kLane + kGap), Math.max(1, xOf(one.start_ms + one.ms) - x), kLane);
      }
      if (drag) {
        ctx.fillStyle = tally.translucent("accent", 0.25);
        ctx.fillRect(Math.min(drag.x, drag.now), kTop, Math.abs(drag.now - drag.x), height);
      }
      ctx.restore();
      ctx.fillStyle = tally.colour("ink");
      ctx.beginPath();
      threads.forEach(({ name, id }, at) => ctx.fillText(shortened(ctx, String(name || id), left() - 14), 8, kTop + kGap + at * (kLane + kGap) + kLane / 2));
      canvas.dataset.from = from.toFixed(3);
      canvas.dataset.to = to.toFixed(3);
    };
    const shortened = (ctx, text, room) => {
      while (text.length > 2 && ctx.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
      return text;
    };
    const look = (a, b) => {
      const span = Math.max(Math.min(b - a, end), end / 1e6);
      from = Math.max(0, Math.min(a, end - span));
      to = from + span;
      draw();
    };
    const zoom = (times, around = (from + to) / 2) => look(around - (around - from) / times, around + (to - around) / times);

    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => { drag = { x: at(event)[0], now: at(event)[0] }; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      if (drag) { drag.now = x; draw(); }
      const ms = msOf(x), slack = (to - from) / width();
      const thread = threads[Math.floor((y - kTop - kGap / 2) / (kLane + kGap))];
      const one = thread && events.findLast((event) => event.thread === thread.id && event.start_ms <= ms + slack && event.start_ms + event.ms >= ms - slack);
      if (one) seen.textContent = `${thread.name || thread.id}: ${one.name || one.resource}, ${tally.milliseconds(one.ms)} from ${tally.milliseconds(one.start_ms)}${one.name ? ` (${one.resource})` : ""}`;
    });
    canvas.addEventListener("pointerup", () => {
      const [a, b] = drag ? [Math.min(drag.x, drag.now), Math.max(drag.x, drag.now)] : [0, 0];
      drag = null;
      if (b - a > 6) look(msOf(a), msOf(b));
      else draw();
    });
    canvas.addEventListener("pointercancel", () => { drag = null; draw(); });
    canvas.addEventListener("dblclick", () => look(0, end));
    canvas.addEventListener("keydown", (event) => {
      const fifth = (to - from) / 5;
      const acts = { ArrowLeft: () => look(from - fifth, to - fifth), ArrowRight: () => look(from + fifth, to + fifth), "+": () => zoom(2), "=": () => zoom(2), "-": () => zoom(0.5), 0: () => look(0, end) };
      if (!acts[event.key]) return;
      event.preventDefault();
      acts[event.key]();
    });
    addEventListener("resize", draw);
    const button = (text, label, act) => tally.el("button", { type: "button", "aria-label": label, onclick: act }, text);
    const controls = tally.el("div", { class: "choice controls", role: "group", "aria-label": "Zoom" }, button("+", "Zoom in", () => zoom(2)), button("−", "Zoom out", () => zoom(0.5)), button("All", "Show all", () => look(0, end)));
    return { parts: [tally.el("div", { class: "head" }, tally.el("h3", {}, "Threads"), controls), canvas, seen], draw };
  };

  tally.timelineSection = (list) => {
    const asked = list.filter(({ timeline }) => timeline);
    if (!asked.length) return;
    const section = tally.section("timeline");
    for (const { name, timeline } of asked) {
      if (asked.length > 1) section.append(tally.el("h3", {}, name));
      if (timeline.absent) { section.append(tally.note(`There is none: ${timeline.absent}.`)); continue; }
      if (timeline.size !== undefined) section.append(tally.note(`The run at n = ${tally.count(timeline.size)}, ${tally.milliseconds(timeline.wall_ms)} of real time.`));
      if (timeline.consumption && timeline.consumption.length) section.append(...consumptionBar(timeline.consumption));
      if (timeline.left_out) section.append(tally.note(`The longest ${tally.count(timeline.events.length)} events are drawn; ${tally.count(timeline.left_out)} shorter ones are left out.`));
      if (!timeline.threads || !timeline.threads.length) continue;
      const { parts, draw } = lanes(timeline, name);
      section.append(...parts);
      tally.drawn(draw);
      section.dataset.threads = timeline.threads.length;
      section.dataset.events = timeline.events.length;
    }
  };
})();
