// Several reports as one.
import { goals } from '../goals.mjs';
import { isDisturbed } from '../verdict.mjs';

/**
 * Reports of one machine, `{ file, report }`, made one after the other by `--only`, as one. What failed or was disturbed gives way to the same
 * measurement in another file.
 * @throws where they are of several machines or settings, or a measurement was disturbed, or is there twice
 */
export function merged(sources) {
  const [first] = sources;
  for (const source of sources) needSame(first, source);
  const names = new Set(sources.flatMap(({ report }) => report.figures).map(({ measurement }) => measurement));
  const figures = [...names].flatMap((name) => chosen(name, sources));
  needUndisturbed(figures, sources);
  const orderOf = ({ id }) => goals.findIndex((goal) => goal.id === id);
  return { ...first.report, figures: figures.toSorted((a, b) => orderOf(a) - orderOf(b)) };
}

function chosen(name, sources) {
  const made = sources
    .map(({ file, report }) => ({ file, figures: report.figures.filter(({ measurement }) => measurement === name) }))
    .filter(({ figures }) => figures.length > 0);
  const sound = made.filter(({ figures }) => !figures.some((figure) => figure.failed || isDisturbed(figure)));
  if (sound.length > 1) {
    throw new Error(`${name} is measured in ${filesOf(sound)}; name one of them, or leave it out by --only`);
  }
  return [...sound, ...made][0].figures;
}

function needUndisturbed(figures, sources) {
  const disturbed = new Set(figures.filter(isDisturbed).map(({ measurement }) => measurement));
  if (disturbed.size === 0) return;
  const files = filesOf(sources.filter(({ report }) => report.figures.some((row) => disturbed.has(row.measurement))));
  const again = `npm run bench -- --only ${[...disturbed].join(',')} --json FILE`;
  throw new Error(
    `others had the core during ${[...disturbed].join(', ')}, in ${files}; measure anew, and add the file: ${again}`,
  );
}

const filesOf = (made) => made.map(({ file }) => file).join(' and ');

function needSame(first, other) {
  const [ours, theirs] = [first, other].map(({ report }) => ({ ...report.settings, ...report.machine }));
  const keys = Object.keys({ ...ours, ...theirs }).filter((key) => ours[key] !== theirs[key]);
  if (keys.length === 0) return;
  const differences = keys.map((key) => `${key} ${theirs[key]}, not ${ours[key]}`).join('; ');
  throw new Error(`${other.file} is not measured as ${first.file} is: ${differences}; measure all alike`);
}
