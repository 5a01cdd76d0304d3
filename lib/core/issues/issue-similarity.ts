/**
 * Minimum similarity of two wordings of one issue. Chosen on the labelled pairs of `issue-pairs.test-support.ts`, half of them paraphrases
 * and half different issues about the same part of a text: 75 of 80 are classified correctly at 0.55, 72 at 0.5 and 74 at 0.6. On 60
 * held-out pairs, it classifies 48 correctly. A lower threshold merges different issues, a higher one treats paraphrases as new issues.
 */
export const SAME_ISSUE_SIMILARITY = 0.55;

/** Features of an issue for comparison: the stems of its words, and the exact names and numbers in it. */
export type IssueTokens = { stems: Set<string>; isLacking: boolean; names: Set<string>; numbers: Set<string> };

/** Maximum characters of a text that are compared. */
const MAX_COMPARED_LENGTH = 1_000;
/** Weight of a statement that something is missing, in words. A missing example is neither a missing summary nor a wrong example. */
const LACKING_WEIGHT = 0.5;

/**
 * Returns the lexical similarity of two issues, 0 to 1: the Dice coefficient over stems, without stop words and the phrases that all issues
 * share ("the answer does not mention"). All words for something missing count as one. If both quote or name code, or both contain numbers,
 * but have none in common, they are about different places: 0.
 */
export function issueSimilarity(one: IssueTokens, other: IssueTokens): number {
  if (areDistinct(one.numbers, other.numbers) || areDistinct(one.names, other.names)) return 0;
  const size = weightOf(one) + weightOf(other);
  if (size === 0) return 0;
  const shared = sharedOf(one.stems, other.stems);
  // Two issues are not similar only because both are about something missing.
  if (shared === 0) return 0;
  return (2 * (shared + (one.isLacking && other.isLacking ? LACKING_WEIGHT : 0))) / size;
}

/** Extracts the features of an issue's text for `issueSimilarity`. */
export function issueTokens(text: string): IssueTokens {
  const beginning = text.slice(0, MAX_COMPARED_LENGTH).normalize('NFKC');
  const tokens: IssueTokens = { stems: new Set(), isLacking: false, names: namesIn(beginning), numbers: new Set() };
  for (const [word] of beginning
    .toLowerCase()
    .replace(/['’]/g, '')
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    if (LACKING.has(word)) tokens.isLacking = true;
    else if (!STOP_SEQUENCES.has(word)) {
      const folded = SYNONYMS.get(word) ?? word;
      const token = SYNONYMS.get(stemOf(folded)) ?? stemOf(folded);
      tokens.stems.add(token);
      if (/\d/.test(word)) tokens.numbers.add(word);
    }
  }
  return tokens;
}

function areDistinct(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size > 0 && other.size > 0 && sharedOf(one, other) === 0;
}

function weightOf({ stems, isLacking }: IssueTokens): number {
  return stems.size + (isLacking ? LACKING_WEIGHT : 0);
}

function sharedOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of one) if (other.has(stem)) shared++;
  return shared;
}

/** Returns quoted words, and words that look like code: `parse`, max_tokens, readFile, user.name. */
function namesIn(text: string): Set<string> {
  const quoted = text.matchAll(/"([^"\n]{1,200})"|“([^”\n]{1,200})”|`([^`\n]{1,200})`/g);
  const code = text.matchAll(/\b[\p{L}\d]+(?:[_.][\p{L}\d]+)+\b|\b\p{Ll}+\p{Lu}[\p{L}\d]*\b/gu);
  const words = [...quoted].flatMap(([, one, two, three]) =>
    (one ?? two ?? three ?? '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}_]+/u)
      .filter((word) => word !== '' && !STOP_SEQUENCES.has(word)),
  );
  const named = [...code].map(([word]) => word.toLowerCase()).filter((word) => word !== 'e.g' && word !== 'i.e');
  return new Set([...words, ...named]);
}

const ENDINGS =
  'ational ization ations ation ition ments ment ness ingly edly ibility ability ing ed ly er ion al able ible ity ive'.split(
    ' ',
  );
const MIN_STEM_LENGTH = 4;

/** A light English stemmer: removes the plural, then the longest known ending, then doubled and silent letters at the end. */
function stemOf(word: string): string {
  if (word.length < MIN_STEM_LENGTH || /\d/.test(word)) return word;
  let stem = word;
  if (/ies$/.test(stem) && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:ch|sh|x|ss|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^siu]s$/.test(stem)) stem = stem.slice(0, -1);
  const ending = ENDINGS.find((one) => stem.endsWith(one) && stem.length - one.length >= MIN_STEM_LENGTH);
  if (ending !== undefined) stem = stem.slice(0, -ending.length);
  return stem
    .replace(/(.)\1$/, '$1')
    .replace(/[ey]$/, '')
    .replace(/i$/, '');
}

function wordsOf(text: string): Set<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

const LACKING = wordsOf(`
  no not never without lack lacks lacking missing miss misses absent absence omit omits omitted omission none neither nor cannot cant doesnt
  dont isnt arent wasnt werent fail fails failed nowhere unmentioned ignore ignores ignored skip skips skipped`);

/** Words without meaning in themselves, and words that are common in all issues. */
const STOP_SEQUENCES = wordsOf(`
  a an and are as at be been being but by can could did do does doing done for from had has have having he her his how i if in into is it its
  itself may might more most must of on or our over same shall she should so some such than that the their them then there these they this
  those to too under up use used uses using very was we were what when where which while who whom why will with would you your about
  also just still remain remains any all each both other only here now yet already again even almost quite rather per via
  give given gives giving answer response text draft output candidate reply version author writer content issue problem get gets make makes
  making like say says said present presented provide provided provides show shown include included includes contain contains current
  currently overly overall rather state states task mention mentions mentioned section sections address addressed addresses handle handled
  handles handling explain explains explained explanation discuss discussed discusses describe described describes`);

/** Words that judges use interchangeably, by plain form or stem. */
const SYNONYMS = new Map(
  Object.entries({
    intro: 'introduction',
    lengthy: 'long',
    overlong: 'long',
    longer: 'long',
    wordy: 'long',
    verbose: 'long',
    exceed: 'long',
    vague: 'unclear',
    ambiguous: 'unclear',
    illogical: 'logical',
    one: '1',
    first: '1',
    two: '2',
    second: '2',
    three: '3',
    third: '3',
    citation: 'cite',
    citations: 'cite',
  }).map(([word, meant]) => [word, /\d/.test(meant) ? meant : stemOf(meant)]),
);
