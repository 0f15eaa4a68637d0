// The console's scripts and styles.
import { Assets } from '../http/assets.ts';
import { assetTexts } from './asset-texts.ts';

/** The names that they are served under. */
export type AssetName = keyof typeof assetTexts;

export const isAsset = (name: string): name is AssetName => Object.hasOwn(assetTexts, name);

export const assets = new Assets<AssetName>('page', async () => assetTexts);
