// One call as a line: of the server's log, and of the commands that print the journal.
import { styleText } from 'node:util';
import { printable } from '../client/printable.ts';

export interface CallLine {
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** Null if the connection broke before there was a response. */
  readonly status: number | null;
  /** The rules that the call breaks. */
  readonly rules?: readonly string[];
  readonly reason?: string | null | undefined;
  readonly milliseconds: number | null;
  readonly sandbox?: string | undefined;
}

type Style = Parameters<typeof styleText>[0];

/** Whether the stream is a terminal with colors: false with NO_COLOR, and for files and pipes. */
export const hasColors = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && stream.hasColors();

/**
 * The line, without its end. The path, reason and sandbox cannot break it or move the cursor.
 * @example '12:00:00.000 GET /v2/products 401 missing_token_message the header Authorization is missing 0.3 ms stage'
 */
export function callLine(call: CallLine, isColored = false): string {
  const { time, method, path, status, rules = [], reason, milliseconds, sandbox } = call;
  const styled = (style: Style, text: string): string => {
    const safe = printable(text);
    return isColored ? styleText(style, safe, { validateStream: false }) : safe;
  };
  const duration = milliseconds === null ? '-' : `${milliseconds.toFixed(1)} ms`;
  return [
    styled('dim', time),
    printable(`${method} ${path}`),
    styled(styleOf(status), `${status ?? '-'}`),
    ...(rules.length > 0 ? [styled('bold', [...new Set(rules)].join(','))] : []),
    ...(reason ? [printable(reason)] : []),
    styled('dim', sandbox ? `${duration} ${sandbox}` : duration),
  ].join(' ');
}

function styleOf(status: number | null): Style {
  if (!status || status >= 500) return 'red';
  return status < 400 ? 'green' : 'yellow';
}
