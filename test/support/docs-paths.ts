// What stands under /_docs, by its path.

export const docsPaths = [
  '/_docs',
  '/_docs/',
  '/_docs/openapi.json',
  '/_docs/control/openapi.json',
  '/_docs/page.css',
] as const;
