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
