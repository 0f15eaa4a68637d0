// ISO 8601 durations. Years and months have no fixed length, so there are none.

const units = { W: 604_800_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 } as const;
const form = /^P(?=\w)(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?=\w)(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/;

/** Milliseconds; undefined for what is no duration. */
export function parseDuration(text: string): number | undefined {
  const found = form.exec(text);
  if (!found) return undefined;
  const parts = Object.values(units).map((unit, index) => Number(found[index + 1] ?? 0) * unit);
  const total = Math.round(parts.reduce((sum, part) => sum + part, 0));
  return Number.isSafeInteger(total) ? total : undefined;
}
