// `sachet calibrate` over a service that is not a Sachet: the hapi reference with Joi, with choices and bugs of its own.
import { expect, test } from 'vitest';
import type { LearnedReport } from '../../src/contract/observations.ts';
import { administrationTimes, credentials, serviceChoices, startHapiService } from '../fidelity/hapi-service.ts';
import { resultHere } from '../support/command-here.ts';
import { unknownId } from '../support/order-requests.ts';
import { calibration } from './calibrate.ts';

async function calibrated(url: string, ...more: string[]): Promise<LearnedReport> {
  const { args } = calibration(url, [
    '--json',
    '--known',
    `foreign_product=${unknownId}`,
    ...more,
    '--username',
    credentials.username,
  ]);
  const { stdout } = await resultHere(args, { CALIBRATE_PASSWORD: credentials.password });
  return JSON.parse(stdout) as LearnedReport;
}

test('finds the choices and the bugs of a service of hapi and Joi', async () => {
  const service = await startHapiService();
  try {
    const { observations, findings, facts } = await calibrated(service.url);
    expect(service.orders).toEqual([]);
    const found = Object.fromEntries(observations.map(({ assumption, allowed }) => [assumption, allowed.join()]));
    const { order_created_status: created, pack_id: pack, ...visible } = serviceChoices;
    expect(found).toMatchObject(visible);
    expect(facts.administration_times).toEqual(administrationTimes);
    expect(findings.map(({ evidence, problems }) => [evidence.call, problems])).toEqual([
      ['POST /v2/authentication/token → 200', ['expires_in is 3600, not 86400 (AUTH-1)']],
      ['POST /v2/authentication/refresh-token → 200', ['refresh_token is not documented']],
      [expect.stringMatching(/^GET \/v2\/products\/.* → 404$/), ['code is not expected: "E404"']],
    ]);

    const written = await calibrated(service.url, '--allow-writes');
    const after = Object.fromEntries(
      written.observations.map(({ assumption, allowed }) => [assumption, allowed.join()]),
    );
    expect(after).toMatchObject({ ...visible, order_created_status: created, pack_id: pack });
  } finally {
    await service.close();
  }
});
