// Faults of data, as a refusal of the control API: each field with what was found and what was expected.
import type { FileFault } from '../file-faults.ts';
import type { ParsedFile } from '../parse-file.ts';
import { ControlRefusal } from './control-operation.ts';

/** Told of one refusal. */
const maxDetails = 50;

/** A refusal that tells the first fifty faults; its message is the first of them. */
function refusalOf(faults: readonly FileFault[], status: 400 | 422): ControlRefusal {
  const details = faults.slice(0, maxDetails).map(({ path, found, expected }) => ({
    field: path.replace(/^\$\.?/, ''),
    message: `found ${found}, expected ${expected}`,
  }));
  const [first] = details;
  const where = first?.field ? `${first.field}: ` : '';
  return new ControlRefusal(status, `${where}${first?.message}`, { details });
}

/** @throws ControlRefusal 422 where there is any fault. */
export function refuseFaults(faults: readonly FileFault[]): void {
  if (faults.length > 0) throw refusalOf(faults, 422);
}

/** What was parsed. @throws ControlRefusal where it has faults. */
export function accepted<T>(parsed: ParsedFile<T>, status: 400 | 422 = 422): T {
  if (parsed.faults) throw refusalOf(parsed.faults, status);
  return parsed.data;
}
