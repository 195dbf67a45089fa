// Four workers take numbers off a shared counter and note who took each; what they make of them comes by message.
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');

function work(seed) {
  let x = BigInt(seed);
  for (let i = 0; i < 2000; ++i) x = (x * 1103515245n + 12345n) % 2147483648n;
  return x;
}

if (isMainThread) {
  const shared = new SharedArrayBuffer(4 + 100);
  let left = 4, total = 0n;
  for (let me = 0; me < 4; ++me) {
    const worker = new Worker(__filename, { workerData: { shared, me } });
    worker.on('message', (made) => { total += made; });
    worker.on('exit', () => {
      if (--left === 0) console.log(`${total} 100 ${String.fromCharCode(...new Uint8Array(shared, 4))}`);
    });
  }
} else {
  const next = new Int32Array(workerData.shared, 0, 1);
  const order = new Uint8Array(workerData.shared, 4);
  let made = 0n;
  for (;;) {
    const n = Atomics.add(next, 0, 1);
    if (n >= 100) break;
    made += work(n);
    order[n] = 97 + workerData.me;
  }
  parentPort.postMessage(made);
}
