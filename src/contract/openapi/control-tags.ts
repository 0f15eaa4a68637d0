// The groups that the control API's operations are shown in.

interface ControlTag {
  readonly name: string;
  readonly description: string;
  /** What the ids of its operations begin with. */
  readonly resources: readonly string[];
}

export const controlTags: readonly ControlTag[] = [
  {
    name: 'Sandboxes',
    description: 'Worlds of their own, and snapshots of them.',
    resources: ['sandboxes', 'snapshots', 'state'],
  },
  { name: 'Clock', description: "A sandbox's time: every expiry, timestamp and window of it.", resources: ['clock'] },
  { name: 'Switches', description: 'What is bent by name.', resources: ['switches'] },
  { name: 'Faults', description: 'Rules that meet matching requests.', resources: ['faults'] },
  { name: 'Scenarios', description: 'What is bent together, as a layer.', resources: ['scenarios'] },
  {
    name: 'Assumptions',
    description: 'What the contract does not show, and how it is read.',
    resources: ['assumptions'],
  },
  {
    name: 'Journal',
    description: 'What the sandbox received and answered, and why.',
    resources: ['requests', 'events'],
  },
  { name: 'Conduct', description: 'What the client did right and wrong.', resources: ['report'] },
  { name: 'Operator', description: "What the service's own staff does.", resources: ['orders', 'fulfillments'] },
  { name: 'Data', description: 'The records of a sandbox.', resources: ['records', 'singles'] },
];

/** @throws Error for an operation that no group has. */
export function tagOfControl(id: string): string {
  const [resource = ''] = id.split('.');
  const tag = controlTags.find(({ resources }) => resources.includes(resource));
  if (!tag) throw new Error(`no group of the control API has the operation ${id}`);
  return tag.name;
}
