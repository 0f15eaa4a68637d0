// Tracking numbers of carriers, compared with published numbers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serialsOf, trackingFormats, trackingNumber } from '../../src/domain/tracking.ts';
import { fixtures } from '../support/sachet.ts';
import { type Format, isTrackingNumber } from './tracking-forms.ts';

const formats = Object.keys(trackingFormats) as Format[];
/** From github.com/jkeen/tracking_number_data, couriers/*.json; other sources are named. */
const published: Readonly<Record<Format, string>> = {
  // And the UPS Tracking developer guide; Perl's Algorithm::CheckDigits::M10_011.
  ups_1z: '1Z5R89390357567127 1Z879E930346834440 1Z410E7W0392751591 1Z8V92A70367203024 1Z12345E6605272234',
  usps_22: '9505511069605048600624 9101123456789000000013 9400111201080805483016 9361289878700317633795',
  // And UPU S10, as Wikipedia cites it; Apache Commons S10UPUCheckDigitTest: VA… is 11 as 5, RT… 10 as 0.
  upu_s10: 'RB123456785CV RR473124829GB EE876543216CA VA456789015KG RT395449360DE',
  // And a FedEx Express example; mock numbers of its Track API. 974367662710 is 10 as 0.
  fedex_12: '986578788855 477179081230 799531274483 974367662710 012345678983',
  dhl_10: '3318810025 8487135506 1099255990 1656740256',
};

test.each(formats)('the published numbers of %s are of this format alone, with one valid check digit', (format) => {
  const wrong = published[format].split(' ').filter((number) => {
    const [, start = '', digit = '', end = ''] = /^(.+)(\d)(\D*)$/.exec(number) ?? [];
    const valid = [...'0123456789A'].filter((other) => isTrackingNumber(format, start + other + end));
    const changed = [number.slice(1), number.slice(0, -1), `${number}0`, `0${number}`, `${number}\n`, ` ${number}`];
    return (
      formats.filter((each) => isTrackingNumber(each, number)).join() !== format ||
      valid.join() !== digit ||
      changed.some((text) => formats.some((each) => isTrackingNumber(each, text)))
    );
  });
  expect(wrong).toEqual([]);
});

/** Shipped numbers by their serial numbers, with the digits of the serial number in a group. */
const shipped: Readonly<Record<Format, readonly [serial: number, number: string, form: RegExp]>> = {
  ups_1z: [6722852, '1ZA10E830367228528', /^1ZA10E8303(\d{7})\d$/],
  usps_22: [1382847, '9400190317456213828476', /^94001903174562(\d{7})\d$/],
  upu_s10: [78229393, 'LZ782293934US', /^LZ(\d{8})\dUS$/],
  fedex_12: [632572743, '796325727437', /^79(\d{9})\d$/],
  dhl_10: [85619651, '4856196516', /^4(\d{8})\d$/],
};

test.each(formats)(
  'our numbers of %s are valid, and each has its serial number, so that no two are equal',
  (format) => {
    const [serial, number, form] = shipped[format];
    expect(trackingNumber(format, serial)).toBe(number);
    const property = fc.property(fc.nat({ max: serialsOf(format) - 1 }), (given) => {
      const made = trackingNumber(format, given);
      expect([isTrackingNumber(format, made), Number(form.exec(made)?.[1])]).toEqual([true, given]);
    });
    fc.assert(property, { numRuns: 300, examples: [[0], [serialsOf(format) - 1]] });
  },
);

test('the fixtures have valid numbers of each carrier', () => {
  const infos = fixtures.fulfillments.flatMap((fulfillment) => fulfillment.tracking_info ?? []);
  for (const { name, tracking_number } of fixtures.carriers) {
    const numbers = infos.filter((info) => info.shipping_carrier === name).map((info) => info.tracking_number);
    expect(numbers, name).not.toEqual([]);
    expect(numbers.filter((each) => !isTrackingNumber(tracking_number, each))).toEqual([]);
  }
});
