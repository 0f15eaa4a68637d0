// The library's entry for Node, with ports and files. Exports only.

export { loadFixtures, loadScenarios } from './load-files.ts';
export { type ServeOptions, serve } from './serve.ts';
