// Tracking numbers of carriers, against numbers that others have published.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serialsOf, trackingFormats, trackingNumber } from '../../src/domain/tracking.ts';
import { fixtures } from '../support/sachet.ts';
import { type Format, isTrackingNumber } from '../support/tracking-forms.ts';

const formats = Object.keys(trackingFormats) as Format[];

/** From github.com/jkeen/tracking_number_data, couriers/*.json; second lines from the sources in the comment above. */
const published: Readonly<Record<Format, string>> = {
  // UPS Tracking developer guide, where the digit is right; Perl's Algorithm::CheckDigits::M10_011; jbittel/drogher.
  ups_1z: `1Z5R89390357567127 1Z879E930346834440 1Z410E7W0392751591 1Z8V92A70367203024
    1Z12345E6605272234 1Z648616E192760718 1ZWX0692YP40636269 1Z5915806855587736 1Z999AA10123456784`,
  // All of the first source.
  usps_22: `9505511069605048600624 9101123456789000000013 9400111201080805483016 9361289878700317633795
    9405803699300124287899 9101026837331000039521 9261292700768711948021`,
  // UPU S10, as Wikipedia and zint's tests cite it; Apache Commons S10UPUCheckDigitTest: VA… is 11 as 5, RT… 10 as 0.
  upu_s10: `RB123456785CV
    RR473124829GB EE876543216CA CP654321092GM RR012808877PH VA456789015KG RT395449360DE`,
  // A FedEx Express example (answers.google.com, id 207899); mock numbers of its Track API. 974367662710 is 10 as 0.
  fedex_12: `986578788855 477179081230 799531274483 790535312317 974367662710
    012345678983 568838414941 797615467620 581190049992 797806677146`,
  // jbittel/drogher.
  dhl_10: `3318810025 8487135506 1099255990 3821724944 3318810036 3318810014
    1656740256`,
};
const examples = formats.flatMap((format) => published[format].split(/\s+/).map((number) => [format, number] as const));

describe.each(examples)('%s: %s', (format, number) => {
  const [, start = '', digit = '', end = ''] = /^(.+)(\d)(\D*)$/.exec(number) ?? [];

  test('is a number of this format alone', () => {
    expect(formats.filter((each) => isTrackingNumber(each, number))).toEqual([format]);
  });

  test('has the one check digit that is right', () => {
    const right = [...'0123456789A'].filter((other) => isTrackingNumber(format, start + other + end));
    expect(right).toEqual([digit]);
  });

  test('is none when cut, lengthened, spaced or before a line break', () => {
    const bent = [number.slice(1), number.slice(0, -1), `${number}0`, `0${number}`, `${number}\n`];
    const spaced = [` ${number}`, `${number} `, number.replace(/(.{4})/g, '$1 ')];
    expect([...bent, ...spaced].filter((text) => formats.some((each) => isTrackingNumber(each, text)))).toEqual([]);
  });
});

test.each<[Format, string, string]>([
  ['ups_1z', 'another beginning', '1A5R89390357567127'],
  ['ups_1z', 'lower case', '1z5r89390357567127'],
  ['ups_1z', 'a lower case letter, and the digit that its code would ask for', '1Z5r89390357567123'],
  ['ups_1z', 'a wrong check digit, though a test number of UPS', '1Z12345E0205271688'],
  ['ups_1z', 'two characters swapped', '1Z999AA10213456784'],
  ['usps_22', 'two digits swapped', '9505511069605048606024'],
  ['usps_22', 'the beginning of a FedEx Ground number', '9600000000000000000007'],
  ['upu_s10', 'lower case', 'rb123456785gb'],
  ['upu_s10', 'two digits swapped', 'RR473214829GB'],
  ['fedex_12', 'two digits swapped', '968578788855'],
  ['dhl_10', 'two digits swapped', '3138810025'],
])('%s: no number has %s', (format, _, text) => {
  expect(isTrackingNumber(format, text)).toBe(false);
});

/** Numbers of the fixtures that are as we make them, by their serial numbers. */
const shipped: Readonly<Record<Format, readonly [serial: number, number: string, form: RegExp]>> = {
  ups_1z: [6722852, '1ZA10E830367228528', /^1ZA10E8303(\d{7})\d$/],
  usps_22: [1382847, '9400190317456213828476', /^94001903174562(\d{7})\d$/],
  upu_s10: [78229393, 'LZ782293934US', /^LZ(\d{8})\dUS$/],
  fedex_12: [632572743, '796325727437', /^79(\d{9})\d$/],
  dhl_10: [85619651, '4856196516', /^4(\d{8})\d$/],
};

describe.each(formats)('our numbers of %s', (format) => {
  const [serial, number, form] = shipped[format];

  test('are valid, and each tells its serial number, so that no two are alike', () => {
    expect(trackingNumber(format, serial)).toBe(number);
    const property = fc.property(fc.nat({ max: serialsOf(format) - 1 }), (given) => {
      const made = trackingNumber(format, given);
      expect([isTrackingNumber(format, made), Number(form.exec(made)?.[1])]).toEqual([true, given]);
    });
    fc.assert(property, { numRuns: 1000, examples: [[0], [serialsOf(format) - 1]] });
  });
});

test.each(fixtures.carriers)('the fixtures have numbers of $name, all of them valid', ({ name, tracking_number }) => {
  const infos = fixtures.fulfillments.flatMap((fulfillment) => fulfillment.tracking_info ?? []);
  const numbers = infos.filter((info) => info.shipping_carrier === name).map((info) => info.tracking_number);
  expect(numbers).not.toEqual([]);
  expect(numbers.filter((each) => !isTrackingNumber(tracking_number, each))).toEqual([]);
});
