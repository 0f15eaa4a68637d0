// Reads a report as `--json` has written it.
import { readFileSync } from 'node:fs';

/** `{ file, report }`. @throws where the file holds no report, or one that is not to be published */
export function readReport(file) {
  const report = parsed(file);
  const { machine, settings, figures } = report ?? {};
  if (!machine || !settings || !Array.isArray(figures)) {
    throw new Error(`${file} is no file of npm run bench -- --json FILE: it has no machine, settings and figures`);
  }
  if (report.isQuick) {
    throw new Error(`${file} is of --quick, whose runs are too short to be published; measure without --quick`);
  }
  return { file, report };
}

function parsed(file) {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(
      `${file} is no JSON, so no file of npm run bench -- --json FILE: ${error.message.replaceAll(/\s+/g, ' ')}`,
    );
  }
}
