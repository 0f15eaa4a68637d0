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
import { readFixtures } from './contract/files.ts';
import type { Fixtures } from './contract/fixtures.ts';
import { readScenarios, type Scenario } from './contract/scenarios.ts';

const fixtureFiles = { accounts, catalog, consumers, fulfillments, orders, pags };

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

const filesOf = (folder: string, contents: Readonly<Record<string, unknown>>) =>
  Object.entries(contents).map(([name, content]) => ({ name: `${folder}/${name}.json`, content }));

/** Made at the first asking, shared from then on: records are never changed in place. */
const once = <T>(make: () => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** What a sandbox is born from where nothing else is given. */
export const shippedFixtures: () => Fixtures = once(() => readFixtures(filesOf('fixtures', fixtureFiles)));

/** The scenarios that can be applied wherever none of the same name stands in their place. */
export const shippedScenarios: () => readonly Scenario[] = once(() =>
  readScenarios(filesOf('scenarios', scenarioFiles)),
);
