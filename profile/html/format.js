"use strict";
// How figures and names are written. Groups of digits are set apart by a thin space that does not break.
(() => {
  const kGap = "\u202f";
  const group = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, kGap);

  // 4250000 -> "4 250 000"
  tally.count = (number) => group(String(Math.round(number)));

  // Three digits that mean something: 0.0915, 2.13, 930, 4 250
  tally.figure = (number) => {
    if (number === 0) return "0";
    const size = Math.floor(Math.log10(Math.abs(number)));
    if (size >= 2) return group(String(Math.round(number)));
    const text = number.toFixed(Math.min(6, 2 - size));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  };

  // For axes: 1000000 -> "1M"
  tally.short = (number) => {
    const units = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
    for (const [size, unit] of units) {
      if (Math.abs(number) >= size * 0.9999) return `${Number((number / size).toPrecision(3))}${unit}`;
    }
    return String(Number(number.toPrecision(3)));
  };

  tally.percent = (part) => {
    const percent = 100 * part;
    if (percent !== 0 && percent < 0.01) return "< 0.01%";
    return `${percent.toFixed(percent >= 10 ? 1 : 2)}%`;
  };

  tally.milliseconds = (ms) =>
    ms >= 1000 ? `${tally.figure(ms / 1000)} s` : ms >= 1 || ms === 0 ? `${tally.figure(ms)} ms` : `${tally.figure(ms * 1000)} µs`;

  tally.bytes = (bytes) => {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let at = 0;
    for (; Math.abs(bytes) >= 1024 && at + 1 < units.length; ++at) bytes /= 1024;
    return `${tally.figure(bytes)} ${units[at]}`;
  };

  // "101 000 + 8.25 n log n"; a coefficient of 1 is left out.
  tally.sum = (terms) => terms.map(({ term, coefficient }) => {
    const number = tally.figure(coefficient);
    if (term === "1") return number;
    return (number === "1" ? "" : `${number} `) + tally.power(term === "byte" ? "per byte" : term);
  }).join(" + ").replace(/\+ -/g, "- ");

  // "n^2 log n" -> "n² log n", "n sqrt n" -> "n √n"
  tally.power = (text) => text.replace(/\bsqrt n\b/g, "√n").replace(/\^([0-9n])(?![\d.])/g, (whole, digit) => ({ 2: "²", 3: "³", n: "ⁿ" })[digit] || whole);

  // C++ names without what makes them long: template arguments become <…>, parameters (…). What looks like brackets and
  // is none is kept aside meanwhile. A name whose brackets do not match stays whole.
  const kNoBrackets = /\(anonymous namespace\)|operator\s*(?:<=>|<<=?|>>=?|<=|>=|->\*?|<|>|\(\))|\(\)/g;
  tally.shortName = (name) => {
    if (name.length <= 28) return name;
    const kept = [];
    let out = "", depth = 0;
    for (const c of name.replace(kNoBrackets, (found) => String.fromCharCode(0xe000 + kept.push(found) - 1))) {
      if ((c === ">" || c === ")") && --depth < 0) return name;
      if (depth === 0) out += c;
      if ((c === "<" || c === "(") && depth++ === 0) out += "…";
    }
    return depth > 0 ? name : out.replace(/[\ue000-\uf8ff]/g, (c) => kept[c.charCodeAt(0) - 0xe000] ?? c);
  };

  tally.baseName = (path) => path.slice(path.lastIndexOf("/") + 1);
})();
