"use strict";
// The one object of this page, and how its elements are made. Data becomes text nodes and attribute values, never
// markup: whatever a source or a compiler says is shown as it is.
const tally = { data: JSON.parse(document.getElementById("data").textContent) };

// el("button", { type: "button", onclick: act }, "text", child...)
tally.el = (tag, attributes, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("aria-")) node.setAttribute(name, String(value));
    else if (value === false) continue;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return node;
};

// A name that may be long, as parts for el(): where it must be broken, then after ::, / or a comma, and not in the <…>(…) of a shortened one.
tally.breakable = (text) => String(text).split(/((?:[<(]…[>)])+)/).flatMap((part, at) => (at % 2
  ? [tally.el("span", { class: "whole" }, part)]
  : part.split(/(?<=::|[/,])/).flatMap((piece, index) => (index ? [document.createElement("wbr"), piece] : [piece]))));

// The section with this id, now shown.
tally.section = (id) => {
  const section = document.getElementById(id);
  section.hidden = false;
  return section;
};

tally.note = (text, kind = "") => tally.el("p", { class: `note ${kind}` }, tally.breakable(text));

// A row of buttons of which one is pressed. `choices` are [value, label].
tally.choice = (label, choices, chosen, onChoose) => {
  const buttons = choices.map(([value, text]) =>
    tally.el("button", { type: "button", "aria-pressed": value === chosen, "data-value": value, onclick: () => {
      for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.value === value);
      onChoose(value);
    } }, text));
  return tally.el("div", { class: "choice controls", role: "group", "aria-label": label }, buttons);
};

// Marks and words that tell what is what in a chart: [[mark, text], ...], mark a class of page.css.
tally.legend = (entries) =>
  tally.el("ul", { class: "legend" }, entries.map(([mark, text]) =>
    tally.el("li", {}, tally.el("span", { class: `mark ${mark}`, "aria-hidden": true }), tally.breakable(text))));

// A table, a list or a source that may be wider than the page scrolls by itself, and keys can reach it.
tally.scroller = (label, child) =>
  tally.el("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": label }, child);
