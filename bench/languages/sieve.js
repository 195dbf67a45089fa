// Twin primes below n, by a sieve, a number of times.
function twins(n) {
  const composite = new Uint8Array(n + 1);
  let twins = 0, last = -9;
  for (let i = 2; i <= n; i++) {
    if (composite[i]) continue;
    if (i - last === 2) twins++;
    last = i;
    for (let j = i * i; j <= n; j += i) composite[j] = 1;
  }
  return twins;
}

const n = Number(process.argv[2]), rounds = Number(process.argv[3]);
let sum = 0;
for (let round = 0; round < rounds; round++) sum += twins(n - round);
console.log(sum);
