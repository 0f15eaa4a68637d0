// The modules without types of their own.

// Files that are imported as their text: vite and bundle.mjs both know `?raw`.
declare module '*?raw' {
  const text: string;
  export default text;
}

// A large text. bundle.mjs compresses it, and makes it a function.
declare module '*?raw&packed' {
  const text: string | (() => Promise<string>);
  export default text;
}

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
