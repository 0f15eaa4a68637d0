// The turns that no text of the project uses, each with what to write instead. A text quotes one only as code, in backticks.

/** @type {readonly { readonly turn: RegExp, readonly write: string }[]} */
export const bannedTurns = [
  { turn: /\bwho(?:m|so)?ever\b|\bnobody\b/iu, write: 'the person: you, the client, the caller; "no user"' },
  { turn: /\btold\b|\btells? of\b/iu, write: 'says, shows, reports; "the response has"' },
  {
    turn: /\b(?:there (?:is|are)|has|have|had|is|are|gives?|gave|names?|where|if) none\b|\bnone (?:of|is|are|was|that)\b/iu,
    write: 'the noun: "no cursor", "missing"',
  },
  { turn: /\bwhere (?:there|it|that|this|they|none|neither|nothing|one) /iu, write: 'if, or when' },
  { turn: /\b(?:stands?|standing|stood)\b(?! for)/iu, write: 'is, has, is in, appears' },
  { turn: /\bben(?:d|ds|ding|t)\b/iu, write: 'override, change, set a switch' },
  { turn: /\bright client\b/iu, write: 'correct client' },
  {
    turn: /\b(?:take|takes|took|taken|taking|give|gives|gave|given|giving)s? back\b/iu,
    write: 'remove, revert, restore',
  },
  { turn: /\banew\b/iu, write: 'again, from the start' },
  { turn: /\bmend(?:s|ed|ing)?\b/iu, write: 'fix, correct' },
  { turn: /\bbeside\b/iu, write: 'next to, besides, in addition to' },
  { turn: /\b(?:is|are|was|were) no (?!longer|more|less)/iu, write: '"is not a …", "isn\'t a …"' },
  { turn: /\bwhat (?:is|was|are|were|stands?|comes?|came|has)\b/iu, write: 'the noun itself' },
  {
    turn: /\bby (?:its|the|their|this|that|these) (?:sandbox['’]s )?(?:own )?(?:clock|seed|schema|readings?|choices?|contract|defaults?|time)\b/iu,
    write: 'on the clock, from the seed, according to the contract, with the default',
  },
  { turn: /\bso (?:many|long|much|few) (?!that|as)/iu, write: 'the number or the unit' },
  { turn: /\b(?:is|are|still|was|were) good\b/iu, write: 'valid' },
  { turn: /\bmet by\b|\bmeets it\b/iu, write: 'affected by' },
  { turn: /\breadings?\b/iu, write: 'choice (of an assumption)' },
  { turn: /\bunder way\b/iu, write: 'in progress, in flight' },
  { turn: /\b(?:of|by|to|from|for) (?:which|whom)\b|\bwhose\b.*\bwhose\b/iu, write: 'two sentences' },
  { turn: /\b(?:is|are|was) to (?:be|stand|have)\b/iu, write: 'must, will, should' },
  { turn: /\b(?:not|isn['’]t|is|are|was|been) said\b/iu, write: 'omitted, given, set' },
  { turn: /\bas (?:new|made)\b|\bnewborn\b/iu, write: 'initial state; "reset"' },
  { turn: /\bby force\b/iu, write: 'forced, skipping the checks' },
  { turn: /\b(?:come|comes|came) (?:again|back)\b/iu, write: 'repeat, return, send again' },
  { turn: /\blooks? after\b/iu, write: 'manage, maintain' },
  { turn: /\bas it (?:stands|comes|came)\b|\bas they are\b/iu, write: 'unchanged' },
  { turn: /\bthe like\b|\blikewise\b|\bthereof\b|\bwherever\b/iu, write: 'a plain sentence' },
  {
    turn: /\b(?:licence|colour|behaviour|favour|honour|cancelled|labelled|modelled|whilst|grey)s?\b/iu,
    write: 'American spelling',
  },
];
