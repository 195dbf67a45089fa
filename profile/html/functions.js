"use strict";
// Where the instructions went, by function. Names lose their template arguments and parameters until they are touched.
(() => {
  const kFirst = 15, kOfLibrary = 4;

  const sorted = (functions, key, falling) => [...functions].sort((a, b) => {
    const order = key === "name" ? a.name.localeCompare(b.name) : a[key] - b[key];
    return falling ? -order : order;
  });

  const name = (one) => {
    const short = tally.shortName(one.name);
    if (short === one.name) return tally.el("button", { type: "button", class: "name", disabled: true }, tally.breakable(one.name));
    const button = tally.el("button", { type: "button", class: "name", title: one.name, "aria-expanded": false, onclick: () => {
      const whole = button.textContent === short;
      button.replaceChildren(...tally.breakable(whole ? one.name : short));
      button.setAttribute("aria-expanded", whole);
    } }, tally.breakable(short));
    return button;
  };

  // What stands below a name: the hottest functions of a library, or where a function is.
  const below = ({ file, functions }, total) => {
    if (!functions) return file;
    const parts = functions.slice(0, kOfLibrary).map((one) => `${one.name} ${tally.percent(one.self / total)}`);
    return `of its ${tally.count(functions.length)} functions: ${parts.join(", ")}`;
  };

  const share = (count, total) => {
    const bar = tally.el("span", { class: "share", "aria-hidden": true });
    bar.style.width = `${Math.min(100, (100 * count) / total)}%`;
    return bar;
  };

  const table = (series, heading) => {
    const { functions, total, no_inclusive: noInclusive } = series.report.hotspot_details;
    const columns = [["inclusive", "with all it called"], ["self", "its own"]].slice(noInclusive ? 1 : 0);
    let key = "self", falling = true, all = false;
    const body = tally.el("tbody", {});
    const heads = {};
    const more = tally.el("button", { type: "button", class: "row-more", onclick: () => { all = true; fill(); } });
    const row = (one) => tally.el("tr", {},
      tally.el("td", { class: "text" }, name(one), below(one, total) && tally.el("div", { class: "file" }, tally.breakable(below(one, total)))),
      columns.map(([column]) => tally.el("td", {}, tally.el("span", { class: "count" }, `${tally.count(one[column])} `), tally.el("strong", {}, tally.percent(one[column] / total)), share(one[column], total))));
    const fill = () => {
      const list = sorted(functions, key, falling);
      body.replaceChildren(...(all ? list : list.slice(0, kFirst)).map(row));
      more.hidden = all || list.length <= kFirst;
      more.textContent = `Show all ${tally.count(list.length)} functions`;
      for (const [column, head] of Object.entries(heads)) {
        if (column === key) head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      }
    };
    const head = (column, text, kind) => {
      heads[column] = tally.el("th", { scope: "col", class: kind }, tally.el("button", { type: "button", onclick: () => {
        falling = key === column ? !falling : column !== "name";
        key = column;
        fill();
      } }, text));
      return heads[column];
    };
    const top = tally.el("tr", {}, head("name", "function", "text"), columns.map(([column, text]) => head(column, text)));
    fill();
    return tally.el("div", {}, heading && tally.el("h3", {}, tally.breakable(heading)),
      tally.scroller(`Functions of ${series.name}`, tally.el("table", {}, tally.el("thead", {}, top), body)), more, noInclusive && tally.note(`What functions cost with all they called is absent: ${noInclusive}.`));
  };

  tally.functionsSection = (list) => {
    const asked = list.filter(({ report }) => report.hotspot_details || (report.hotspots && report.hotspots._absent));
    if (!asked.length) return;
    const section = tally.section("functions");
    const measured = asked.flatMap(({ name: whose, report }) => (report.hotspot_details && report.hotspot_details.measured ? [`Those of ${whose} are measured ${report.hotspot_details.measured}`] : []));
    section.append(tally.note(`Instructions of the ${[...new Set(asked.map(tally.countedRun))].join(" and the ")}${measured.length ? `. ${measured.join(". ")}` : ", every one of them: nothing is sampled"}.`));
    const sides = asked.map((series) => {
      const { functions, size, total, larger } = series.report.hotspot_details || {};
      const at = size === undefined ? "" : `n = ${tally.count(size)}, ${tally.count(total)} instructions`;
      const heading = [asked.length > 1 ? series.name : "", at].filter(Boolean).join(": ");
      if (functions && functions.length) return tally.el("div", {}, table(series, heading), larger && tally.note(`Not of the largest size that ran; ${larger}.`));
      return tally.el("div", {}, heading && tally.el("h3", {}, tally.breakable(heading)), tally.note(series.report.hotspots._absent ? `There are none: ${series.report.hotspots._absent}.` : "No function is known by its name."));
    });
    section.append(tally.el("div", { class: `sides ${sides.length > 1 ? "two" : ""}` }, sides));
    section.dataset.functions = asked.map(({ report }) => (report.hotspot_details ? report.hotspot_details.functions : []).length).join("; ");
  };
})();
