// Cursors of the control API: what was shown last, in a form that no client has a reason to look into.
import { z } from 'zod';

const mark = 'after ';

/** The cursor of the page after what was shown last: a sequence number, or an id. */
export const cursorAfter = (last: string | number): string => btoa(mark + last).replaceAll('=', '');

/** A cursor as a client gives it back, as what was shown last; only the very text that was given is one. */
export const cursorOf = <T extends string | number>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    const last = read(decoded(text).replace(mark, ''));
    if (last !== '' && cursorAfter(last) === text) return last;
    context.issues.push({ code: 'custom', message: 'a next_cursor of this list', input: text });
    return z.NEVER;
  });

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
