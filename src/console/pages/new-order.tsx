// A new order: a form of a brand's catalog, or JSON, that sends a real order as one of its users.
import { type OperationId, operations } from '../../contract/operations.ts';
import type { RecordOf } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import type { Markup } from '../../http/markup.ts';
import type { ServiceResponse } from '../../http/response.ts';
import { sentenceOf } from '../../journal/decision.ts';
import { fieldsOf } from '../../journal/entry.ts';
import { consumerName, getRecord } from '../../sandbox/records.ts';
import { type Login, loginsOf, orderFor } from '../../sandbox/sample-calls.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { newOrderAt } from '../page-addresses.ts';
import { Empty } from '../parts/card.tsx';
import {
  FilterForm,
  FilterSelect,
  firstOf,
  fragment,
  Head,
  LabeledSelect,
  PageLink,
  Table,
  useSandbox,
} from '../parts/layout.tsx';
import { Badge, RequestLink, Rules, Status } from '../parts/status.tsx';
import { type SentCall, sendCall } from '../send-call.ts';

type User = RecordOf<'users'>;

/** The most users, consumers, PAGs and products in the form. */
const maxOptions = 100;

export const newOrderPage = ({ read, query }: ConsoleRequest) =>
  read((state) => {
    const logins = firstOf(loginsOf(state), maxOptions);
    const login = logins.find(({ user }) => user.id === query.get('user')) ?? logins[0];
    return (
      <section>
        <Head
          title="New order"
          description="Logs in as a user and sends the order to the service, like a client. Invalid orders are sent, too: the answer shows the rule."
        >
          <PageLink to="orders">All orders</PageLink>
        </Head>
        {login ? (
          <>
            <FilterForm>
              <FilterSelect
                name="user"
                label="Order as"
                options={Object.fromEntries(logins.map((one) => [one.user.id, describeLogin(state, one)]))}
                selected={login.user.id}
              />
            </FilterForm>
            <OrderForm {...readCatalog(state, login.user)} />
          </>
        ) : (
          <Empty title="This sandbox has no users.">
            An order needs a login: <PageLink to="start">add demo data</PageLink> to get one.
          </Empty>
        )}
      </section>
    );
  });

function describeLogin(state: State, { user, mayLogIn }: Login): string {
  const brand = state.table('brands').get(user.brand_id)?.name ?? 'no brand';
  return `Order as ${user.username} (${brand})${mayLogIn ? '' : ', cannot log in'}`;
}

type Catalog = ReturnType<typeof readCatalog>;

/** The products, consumers and packaging of the user's brand. It has inactive products, too: an order of one is rejected. */
function readCatalog(state: State, user: User) {
  const ofBrand = (row: { readonly brand_id: string }): boolean => row.brand_id === user.brand_id;
  const products = firstOf(state.table('products').walk('brand', user.brand_id), maxOptions).map(([, product]) => ({
    product,
    isDiscontinued: state.table('operator_products').get(product.operator_product_id)?.discontinued === true,
  }));
  const pags = Array.from(state.table('pags').entries(), ([, pag]) => pag).filter(ofBrand);
  const times = state.value('administration_times').values;
  const ready = products.find(({ product, isDiscontinued }) => product.active && !isDiscontinued);
  return {
    user,
    products,
    times,
    firstId: ready?.product.id,
    sample: orderFor('', times),
    durations: Object.fromEntries(
      firstOf(
        pags.filter(({ duration }) => duration !== null),
        maxOptions,
      ).map(({ duration, name, status }) => [String(duration), `${duration} (${name}, ${status})`]),
    ),
    consumers: Object.fromEntries(
      firstOf(state.table('consumers').walk('brand', user.brand_id, { newestFirst: true }), maxOptions).map(
        ([, { id }]) => [id, consumerName(state, id)],
      ),
    ),
  };
}

const consumerLabels = { first_name: 'First name', last_name: 'Last name', email: 'Email', phone_number: 'Phone' };
const addressLabels = {
  address1: 'Address',
  city: 'City',
  province_name: 'Province',
  postal_code: 'Postal code',
  country_name: 'Country',
};

/** The names of the fields begin with their place in the order. */
function OrderForm(catalog: Catalog) {
  const { user, sample, consumers, durations } = catalog;
  // Another user's form has another place, so that no outcome of this one stays there.
  const answer = `answer-${user.id}`;
  return (
    <>
      <form
        id={`order-as-${user.id}`}
        class="order-form"
        hx-post={newOrderAt(useSandbox())}
        hx-target={`#${answer}`}
        hx-sync="drop"
        autocomplete="off"
      >
        <input type="hidden" name="user" value={user.id} />
        <div class="sides">
          <div>
            <h2>Consumer</h2>
            <LabeledSelect
              id="consumer"
              label="Consumer"
              isUnseen
              name="consumer.id"
              options={{ '': 'New consumer', ...consumers }}
            />
            <Fields group="consumer" labels={consumerLabels} values={sample.consumer} />
            <h2>Shipping address</h2>
            <Fields group="shipping_address" labels={addressLabels} values={sample.shipping_address} />
          </div>
          <div>
            <h2>Products</h2>
            <LabeledSelect
              id="duration"
              label="Duration"
              name="duration"
              options={{ ...durations, '': 'None (default packaging)' }}
            />
            <Products {...catalog} />
          </div>
        </div>
        <div class="row">
          <button type="submit">Send the order</button>
          <button type="submit" class="quiet" name="as" value="json">
            Edit as JSON
          </button>
        </div>
      </form>
      {/* The outcome stays when the page is fetched again. */}
      <div id={answer} role="status" hx-morph-skip-children="true" />
    </>
  );
}

interface FieldsProps {
  readonly group: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

const Fields = ({ group, labels, values }: FieldsProps) => (
  <div class={`fields ${group}`}>
    {Object.entries(labels).map(([name, label]) => (
      <label>
        {label}
        <input name={`${group}.${name}`} value={values[name] ?? ''} />
      </label>
    ))}
  </div>
);

function Products({ products, times, firstId }: Catalog) {
  if (products.length === 0) return <p class="muted">The brand has no products.</p>;
  const options = { ...Object.fromEntries(times.map((time) => [time, time])), '': 'No time' };
  return (
    <Table caption="Products" titles={['Product', 'State', 'Serving size', 'Time']}>
      {products.map(({ product: { id, product_name: name, active }, isDiscontinued }) => (
        <tr>
          <th scope="row" title={id}>
            {name}
          </th>
          <td>
            <ProductState isActive={active} isDiscontinued={isDiscontinued} />
          </td>
          <td>
            <input
              type="number"
              name={`serving_size.${id}`}
              step="any"
              aria-label={`Serving size of ${name}`}
              value={id === firstId ? '1' : ''}
            />
          </td>
          <td>
            <LabeledSelect id={`time-${id}`} label={`Time of ${name}`} isUnseen name={`time.${id}`} options={options} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function ProductState({ isActive, isDiscontinued }: { readonly isActive: boolean; readonly isDiscontinued: boolean }) {
  if (isDiscontinued) return <Badge sign="✕" tone="warning" text="Discontinued" />;
  return isActive ? <Badge sign="✓" tone="good" text="Active" /> : <Badge sign="✕" tone="warning" text="Inactive" />;
}

/** Sends the order of the form or its JSON, or turns the form into JSON to edit. @throws ControlRefusal 404 */
export async function createOrder(request: ConsoleRequest, form: URLSearchParams): Promise<ServiceResponse> {
  const { sandbox, read } = request;
  const user = await read((state) => getRecord(state, 'users', form.get('user') ?? ''));
  const json = form.get('json') ?? JSON.stringify(orderOf(form), null, 2);
  const markup =
    form.get('as') === 'json' ? <JsonForm user={user} json={json} /> : await sendOrder(request, user, json);
  return fragment(sandbox.name, markup);
}

function JsonForm({ user, json }: { readonly user: User; readonly json: string }): Markup {
  const { method, path } = operations['orders.create'];
  return (
    <>
      <form class="order-form card" hx-post={newOrderAt(useSandbox())} hx-target="#json-answer" hx-sync="drop">
        <input type="hidden" name="user" value={user.id} />
        <label>
          Body of {method} {path}
          <textarea name="json" rows={20} spellcheck={false}>
            {json}
          </textarea>
        </label>
        <button type="submit">Send this JSON</button>
      </form>
      <div id="json-answer" role="status" />
    </>
  );
}

/** The fields of a group that are filled in, by their names in it. */
function groupOf(form: URLSearchParams, group: string): Readonly<Record<string, string>> {
  const start = `${group}.`;
  const fields = [...form].filter(([name, value]) => name.startsWith(start) && value !== '');
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(start.length), value]));
}

/** One line, with a pouch for each time of administration. */
function orderOf(form: URLSearchParams): object {
  const { id, ...consumer } = groupOf(form, 'consumer');
  const times = groupOf(form, 'time');
  const pouches = new Map<string | undefined, object[]>();
  for (const [product, size] of Object.entries(groupOf(form, 'serving_size'))) {
    const content = { client_product_id: product, serving_size: Number(size) };
    pouches.set(times[product], [...(pouches.get(times[product]) ?? []), content]);
  }
  const duration = form.get('duration');
  return {
    consumer: id === undefined ? consumer : { id },
    shipping_address: groupOf(form, 'shipping_address'),
    order_lines: [
      {
        ...(duration && { duration: Number(duration) }),
        // JSON leaves out an undefined time.
        pouches: Array.from(pouches, ([time_of_administration, contents]) => ({ time_of_administration, contents })),
      },
    ],
  };
}

/** Logs in as the user and creates an order. @param body of the order, sent as it is: it may be invalid */
async function sendOrder(request: ConsoleRequest, user: User, body: string): Promise<Markup> {
  const { username, password } = user;
  const login = await sendJson(request, 'authentication.token', JSON.stringify({ username, password }));
  const { access_token: token } = login.body;
  if (typeof token !== 'string') return <Outcome what="The login" call={login} />;
  return <Outcome what="The order" call={await sendJson(request, 'orders.create', body, token)} />;
}

interface Sent extends SentCall {
  readonly id: OperationId;
  /** Empty if it isn't an object. */
  readonly body: Readonly<Record<string, unknown>>;
}

async function sendJson(request: ConsoleRequest, id: OperationId, body: string, token?: string): Promise<Sent> {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const { method, path } = operations[id];
  const sent = await sendCall(request, { method, target: path, headers, body });
  return { id, ...sent, body: fieldsOf(sent.text) };
}

function Outcome({ what, call }: { readonly what: string; readonly call: Sent }) {
  const { status, entry } = call;
  const isAccepted = status !== null && status < 400;
  return (
    <article class={isAccepted ? 'card' : 'card on'}>
      <p>
        <b>
          {what} {describeStatus(status)}
        </b>{' '}
        <Status status={status} /> {isAccepted ? <CreatedOrder body={call.body} /> : <Reason call={call} />}
      </p>
      <p>
        {entry && <RequestLink entry={entry} />} <PageLink to="requests">Live requests</PageLink>
      </p>
    </article>
  );
}

function describeStatus(status: number | null): string {
  if (status === null) return 'got no response';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'was rejected' : 'was accepted';
}

function CreatedOrder({ body: { order } }: Pick<Sent, 'body'>) {
  if (!isRecord(order) || typeof order.id !== 'string') return null;
  return (
    <>
      {typeof order.status === 'string' && `It is ${order.status}: `}
      <PageLink to="orders" item={order.id}>
        order <span class="id">{order.id}</span>
      </PageLink>
    </>
  );
}

function Reason({ call: { id, status, entry } }: { readonly call: Sent }) {
  const decision = entry?.answer?.decision;
  if (!decision) return null;
  return (
    <>
      <Rules rules={decision.rules} /> {sentenceOf(decision, status, id)}
    </>
  );
}
