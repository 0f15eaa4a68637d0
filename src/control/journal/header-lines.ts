// The headers of an answer as they are made, kept and sent: names and values in turn. Each answer has other ones, and an object of its own for
// each would have a shape of its own, too, which makes all that touches it slow.

export type HeaderLines = readonly string[];

/** As names with their values. */
export function recordOf(lines: HeaderLines): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at < lines.length; at += 2) record[lines[at] as string] = lines[at + 1] as string;
  return record;
}

export const linesOf = (record: Readonly<Record<string, string>>): HeaderLines => Object.entries(record).flat();
