// Gaps about what an order request may hold.
import type { Assumption } from './assumption.ts';

export const orderRequestAssumptions = {
  new_consumer_contact: {
    question: 'which of email and phone_number a new consumer needs',
    choices: [
      ['none', 'neither'],
      ['email', '`"email" is required`'],
      ['phone_number', '`"phone_number" is required`'],
      ['either', '`"consumer" must contain at least one of [email, phone_number]`'],
      ['both', 'each is required'],
    ],
  },
  new_consumer_match: {
    question: 'a new consumer whose e-mail is known already',
    choices: [
      ['always_new', 'a further consumer is created'],
      ['by_email', 'the known consumer is used, unchanged'],
    ],
  },
  phone_format: {
    question: 'whether E.164 is checked (no message is documented)',
    choices: [
      ['pattern', '`"phone_number" with value "abc" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/`'],
      ['length_only', 'only the 15 characters'],
    ],
  },
  unknown_fields: {
    question: 'a field that the contract does not name',
    choices: [
      ['reject', '`"x" is not allowed`'],
      ['ignore', 'left out silently'],
    ],
  },
  numeric_strings: {
    question: 'whether `"30"` counts as a number',
    choices: [
      ['reject', '`"duration" must be a number`'],
      ['accept', 'taken as the number'],
    ],
  },
  empty_arrays: {
    question: '`pouches: []` and `contents: []` ("at least 1 item" is said of order_lines only)',
    choices: [
      ['reject', '`"pouches" must contain at least 1 items`'],
      ['accept', 'taken'],
    ],
  },
  pouch_both: {
    question: 'the words for a pouch with both `pack_id` and `contents`',
    choices: [
      ['documented', "ORD-6's"],
      ['joi', '`"[0]" contains a conflict between exclusive peers [contents, pack_id]`'],
    ],
  },
  time_of_administration: {
    question: 'the allowed values',
    choices: [
      ['any', 'any non-empty string'],
      ['closed', 'the fixtures\' list: `"time_of_administration" must be one of [Morning, …]`'],
    ],
  },
  pack_id: {
    question: 'its format and meaning',
    choices: [
      ['any', 'a non-empty string, or a number'],
      ['known', 'a pack of the fixtures, checked after ORD-18: `Pack not found`'],
    ],
  },
  order_fields: {
    question: 'fields of the order beyond id, status and consumer',
    choices: [
      ['documented', 'none'],
      ['echo', 'also shipping_address, order_lines, created_at, updated_at'],
    ],
  },
} as const satisfies Record<string, Assumption>;
