// `fresh_label`: a label_url that the storage refused is not asked again; the fulfillment is, for a fresh one.
import { labelPath, storagePath } from '../../../contract/addresses.ts';
import type { OperationId } from '../../../contract/operations.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { cameAfter, type Told } from '../told.ts';

const isLabel = new RegExp(`^${labelPath('[\\da-f-]{36}')}$`, 'i');
/** About the stored object, and not about the URL. */
const ofTheObject = [412, 416];
/** What carries fresh label URLs of several fulfillments. */
const lists: readonly OperationId[] = ['fulfillments.list', 'orders.fulfillments'];

export const freshLabel: Rule = (ruling) => {
  const dead = new Recent<string, Told>();
  /** The requests that were refused, by the paths of their labels, until a fresh URL was asked for. */
  const stale = new Recent<string, string>();
  function downloaded(call: CompletedCall): void {
    const told = dead.get(call.key);
    if (told && cameAfter(told, call)) ruling.fail('a label_url that was refused came again', told.id, call.id);
    ruling.test(call.id);
    if (!isRefused(call)) return;
    dead.set(call.key, call.told);
    if (isLabel.test(call.path)) stale.set(call.path, call.id);
  }
  function asked({ operation, path }: CompletedCall): void {
    if (operation === 'fulfillments.get') forget(stale, path.split('/').at(-1) ?? '');
    if (operation && lists.includes(operation)) stale.clear();
  }
  return {
    see(call) {
      if (call.path.startsWith(`${storagePath}/`)) downloaded(call);
      else if (stale.size > 0 && call.status === 200) asked(call);
    },
    owed: () =>
      stale.size > 0
        ? { finding: 'no fresh label_url was asked for after one was refused', evidence: [...stale.values()] }
        : undefined,
  };
};

const isRefused = ({ status }: CompletedCall): boolean =>
  status !== null && status >= 400 && !ofTheObject.includes(status);

function forget(stale: Recent<string, string>, fulfillmentId: string): void {
  const id = fulfillmentId.toLowerCase();
  for (const path of stale.keys()) if (path.toLowerCase().includes(id)) stale.delete(path);
}
