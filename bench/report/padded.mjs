// Rows of cells as lines of equal columns.

/** @param numeric the columns that are flush right */
export function padded(rows, numeric) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const pad = (cell, column) => (numeric.has(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]));
  return rows.map((row) => row.map(pad).join('  ').trimEnd());
}
