"use strict";
// Dark or light: as the reader's system says, until the switch says otherwise; always light on paper. Colours are
// page.css's, so whatever is drawn on a canvas is drawn again when they change. It is drawn again for the paper, too, whose width no script knows:
// at a fixed size, which page.css then scales as a whole.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const drawings = [];
  let chosen = null;
  try { chosen = localStorage.getItem("tally-theme"); } catch { /* a file may have no storage */ }

  const show = (theme, paper = false) => {
    if (root.dataset.theme === theme && root.dataset.drawn && paper === tally.paper) return;
    tally.paper = paper;
    root.dataset.theme = theme;
    document.getElementById("dark").media = theme === "dark" ? "all" : "not all";
    root.dataset.drawn = "yes";
    button.textContent = theme === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${theme === "dark" ? "light" : "dark"} colours`);
    for (const draw of drawings) draw();
  };
  const current = () => chosen || (dark.matches ? "dark" : "light");

  button.addEventListener("click", () => {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("tally-theme", chosen); } catch { /* for this visit, then */ }
    show(chosen);
  });
  dark.addEventListener("change", () => show(current()));
  addEventListener("beforeprint", () => show("light", true));
  addEventListener("afterprint", () => show(current()));
  const print = matchMedia("print");
  print.addEventListener("change", () => (print.matches ? show("light", true) : show(current())));
  show(current());

  tally.colour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
  tally.translucent = (name, part) => {
    const digits = tally.colour(name).slice(1);
    const of = (at) => parseInt(digits.slice(at, at + 2), 16);
    return `rgba(${of(0)}, ${of(2)}, ${of(4)}, ${part})`;
  };
  // Calls `draw` now, and whenever the colours or the medium change.
  tally.drawn = (draw) => { drawings.push(draw); draw(); };
})();
