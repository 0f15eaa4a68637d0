// The fixtures and scenarios that come with Sachet, as parts of the program: nothing is read from files.
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
import type { Fixtures } from './contract/fixtures.ts';
import type { Scenario } from './contract/scenarios.ts';

/** Each collection stands in one of the files. */
const fixtures = { ...accounts, ...catalog, ...consumers, ...fulfillments, ...orders, ...pags } as unknown as Fixtures;

const scenarioFiles = {
  'discontinued-product': discontinuedProduct,
  doorstep: doorstep,
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
};

const scenarios = Object.entries(scenarioFiles).map(([name, content]) => ({
  ...content,
  name,
})) as unknown as readonly Scenario[];

/**
 * What a sandbox is born from where nothing else is given. The files are not checked at each start: they are known to be sound, by the tests.
 * Shared, as records are never changed in place.
 */
export const shippedFixtures = (): Fixtures => fixtures;

/** The scenarios that can be applied wherever none of the same name stands in their place, by name. */
export const shippedScenarios = (): readonly Scenario[] => scenarios;
