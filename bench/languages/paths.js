// Shortest paths from vertex 0 of a random graph of n vertices, four edges each, a number of times; and how often each length ends in
// which digits, counted in a map.
let state = 1;
function random(below) {
  state = state * 16807 % 2147483647;
  return state % below;
}

function push(heap, x) {
  let i = heap.length;
  heap.push(x);
  while (i > 0) {
    const up = (i - 1) >> 1;
    if (heap[up] <= x) break;
    heap[i] = heap[up];
    i = up;
  }
  heap[i] = x;
}

function pop(heap) {
  const first = heap[0], x = heap.pop(), n = heap.length;
  if (n === 0) return first;
  let i = 0;
  for (let down = 1; down < n; down = 2 * i + 1) {
    if (down + 1 < n && heap[down + 1] < heap[down]) down++;
    if (heap[down] >= x) break;
    heap[i] = heap[down];
    i = down;
  }
  heap[i] = x;
  return first;
}

function lengths(n) {
  const to = [], weight = [];
  for (let i = 0; i < 4 * n; i++) {
    to.push(random(n));
    weight.push(1 + random(100));
  }
  const length = new Array(n).fill(Infinity), heap = [0];
  length[0] = 0;
  while (heap.length > 0) {
    const next = pop(heap), at = next % n;
    if (Math.floor(next / n) > length[at]) continue;
    for (let i = 4 * at; i < 4 * at + 4; i++) {
      const there = length[at] + weight[i];
      if (there >= length[to[i]]) continue;
      length[to[i]] = there;
      push(heap, there * n + to[i]);
    }
  }
  return length;
}

const n = Number(process.argv[2]), rounds = Number(process.argv[3]);
let sum = 0;
const endings = new Map();
for (let round = 0; round < rounds; round++) {
  for (const length of lengths(n)) {
    if (length === Infinity) continue;
    sum += length;
    const key = 'e' + length % 1000;
    endings.set(key, (endings.get(key) || 0) + 1);
  }
}
console.log(sum, endings.size, endings.get('e300'));
