// The scripts and styles of the reference's page.
import { Assets } from '../assets.ts';

/** The names that they are served under, below the page. */
export const assetNames = ['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js', 'page.css'] as const;
export type AssetName = (typeof assetNames)[number];

export const assets = new Assets<AssetName>('data', async () => (await import('./asset-texts.ts')).assetTexts);
