// `cursor_opaque`: only cursors come that an answer gave. The service seals its cursors, so it is it that tells.
import type { Rule } from '../reducer.ts';

export const cursorOpaque: Rule = {
  begins: ({ cursor }) => cursor !== null,
  follow: (ruling) => ({
    see(call) {
      if (call.cursor === null) return;
      if (call.next !== undefined) ruling.test(call.id);
      else if (call.stage !== 'admission' && isRefusedFor(call.fields, call.rules))
        ruling.fail('a cursor came that no answer gave', call.id);
    },
  }),
};

/** Where a list takes no cursor at all, it is an undocumented parameter. */
const isRefusedFor = (fields: readonly (string | null)[], rules: readonly string[]): boolean =>
  fields.some((field, index) => field === 'cursor' && rules[index] !== 'unknown_fields');
