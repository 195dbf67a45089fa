"use strict";
// What a run did over time (docs/timeline.md): a bar of what its time went to, and a lane for each thread. A thread is at
// the processor where no event says otherwise. A stretch can be drawn over to look at it closely; keys do the same.
(() => {
  const kLane = 26, kGap = 6, kTop = 22;
  const kMostLanes = 48;
  const kResources = ["cpu", "file", "network", "tally", "waiting", "sleep", "stopped"];
  const kind = (resource) => (kResources.includes(resource) ? resource : "stopped");
  const written = (ns) => tally.milliseconds(ns / 1e6);

  const consumptionBar = (time) => {
    const entries = kResources.map((resource) => [resource, time[resource] || 0]).filter(([, ns]) => ns > 0);
    const sum = entries.reduce((total, [, ns]) => total + ns, 0) || 1;
    const parts = entries.map(([resource, ns]) => {
      const part = tally.el("span", { class: `of-${kind(resource)}`, title: `${resource}: ${written(ns)}` });
      part.style.flexGrow = String(ns / sum);
      return part;
    });
    return [tally.el("div", { class: "consumption", role: "img", "aria-label": entries.map(([resource, ns]) => `${resource} ${tally.percent(ns / sum)}`).join(", ") }, parts),
      tally.legend(entries.map(([resource, ns]) => [`of-${kind(resource)}`, `${resource}: ${written(ns)}, ${tally.percent(ns / sum)}`]))];
  };

  const told = (one, thread, objects) => {
    const object = objects.get(one.object);
    const what = [one.event, object && `of ${object}`].filter(Boolean).join(" ");
    const more = [written(one.end_ns - one.begin_ns), `from ${written(one.begin_ns)}`, one.bytes !== undefined && tally.bytes(one.bytes), one.errno !== undefined && `failed with errno ${one.errno}`];
    return `${thread.name} ${thread.tid}: ${what}, ${more.filter(Boolean).join(", ")}`;
  };

  // Round steps for the axis: 1, 2 or 5 of a power of ten.
  const step = (span, most) => {
    const rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find((digit) => digit * power >= rough);
  };

  const lanes = (timeline, who) => {
    const threads = timeline.threads.slice(0, kMostLanes), events = [...(timeline.events || [])].sort((a, b) => a.begin_ns - b.begin_ns);
    const row = new Map(threads.map(({ thread }, at) => [thread, at]));
    const resources = new Map((timeline.kinds || []).map(({ event, resource }) => [event, kind(resource)]));
    const objects = new Map([...(timeline.files || []), ...(timeline.sockets || [])].map(({ object, name }) => [object, name]));
    const end = threads.reduce((most, { end_ns: last }) => Math.max(most, last), timeline.real_time_ns || 1);
    let from = 0, to = end, drag = null;
    const canvas = tally.el("canvas", { class: "lanes", tabindex: 0, role: "img", "aria-label": `${who}: ${threads.length} threads, ${events.length} events. Arrow keys move, plus and minus zoom, 0 shows all.` });
    const seen = tally.el("p", { class: "note seen" }, "Draw over a stretch to look at it closely; double-click shows all.");
    const height = kTop + threads.length * (kLane + kGap) + kGap;
    const width = () => (tally.paper ? tally.paperWidth : canvas.clientWidth || 600);
    let names = 0;  // the room that they need
    const left = () => Math.min(names, 0.4 * width());
    const xOf = (ns) => left() + ((ns - from) / (to - from)) * (width() - left());
    const nsOf = (x) => from + ((x - left()) / (width() - left())) * (to - from);

    const draw = () => {
      const ratio = tally.paper ? 2 : devicePixelRatio || 1, wide = width();
      canvas.width = Math.round(wide * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = `${height}px`;
      const ctx = canvas.getContext("2d");
      ctx.scale(ratio, ratio);
      ctx.clearRect(0, 0, wide, height);
      ctx.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      ctx.textBaseline = "middle";
      names = Math.ceil(Math.max(...threads.map((thread) => ctx.measureText(label(thread)).width))) + 18;
      const tick = step(to - from, Math.max(3, (wide - left()) / 90));
      for (let ns = Math.ceil(from / tick) * tick; ns <= to; ns += tick) {
        ctx.fillStyle = tally.colour("grid");
        ctx.fillRect(Math.round(xOf(ns)), kTop, 1, height);
        const text = written(Number(ns.toPrecision(9))), room = ctx.measureText(text).width;
        ctx.fillStyle = tally.colour("soft");
        if (xOf(ns) + room / 2 < wide) ctx.fillText(text, xOf(ns) - room / 2, kTop / 2);
      }
      const colours = Object.fromEntries(kResources.map((name) => [name, tally.colour(name)]));
      // To scale: what is narrower than a point of the screen is as high as its share of it, and at least one point.
      const slivers = new Map();
      const fill = (thread, begin, last, resource) => {
        if (begin > to || last < from || !row.has(thread)) return;
        const x = Math.max(xOf(begin), left()), right = Math.min(xOf(last), wide), top = kTop + kGap + row.get(thread) * (kLane + kGap);
        if (right - x >= 1) {
          ctx.fillStyle = colours[resource];
          ctx.fillRect(x, top, right - x, kLane);
          return;
        }
        const column = Math.floor(x), key = `${top} ${column}`;
        if (!slivers.has(key)) slivers.set(key, { top, column, shares: new Map() });
        const { shares } = slivers.get(key);
        shares.set(resource, (shares.get(resource) || 0) + Math.max(right - x, 0));
      };
      for (const { thread, begin_ns: begin, end_ns: last } of threads) fill(thread, begin, last, "cpu");
      for (const one of events) fill(one.thread, one.begin_ns, one.end_ns, resources.get(one.event) || "stopped");
      for (const { top, column, shares } of slivers.values()) {
        let low = top + kLane;
        for (const [resource, share] of shares) {
          const high = Math.min(Math.max(share * kLane, 1), low - top);
          ctx.fillStyle = colours[resource];
          ctx.fillRect(column, low - high, 1, high);
          low -= high;
        }
      }
      if (drag) {
        ctx.fillStyle = tally.translucent("accent", 0.25);
        ctx.fillRect(Math.min(drag.x, drag.now), kTop, Math.abs(drag.now - drag.x), height);
      }
      ctx.fillStyle = tally.colour("ink");
      threads.forEach((thread, at) => ctx.fillText(shortened(ctx, label(thread), left() - 14), 8, kTop + kGap + at * (kLane + kGap) + kLane / 2));
      canvas.dataset.from = Math.round(from);
      canvas.dataset.to = Math.round(to);
    };
    const label = ({ name, tid }) => (new Set(threads.map((one) => one.name)).size > 1 ? `${name} ${tid}` : `thread ${tid}`);
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
      const ns = nsOf(x), slack = (to - from) / width();
      const thread = threads[Math.floor((y - kTop - kGap / 2) / (kLane + kGap))];
      const one = thread && events.findLast((event) => event.thread === thread.thread && event.begin_ns <= ns + slack && event.end_ns >= ns - slack);
      if (one) seen.textContent = told(one, thread, objects);
      else if (thread && ns >= thread.begin_ns && ns <= thread.end_ns) seen.textContent = `${thread.name} ${thread.tid}: cpu, at ${written(ns)}`;
    });
    canvas.addEventListener("pointerup", () => {
      const [a, b] = drag ? [Math.min(drag.x, drag.now), Math.max(drag.x, drag.now)] : [0, 0];
      drag = null;
      if (b - a > 6) look(nsOf(a), nsOf(b));
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
      if (asked.length > 1) section.append(tally.el("h3", {}, tally.breakable(name)));
      if (timeline.absent) { section.append(tally.note(`There is none: ${timeline.absent}.`)); continue; }
      const events = (timeline.events || []).length;
      section.append(tally.note(`${timeline.size === undefined ? "The" : `At n = ${tally.count(timeline.size)}, the`} ${tally.translatedRun}: ${written(timeline.real_time_ns)} of real time, ` +
        `${tally.count(timeline.calls)} system calls, ${tally.count(timeline.event_count)} of them events.`));
      section.append(...consumptionBar(timeline.time_ns));
      if (timeline.left_out) section.append(tally.note(`The longest ${tally.count(events)} events are drawn; ${tally.count(timeline.left_out)} shorter ones are left out.`));
      if (!timeline.threads.length) continue;
      const { parts, draw } = lanes(timeline, name);
      section.append(...parts);
      if (timeline.threads.length > kMostLanes) section.append(tally.note(`The first ${kMostLanes} of ${tally.count(timeline.threads.length)} threads are drawn.`));
      tally.drawn(draw);
      section.dataset.threads = timeline.threads.length;
      section.dataset.events = events;
    }
  };
})();
