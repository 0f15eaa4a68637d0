// Numbers that come as text: query values, and bodies under `numeric_strings: accept`. What counts as one is Joi's pattern.

export const numericText = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** The digits that carry the value: without sign, exponent, point, and the zeros around. */
function significantDigits(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[+\-.]/g, '');
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  return digits.slice(start, end);
}

/** Stands for a number that text says exactly and a double cannot hold: outside the safe range (OPEN-5). */
const unsafe = Number.MAX_VALUE;

/** The number a text says, the text itself where it says none. Anything but a string passes through. */
export function numberFromText(value: unknown): unknown {
  if (typeof value !== 'string' || !numericText.test(value)) return value;
  const number = Number.parseFloat(value);
  return significantDigits(value.trim()) === significantDigits(String(number)) ? number : unsafe;
}
