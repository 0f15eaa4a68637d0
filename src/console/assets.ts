// The console's scripts and styles.
import { Assets } from '../http/assets.ts';

const names = ['htmx.js', 'pico.css', 'console.css', 'key.js', 'live.js', 'page.js'] as const;
/** The names that they are served under. */
export type AssetName = (typeof names)[number];

export const isAsset = (name: string): name is AssetName => names.some((known) => known === name);

export const assets = new Assets<AssetName>(async () => (await import('./asset-texts.ts')).assetTexts);
