// The turns that no text of the project uses, each with an example and what to write instead. A text quotes one only as code.

export const bannedTurns = [
  {
    turn: /\bwho(?:m|so)?ever\b|\bnobody\b/iu,
    example: 'Nobody may log in.',
    write: 'the person: you, the client; "no user"',
  },
  {
    turn: /\btold\b|\btells? of\b/iu,
    example: 'It is told by the header.',
    write: 'says, shows, reports, "the response has"',
  },
  {
    turn: /\b(?:[Tt]here (?:is|are)|has|have|had|is|are|gives?|gave|names?|where|if) none\b|\b[Nn]one (?:of|is|are|was|that)\b/u,
    example: 'There is none.',
    write: 'the noun: "no cursor", or "missing"',
  },
  {
    turn: /\bwhere (?:there|it|that|this|they|none|neither|nothing|one) /iu,
    example: 'where it is set',
    write: 'if, or when',
  },
  { turn: /\b(?:stands?|standing|stood)\b(?! for)/iu, example: 'It stands in the header.', write: 'is, has, appears' },
  { turn: /\bben(?:d|ds|ding|t)\b/iu, example: 'bend it', write: 'override, change, set a switch' },
  { turn: /\bright client\b/iu, example: 'a right client', write: 'a correct client' },
  {
    turn: /\b(?:takes?|took|taken|taking|gives?|gave|given|giving) back\b/iu,
    example: 'It is taken back.',
    write: 'remove, revert, restore',
  },
  { turn: /\banew\b/iu, example: 'It begins anew.', write: 'again, from the start' },
  { turn: /\bmend(?:s|ed|ing)?\b/iu, example: 'Mend the file.', write: 'fix, correct' },
  { turn: /\bbeside\b/iu, example: 'beside the server', write: 'next to, in addition to' },
  {
    turn: /(?<!there )\b(?:is|are|was|were) no (?!longer|more|less)/iu,
    example: '"x" is no port',
    write: '"is not a …"',
  },
  { turn: /\bwhat (?:is|was|are|were|stands?|comes?|came|has)\b/iu, example: 'what is left', write: 'the noun itself' },
  {
    turn: /\bby (?:its|the|their|this|that|these) (?:sandbox['’]s )?(?:own )?(?:clock|seed|schema|readings?|choices?|contract|defaults?|time)\b/iu,
    example: "It ends by the sandbox's clock.",
    write: 'on the clock, from the seed, according to the contract, with the default',
  },
  {
    turn: /\bso (?:many|long|much|few) (?!that|as)/iu,
    example: 'so many of the next calls',
    write: 'the number or the unit',
  },
  { turn: /\b(?:is|are|still|was|were) good\b/iu, example: 'The token is good.', write: 'valid' },
  { turn: /\bmet by\b|\bmeets it\b/iu, example: 'met by a fault', write: 'affected by' },
  { turn: /\breadings?\b/iu, example: 'by another reading', write: 'choice (of an assumption)' },
  { turn: /\bunder way\b/iu, example: 'calls under way', write: 'in progress, in flight' },
  { turn: /\b(?:of|by|to|from|for) (?:which|whom)\b/iu, example: 'a page of which one knows', write: 'two sentences' },
  { turn: /\b(?:is|are|was) to (?:be|stand|have)\b/iu, example: 'It is to be sent.', write: 'must, will, should' },
  { turn: /\b(?:not|isn['’]t|is|are|was|been) said\b/iu, example: 'if it is not said', write: 'omitted, given, set' },
  { turn: /\bas (?:new|made)\b|\bnewborn\b/iu, example: 'as new', write: '"reset", the initial state' },
  { turn: /\bby force\b/iu, example: 'delivered by force', write: 'forced, skipping the checks' },
  {
    turn: /\b(?:come|comes|came) (?:again|back)\b/iu,
    example: 'The call came again.',
    write: 'repeat, return, send again',
  },
  { turn: /\blooks? after\b/iu, example: 'It looks after the store.', write: 'manage, maintain' },
  { turn: /\bas it (?:stands|comes|came)\b|\bas they are\b/iu, example: 'as they are', write: 'unchanged' },
  { turn: /\bthe like\b|\blikewise\b|\bthereof\b|\bwherever\b/iu, example: 'and the like', write: 'a plain sentence' },
  {
    turn: /\b(?:licence|colour|behaviour|favour|honour|cancelled|labelled|modelled|whilst|grey)s?\b/iu,
    example: 'the behaviour',
    write: 'American spelling',
  },
];
