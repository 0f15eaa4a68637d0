// `fresh_label`: a label_url that the storage refused is not asked again; the fulfillment is, for a fresh one.
import { labelPath, storagePath } from '../../../contract/addresses.ts';
import type { OperationId } from '../../../contract/operations.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { knew, type Told } from '../told.ts';

const isLabel = new RegExp(`^${labelPath('([\\da-f-]{36})')}$`, 'i');
/** About the stored object, and not about the URL. */
const ofTheObject = [412, 416];
/** What carries fresh label URLs of several fulfillments. */
const lists: readonly OperationId[] = ['fulfillments.list', 'orders.fulfillments'];

/** How often URLs were given and used, by the fulfillment: what is asked for twice within a second is the same URL twice. */
class Uses {
  readonly #left = new Recent<string, number>();
  #listed = 0;

  given(fulfillmentId: string): void {
    this.#count(fulfillmentId, 1);
  }

  listed(): void {
    this.#listed += 1;
  }

  used(fulfillmentId: string): void {
    this.#count(fulfillmentId, -1);
  }

  isOverdrawn(fulfillmentId: string): boolean {
    return (this.#left.get(fulfillmentId) ?? 0) + this.#listed < 0;
  }

  #count(fulfillmentId: string, by: number): void {
    this.#left.set(fulfillmentId, (this.#left.get(fulfillmentId) ?? 0) + by);
  }
}

export const freshLabel: Rule = {
  begins: (call) => call.method === 'GET' && (isDownload(call) || isAsking(call)),
  follow: (ruling) => {
    const dead = new Recent<string, Told>();
    const uses = new Uses();
    /** The requests that were refused, by their fulfillments, until a fresh URL was asked for. */
    const stale = new Recent<string, string>();
    function isSame(call: CompletedCall, told: Told, id: string): boolean {
      const known = knew(told, call);
      return known === 'yes' || (known === 'perhaps' && uses.isOverdrawn(id));
    }
    function downloaded(call: CompletedCall): void {
      const id = isLabel.exec(call.path)?.[1]?.toLowerCase();
      uses.used(id ?? '');
      ruling.test(call.id);
      if (!isRefused(call)) return void stale.delete(id ?? '');
      const told = dead.get(call.key);
      if (told && isSame(call, told, id ?? ''))
        ruling.fail('a label_url that was refused came again', told.id, call.id);
      dead.set(call.key, told ?? call.told);
      if (id !== undefined) stale.set(id, call.id);
    }
    function asked({ operation, path, status, isFinal }: CompletedCall): void {
      const isList = operation !== null && lists.includes(operation);
      if (status !== 200 && !isFinal) return;
      const id = isList ? '' : (path.split('/').at(-1)?.toLowerCase() ?? '');
      if (isList) stale.clear();
      else stale.delete(id);
      if (isList) uses.listed();
      else uses.given(id);
    }
    return {
      see(call) {
        if (call.method !== 'GET') return;
        if (isDownload(call)) downloaded(call);
        else if (isAsking(call)) asked(call);
      },
      owed: () =>
        stale.size > 0
          ? { finding: 'no fresh label_url was asked for after one was refused', evidence: [...stale.values()] }
          : undefined,
    };
  },
};

const isDownload = ({ path }: CompletedCall): boolean => path.startsWith(`${storagePath}/`);

const isAsking = ({ operation }: CompletedCall): boolean =>
  operation === 'fulfillments.get' || (operation !== null && lists.includes(operation));

/** A signed GET is refused by these; a service that fails says nothing about the URL. */
const isRefused = ({ isFinal, status }: CompletedCall): boolean =>
  status === 401 || (isFinal && !ofTheObject.includes(status ?? 0));
