// The same for Node: a heap that grows and is collected.
const map = new Map();
for (let i = 0; i < 300000; i++) map.set(i % 50000, "value " + i);
console.log(map.size, map.get(49999));
