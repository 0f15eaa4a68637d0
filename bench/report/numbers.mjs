// Numbers as people read them.

/** A figure's value with its unit; a ratio has three decimals. */
export function formatValue({ valueUnit }, value) {
  return valueUnit === undefined ? value.toFixed(3) : `${formatNumber(value)} ${valueUnit}`;
}

/** A number of things that are counted. */
export const formatCount = (count) => count.toLocaleString('en-US');

/** A number with thousands separated, and a decimal where it is below a thousand. */
export function formatNumber(value) {
  const digits = value < 1000 ? 1 : 0;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const percent = (share) => `${(share * 100).toFixed(0)} %`;
