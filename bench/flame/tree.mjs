// Stacks folded into a tree: what was on top of what, and how often.

/**
 * Folds stacks, each a list of `{ name, group }` from the outermost on.
 * @returns the root, `{ name, group, count, own, children }`: `count` samples in it or in what it called, `own` of them in itself
 */
export function folded(stacks) {
  const root = node({ name: 'all', group: 'v8' });
  for (const stack of stacks) {
    let at = root;
    at.count += 1;
    for (const frame of stack) {
      at = childOf(at, frame);
      at.count += 1;
    }
    at.own += 1;
  }
  return root;
}

/** How many samples each group has by itself. */
export function countsByGroup(root) {
  const counts = {};
  const visit = ({ group, own, children }) => {
    counts[group] = (counts[group] ?? 0) + own;
    for (const child of children.values()) visit(child);
  };
  visit(root);
  return counts;
}

function childOf(parent, { name, group }) {
  // What the collector calls is its work, whoever else calls that, too.
  const own = parent.group === 'gc' ? 'gc' : group;
  const key = `${own} ${name}`;
  const child = parent.children.get(key) ?? node({ name, group: own });
  parent.children.set(key, child);
  return child;
}

const node = ({ name, group }) => ({ name, group, count: 0, own: 0, children: new Map() });
