// Who logs in to the sandbox: those who may, then those who may not, each with what they may.
import { permissions } from '../../contract/operation.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { type Login, loginsOf } from '../../control/logins.ts';
import { Badge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Empty } from '../parts/empty.tsx';
import { Table } from '../parts/table.tsx';

/** Logins on the page at most. */
const maxShown = 20;

export function Logins({ sandbox: { root } }: { readonly sandbox: HostedSandbox }) {
  const { tables, values } = root;
  const isPlain = values.readings.permissions === 'all';
  const shown: Login[] = [];
  for (const login of loginsOf(tables)) if (shown.push(login) === maxShown) break;
  if (shown.length === 0) return <Empty title="This sandbox has no users, so nobody can log in." />;
  return (
    <>
      <Table class="logins" caption="Logins" titles={['Username', 'Password', 'Brand', 'May']} isScrolled>
        {shown.map((login, index) => (
          <LoginRow
            login={login}
            brand={tables.brands.get(login.user.brand_id)?.name}
            isPlain={isPlain}
            index={index}
          />
        ))}
      </Table>
      {tables.users.size > maxShown && <p class="muted">… and {tables.users.size - maxShown} more.</p>}
    </>
  );
}

interface RowProps {
  readonly login: Login;
  readonly brand: string | undefined;
  /** Whether every user may do everything. */
  readonly isPlain: boolean;
  readonly index: number;
}

const LoginRow = ({ login, brand, isPlain, index }: RowProps) => (
  <tr>
    <th scope="row">
      <code>{login.user.username}</code>
    </th>
    <td class="password">
      <code id={`password-${index}`}>{login.user.password}</code>{' '}
      <CopyButton of={`password-${index}`} label={`Copy the password of ${login.user.username}`} quiet />
    </td>
    <td>{brand ?? <span class="muted">no brand</span>}</td>
    <td>{login.mayLogIn ? mayDo(login, isPlain) : <Refused login={login} />}</td>
  </tr>
);

function mayDo({ user }: Login, isPlain: boolean) {
  const lacking = isPlain ? [] : permissions.filter((permission) => !user.permissions.includes(permission));
  if (lacking.length === 0) return 'do everything';
  if (lacking.length === permissions.length) return 'do nothing: each call is a 403';
  return <>do all that needs no {lacking.map((permission, index) => [index > 0 && ', ', <code>{permission}</code>])}</>;
}

const Refused = ({ login: { user } }: { readonly login: Login }) => (
  <Badge sign="▲" class="muted">
    {user.active ? 'not log in: the account is not active' : 'not log in: the user is not active'}
  </Badge>
);
