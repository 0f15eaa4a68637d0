// What the console's pages load, as parts of the program.

import pico from '@picocss/pico/css/pico.min.css?raw';
import htmx from 'htmx.org/dist/htmx.min.js?raw';
import key from './browser/key.js?raw';
import live from './browser/live.js?raw';
import page from './browser/page.js?raw';
import frame from './style/frame.css?raw';
import ofPages from './style/pages.css?raw';
import parts from './style/parts.css?raw';

/** By the names that they are served under. */
export const assetTexts = {
  'htmx.js': htmx,
  'pico.css': pico,
  'console.css': [frame, parts, ofPages].join('\n'),
  'key.js': key,
  'live.js': live,
  'page.js': page,
} as const;
