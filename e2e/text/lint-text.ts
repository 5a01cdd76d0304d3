/** Phrases banned by Hone's style guide (docs/style.md), with their replacements. */
const BANNED: readonly { phrase: RegExp; use: string }[] = [
  { phrase: /\bput away\b/i, use: 'archive' },
  { phrase: /\bnot yours to\b/i, use: "don't have access" },
  { phrase: /\bwaits? at most\b/i, use: 'timeout' },
  { phrase: /\bgood enough from\b/i, use: 'pass threshold' },
  { phrase: /\bparted by\b/i, use: 'separated by' },
  { phrase: /\bthat counts, from\b/i, use: 'minimum' },
  { phrase: /\bby itself\b/i, use: 'automatically' },
  { phrase: /\bgo(es)? by\b/i, use: 'use, follow' },
  { phrase: /\bgoes on\b|\bwent on\b|\bgo on\b/i, use: 'continue' },
  { phrase: /\bis asked\b|\bare asked\b|\bwas asked\b/i, use: 'name the call: the model gets, Hone requests' },
  { phrase: /\b(is|are|was|were) told\b|\btold to\b/i, use: 'is sent, sees, is reported' },
  { phrase: /\bmend(s|ed|ing)?\b/i, use: 'fix' },
  { phrase: /\bcomes? to\b/i, use: 'reach, amount to' },
  { phrase: /\bworked out\b|\bwork out\b/i, use: 'compute' },
  { phrase: /\bmeanwhile\b/i, use: 'since then' },
  {
    // Except for places, as in "where they come from", "where the input goes" and "continue where it was".
    phrase:
      /\bwhere (?!(\w+ ){1,3}(from|goes|waits|applies|would have stopped)\b|(it|they) (((is|are) used|was|were)([.,]|$)))(it|they|one|you|the|a|an|no|there|that|nothing|somebody|nobody)\b/i,
    use: 'if',
  },
  { phrase: /\bbeside\b/i, use: 'next to, in addition to' },
  { phrase: /\bstands? (in|for|there|beside|behind)\b/i, use: 'is in, means' },
  { phrase: /\bone's own\b|\bone’s own\b/i, use: 'your own' },
  { phrase: /\bsomebody else\b/i, use: 'someone else' },
  { phrase: /\ba word\b.*\bsaid\b/i, use: 'say it plainly' },
];

const MOST_WORDS = 25;

/** Returns the style problems of a text shown to people. Empty if there are none. */
export function lintText(text: string): string[] {
  const banned = BANNED.filter(({ phrase }) => phrase.test(text)).map(
    ({ phrase, use }) => `"${phrase.exec(text)?.[0]}": use ${use}`,
  );
  const long = text
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => sentence.split(' ').length > MOST_WORDS)
    .map((sentence) => `${sentence.split(' ').length} words in a sentence; at most ${MOST_WORDS}`);
  const chained = (text.match(/;/g) ?? []).length > 0 ? ['a semicolon joins clauses; write two sentences'] : [];
  return [...banned, ...long, ...chained];
}
