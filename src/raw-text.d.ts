// Files that are imported as their text: vite and bundle.mjs both know `?raw`.
declare module '*?raw' {
  const text: string;
  export default text;
}
