// How long it is until something, in words: the two largest units.

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Of milliseconds, rounded up to whole seconds. @example until(90_061_000); // '1 d 1 h' */
export function until(milliseconds: number): string {
  let seconds = Math.ceil(milliseconds / 1000);
  const counted = units.map(([unit, length]) => {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    return { count, text: `${count} ${unit}` };
  });
  const first = counted.findIndex(({ count }) => count > 0);
  if (first < 0) return '0 s';
  return counted
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(' ');
}
