const [n, ...a] = require('fs').readFileSync(0, 'utf8').split(/\s+/).filter(Boolean).map(Number);
const seen = new Set(a);
a.sort((x, y) => x - y);
let sum = 0;
a.forEach((x, i) => { sum += x * (i % 7); });
console.log(`${sum} ${seen.size} ${a[n >> 1]}`);
