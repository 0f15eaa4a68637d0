// Labels of switches, rules, assumptions, scenarios and operations, which are known by ids such as `token_expiry`.
import { switchNames } from '../../contract/control/switch-names.ts';
import { operationList } from '../../contract/operations.ts';

/** The labels that do not follow from the id. */
const labels: ReadonlyMap<string, string> = new Map([
  ['server_error', 'Server errors'],
  ['connection', 'Dropped connections'],
  ...operationList.map(({ id, summary }) => [id, summary] as const),
]);

/** @example labelOf('token_expiry'); // 'Token expiry', of 'inactive_pags': 'Inactive PAGs' */
export function labelOf(id: string): string {
  const words = id
    .replaceAll(/[._-]/g, ' ')
    .replace(/\bpag(?=s?\b)/, 'PAG')
    .replace(/\bid\b/, 'ID');
  return labels.get(id) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

interface IdProps {
  readonly id: string;
}

export const SmallId = ({ id }: IdProps) => (
  <small>
    <code>{id}</code>
  </small>
);

/** The title of a thing: the label of its id, and the id, small. */
export const Named = ({ id }: IdProps) => (
  <>
    <strong>{labelOf(id)}</strong> <SmallId id={id} />
  </>
);

/** A switch with its label, or a fault by the id that the tester chose. */
export const OverrideName = ({ id }: IdProps) =>
  switchNames.some((name) => name === id) ? <Named id={id} /> : <code>{id}</code>;
