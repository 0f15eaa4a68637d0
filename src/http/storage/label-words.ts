// A label's figures in words: weight, day, and a tracking number in the groups its carrier writes it in.

const gramsPerOunce = 28.349523125;

/** A weight as the scale shows it and as the carriers bill it. */
export function weightWords(grams: number): readonly [metric: string, pounds: string] {
  const tenths = Math.round((grams / gramsPerOunce) * 10);
  const pounds = Math.floor(tenths / 160);
  const ounces = `${(tenths - pounds * 160) / 10} oz`;
  return [`${Math.round(grams * 10) / 10} g`, pounds > 0 ? `${pounds} lb ${ounces}` : ounces];
}

/** The day of an ISO 8601 time. */
export const dayOf = (time: string): string => time.slice(0, 10);

const grouped: readonly RegExp[] = [
  /^(1Z)(\w{3})(\w{3})(\w{2})(\w{4})(\w{4})$/,
  /^([A-Z]{2})(\d{3})(\d{3})(\d{3})([A-Z]{2})$/,
  /^(\d{2})(\d{4})(\d{4})$/,
];

/** A tracking number as people read it out. */
export function trackingWords(trackingNumber: string): string {
  for (const form of grouped) {
    const [, ...groups] = form.exec(trackingNumber) ?? [];
    if (groups.length > 0) return groups.join(' ');
  }
  return (trackingNumber.match(/.{1,4}/gsu) ?? []).join(' ');
}
