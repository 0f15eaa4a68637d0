// The message for a certificate that a client does not trust.
/** Codes of Node for a certificate that fails verification, such as SELF_SIGNED_CERT_IN_CHAIN. */
const certificateCode = /(?:^|_)CERT(?:_|$)|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/;

/**
 * The message for a `fetch` that rejected because it does not trust the server's certificate; undefined for other
 * failures.
 * @example certificateFailure('https://localhost:4010', error) ?? 'no server answers'
 */
export function certificateFailure(url: string, error: unknown): string | undefined {
  const { code = '' } = ((error as Error).cause ?? error) as { readonly code?: string };
  if (!certificateCode.test(code)) return undefined;
  return (
    `the certificate of ${url} is not trusted (${code}); set the variable NODE_EXTRA_CA_CERTS to the file of its CA, ` +
    'and use a host name of the certificate'
  );
}
