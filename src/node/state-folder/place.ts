// Where state is kept, and by what.
import type { Disk } from './disk.ts';
import type { Formats } from './format.ts';

/** A state folder, and what reads and writes it. */
export interface Place {
  readonly disk: Disk;
  /** The state folder. */
  readonly path: string;
  readonly formats: Formats;
}

/** Where all sandboxes stand. */
export const sandboxesOf = ({ path }: Pick<Place, 'path'>): string => `${path}/sandboxes`;

/** Where one of them stands. */
export const folderOf = (place: Pick<Place, 'path'>, name: string): string => `${sandboxesOf(place)}/${name}`;
