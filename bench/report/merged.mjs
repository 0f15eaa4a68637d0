// Several reports as one.
import { isDisturbed } from '../verdict.mjs';

/** Reports of one machine, made one after the other by `--only`, as one. @throws where they are of several machines or settings, or were disturbed */
export function merged(reports) {
  const [first] = reports;
  const same = ({ machine, settings }) => JSON.stringify([machine, settings]);
  const other = reports.find((report) => same(report) !== same(first));
  if (other) throw new Error('the files were not measured on one machine, by one Node and the same settings');
  const disturbed = reports.flatMap(({ figures }) => figures).filter(isDisturbed);
  if (disturbed.length > 0) {
    throw new Error(`measured while others had the core, measure anew: ${disturbed.map(({ id }) => id).join(', ')}`);
  }
  return { ...first, figures: reports.flatMap(({ figures }) => figures) };
}
