// The scripts and styles of the reference by file name: large, bundled into a file that is loaded late.
import swaggerUiStyle from 'swagger-ui-dist/swagger-ui.css?raw&packed';
import swaggerUi from 'swagger-ui-dist/swagger-ui-bundle.js?raw&packed';
import tokens from '../style/tokens.css?raw';
import pageStyle from './page.css?raw';
import start from './start.js?raw';

export const assetTexts = {
  'swagger-ui-bundle.js': swaggerUi,
  'swagger-ui.css': swaggerUiStyle,
  'start.js': start,
  'page.css': `${tokens}${pageStyle}`,
} as const;
