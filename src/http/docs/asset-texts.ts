// What the reference's page loads, as parts of the program: two megabytes, so a chunk of its own, which is loaded with the first of them.

import swaggerUiStyle from 'swagger-ui-dist/swagger-ui.css?raw';
import swaggerUi from 'swagger-ui-dist/swagger-ui-bundle.js?raw';
import pageStyle from './page.css?raw';
import start from './start.js?raw';

/** By the names that they are served under. */
export const assetTexts = {
  'swagger-ui-bundle.js': swaggerUi,
  'swagger-ui.css': swaggerUiStyle,
  'start.js': start,
  'page.css': pageStyle,
} as const;
