// The map of V8's code that perf takes names from: lines `address size name`, in hexadecimal, in the order in which the code was made.

/** Without what lay where other code has come since: perf would take any of the names of an address. */
export function withoutStale(map) {
  const live = [];
  for (const line of map.split('\n')) {
    const [address, size] = line.split(' ', 2).map((digits) => Number.parseInt(digits, 16));
    if (size > 0) put(live, { line, address, end: address + size });
  }
  return live.map(({ line }) => `${line}\n`).join('');
}

/** Puts code among what lies there by address, in place of all that it covers a part of. */
function put(live, code) {
  const from = firstAt(live, ({ end }) => end > code.address);
  const to = firstAt(live, ({ address }) => address >= code.end);
  live.splice(from, to - from, code);
}

/** The index of the first that is so; those behind it are, too. */
function firstAt(live, isSo) {
  let [low, high] = [0, live.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(live[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
