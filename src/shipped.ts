// The shipped fixtures and scenarios, bundled with the program, and how the user's own are combined with them.
import accounts from '../fixtures/accounts.json' with { type: 'json' };
import catalog from '../fixtures/catalog.json' with { type: 'json' };
import consumers from '../fixtures/consumers.json' with { type: 'json' };
import fulfillments from '../fixtures/fulfillments.json' with { type: 'json' };
import orders from '../fixtures/orders.json' with { type: 'json' };
import pags from '../fixtures/pags.json' with { type: 'json' };
import discontinuedProduct from '../scenarios/discontinued-product.json' with { type: 'json' };
import doorstep from '../scenarios/doorstep.json' with { type: 'json' };
import inactivePag from '../scenarios/inactive-pag.json' with { type: 'json' };
import labelExpiry from '../scenarios/label-expiry.json' with { type: 'json' };
import lateTracking from '../scenarios/late-tracking.json' with { type: 'json' };
import lostAnswer from '../scenarios/lost-answer.json' with { type: 'json' };
import maintenance from '../scenarios/maintenance.json' with { type: 'json' };
import missingPermission from '../scenarios/missing-permission.json' with { type: 'json' };
import noPag from '../scenarios/no-pag.json' with { type: 'json' };
import pagingUnderChange from '../scenarios/paging-under-change.json' with { type: 'json' };
import rateLimitBurst from '../scenarios/rate-limit-burst.json' with { type: 'json' };
import serverErrors from '../scenarios/server-errors.json' with { type: 'json' };
import slowService from '../scenarios/slow-service.json' with { type: 'json' };
import tokenExpiry from '../scenarios/token-expiry.json' with { type: 'json' };
import { type Fixtures, readFixtures } from './contract/fixtures.ts';
import type { Scenario } from './contract/scenarios.ts';
import { requireFit } from './sandbox/scenarios.ts';

/** Each collection is in exactly one file. */
const fixtures = { ...accounts, ...catalog, ...consumers, ...fulfillments, ...orders, ...pags } as unknown as Fixtures;

const scenarios = Object.entries({
  'discontinued-product': discontinuedProduct,
  doorstep,
  'inactive-pag': inactivePag,
  'label-expiry': labelExpiry,
  'late-tracking': lateTracking,
  'lost-answer': lostAnswer,
  maintenance: maintenance,
  'missing-permission': missingPermission,
  'no-pag': noPag,
  'paging-under-change': pagingUnderChange,
  'rate-limit-burst': rateLimitBurst,
  'server-errors': serverErrors,
  'slow-service': slowService,
  'token-expiry': tokenExpiry,
}).map(([name, content]) => ({ ...content, name })) as unknown as readonly Scenario[];

/** Not validated at each start: tests validate the files. Shared, because records are never changed in place. */
export const shippedFixtures = (): Fixtures => fixtures;

export const shippedScenarios = (): readonly Scenario[] => scenarios;

/**
 * The shipped fixtures with these collections replaced.
 * @throws FixturesError for invalid collections, and for references to missing records
 */
export function effectiveFixtures(own?: Partial<Fixtures>): Fixtures {
  if (!own) return shippedFixtures();
  return readFixtures([{ name: 'fixtures', content: { ...shippedFixtures(), ...withoutUndefined(own) } }]);
}

/**
 * The shipped scenarios and the user's own, sorted by name; the user's replaces a shipped one of the same name, and
 * must fit the fixtures. A shipped one that does not fit is refused when it is applied.
 * @throws ScenariosError
 */
export function effectiveScenarios(
  own: readonly Scenario[],
  fixtures: Fixtures | undefined,
  fileOf?: (name: string) => string,
): Scenario[] {
  if (fixtures) requireFit(own, { fixtures, fileOf });
  const byName = new Map([...shippedScenarios(), ...own].map((scenario) => [scenario.name, scenario]));
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The options without undefined values, so that a spread does not override with them. */
export const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
