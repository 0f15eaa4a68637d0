// `cursor_opaque`: only cursors come that an answer gave. The service seals its cursors, so it is it that tells.
import { labelPath, storagePath } from '../contract/addresses.ts';
import type { Operation } from '../contract/operation.ts';
import { type OperationId, operations } from '../contract/operations.ts';
import type { OrderStatus } from '../contract/records.ts';
import { Assumptions, internChoices } from '../contract/resolved-assumptions.ts';
import { isRecord } from '../contract/schema.ts';
import type { StageName } from '../journal/decision.ts';
import type { CompletedCall } from './completed-call.ts';
import { cameAfter, isSameWant, knew, type Told } from './completed-call.ts';
import { Recent } from './recent.ts';
import type { Rule } from './ruling.ts';

export const cursorOpaque: Rule = {
  begins: ({ cursor }) => cursor !== null,
  follow: (ruling) => ({
    see(call) {
      if (call.cursor === null) return;
      if (call.next !== undefined) ruling.test(call.id);
      else if (call.stage !== 'admission' && isRefusedFor(call.fields, call.rules))
        ruling.fail('a cursor came that no answer gave', call.id);
    },
  }),
};

/** Where a list takes no cursor at all, it is an undocumented parameter. */
const isRefusedFor = (fields: readonly (string | null)[], rules: readonly string[]): boolean =>
  fields.some((field, index) => field === 'cursor' && rules[index] !== 'unknown_fields');

// `cursor_to_the_end`: every next cursor that a page gave is followed, but for lists of orders.

export const cursorToTheEnd: Rule = {
  begins: ({ next }) => next !== undefined,
  follow: (ruling) => {
    /** The requests that gave cursors which were not followed yet. */
    const given = new Recent<string, string>();
    return {
      see(call) {
        // Whoever looks whether an order is stored needs the newest ones only.
        if (call.operation === 'orders.list') return;
        const followed = call.cursor;
        // Whoever is refused the page for good can follow no further.
        if (call.isFinal && followed !== null) given.delete(`${call.name} ${followed}`);
        // Nobody reads the page of a HEAD.
        if (call.next === undefined || call.status === null || call.method === 'HEAD') return;
        if (followed !== null) given.delete(`${call.name} ${followed}`);
        if (call.next !== null) given.set(`${call.name} ${call.next}`, call.id);
        if (followed !== null || call.next !== null) ruling.test(call.id);
      },
      owed: () =>
        given.size > 0 ? { finding: 'a list was not read to its end', evidence: [...given.values()] } : undefined,
    };
  },
};

// `fresh_label`: a label_url that the storage refused is not asked again; the fulfillment is, for a fresh one.

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

// `documented_fields`: only fields come that the contract names, also where a sandbox leaves the others out silently.

/** The stages that an answer comes from once the fields were looked at. */
const judged: readonly StageName[] = ['query', 'bodySchema', 'operation'];

export const documentedFields: Rule = {
  begins: ({ operation, stage }) => operation !== null && judged.includes(stage),
  follow: (ruling) => ({
    see(call) {
      const { operation, stage, id } = call;
      if (!operation || !judged.includes(stage)) return;
      const unknown = unknownIn(call, operations[operation]);
      if (unknown.length > 0)
        ruling.fail(`the call ${call.name} was sent with ${listed(unknown.map((name) => call.redacted(name)))}`, id);
      else if (!ruling.isTested && hasFields(call)) ruling.test(id);
    },
  }),
};

const hasFields = ({ query, sent }: CompletedCall): boolean => query !== '' || Object.keys(sent).length > 0;

const none: readonly string[] = [];

/** The names of what the contract does not name, as dotted paths. */
function unknownIn(call: CompletedCall, { query, body }: Operation): string[] {
  const { assumptions, rules, fields } = call;
  const parameters = query || call.query === '' ? none : Array.from(new URLSearchParams(call.query).keys());
  const told = rules.flatMap((rule, index) => (rule === 'unknown_fields' ? [fields[index] ?? 'more fields'] : []));
  if (told.length > 0 || !assumptions || hasToldAll(call, assumptions)) return [...parameters, ...told];
  const strict = strictly(assumptions);
  return [
    ...parameters,
    ...(query ? unrecognized(query(strict), Object.fromEntries(new URLSearchParams(call.query))) : []),
    ...(body ? unrecognized(body(strict), call.sent) : []),
  ];
}

/** Whether an answer by these readings tells all that is unknown. */
const hasToldAll = ({ rules }: CompletedCall, { choices }: Assumptions): boolean =>
  choices.unknown_fields === 'reject' && (rules.length === 0 || choices.validation_report === 'all');

/** The same terms, by which what is unknown is refused. */
const strictly = ({ choices, administrationTimes }: Assumptions): Assumptions =>
  new Assumptions(internChoices({ ...choices, unknown_fields: 'reject' }), administrationTimes);

const unrecognized = (schema: ReturnType<NonNullable<Operation['body']>>, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );

const mostNames = 5;
const mostCharacters = 60;

/** A name as it can stand in a sentence, whatever was sent. */
const shown = (name: string): string => name.slice(0, mostCharacters).replaceAll(/[\p{C}"]/gu, '?');

const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, mostNames)
    .map((name) => `"${shown(name)}"`)
    .join(', ')}${names.length > mostNames ? ' and more' : ''}`;

// `needs_changes`: an order that is Needs Changes is placed, and does not come again.

export const needsChanges: Rule = {
  begins: (call) => call.operation === 'orders.create' && isNeedsChanges(call),
  follow: (ruling, sessions) => {
    const placed = new Recent<string, Told>();
    return {
      see(call) {
        if (call.operation !== 'orders.create') return;
        const isPlaced = isNeedsChanges(call);
        if (placed.size === 0 && !isPlaced) return;
        const key = `${sessions.userOf(call)}\n${call.key}`;
        const told = placed.get(key);
        if (told && cameAfter(told, call) && isSameWant(told, call))
          ruling.fail('an order that is Needs Changes was submitted again', told.id, call.id);
        if (!isPlaced) return;
        ruling.test(call.id);
        if (!told) placed.set(key, call.told);
      },
    };
  },
};

const waiting: OrderStatus = 'Needs Changes';

const isNeedsChanges = (call: CompletedCall): boolean =>
  (call.status === 201 || call.status === 200) &&
  call.tells(waiting) &&
  isRecord(call.got.order) &&
  call.got.order.status === waiting;
