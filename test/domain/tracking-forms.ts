// Whether a text is a tracking number of a carrier, by its form and its check digit.
import { trackingFormats } from '../../src/domain/tracking.ts';

export type Format = keyof typeof trackingFormats;

/** The groups are the characters that the check digit covers, and the digit. */
const forms: Readonly<Record<Format, RegExp>> = {
  ups_1z: /^1Z([0-9A-Z]{15})(\d)$/,
  usps_22: /^(9[1-5]\d{19})(\d)$/,
  upu_s10: /^[A-Z]{2}(\d{8})(\d)[A-Z]{2}$/,
  fedex_12: /^(\d{11})(\d)$/,
  dhl_10: /^(\d{9})(\d)$/,
};

/** Accepts any shipper, service and country. */
export function isTrackingNumber(format: Format, text: string): boolean {
  const [, body, digit] = forms[format].exec(text) ?? [];
  return body !== undefined && trackingFormats[format].checkDigit(body) === Number(digit);
}
