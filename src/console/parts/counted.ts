// How many there are, in words.

/** @example counted(1, 'call'); // '1 call', of 2: '2 calls' */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
