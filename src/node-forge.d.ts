// The parts of node-forge that are imported by themselves: the whole is almost twice as large.
declare module 'node-forge/lib/asn1.js' {
  export { asn1 as default } from 'node-forge';
}
declare module 'node-forge/lib/sha256.js' {
  import type { md } from 'node-forge';

  const sha256: typeof md.sha256;
  export default sha256;
}
declare module 'node-forge/lib/x509.js' {
  export { pki as default } from 'node-forge';
}
