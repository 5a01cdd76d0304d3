import { decodeRot13, plainView } from '../normalize-text.ts';

/** Possible intents of a hostile lesson. */
const SCREEN_FAMILIES = [
  'prompt_injection',
  'score_manipulation',
  'tool_misuse',
  'privacy_leak',
  'scope_overreach',
] as const;
export type ScreenFamily = (typeof SCREEN_FAMILIES)[number];

/** Reason why a lesson is held: its apparent intent, the matching rule and the matched words. */
export type ScreenFinding = { family: ScreenFamily; rule: string; matched: string };

/** Pattern applied to every reading of a lesson, in time linear in its length. `rule` is the human-readable description of the finding. */
export type ScreenRule = {
  family: ScreenFamily;
  rule: string;
  /** Global. */
  pattern: RegExp;
  /** True if a warning directly before the match makes it harmless: "never …", "do not …". */
  warned?: true;
  /** A sentence that also matches this pattern is harmless. */
  unless?: RegExp;
};

/**
 * Returns a function that creates rules of a family, one for each pattern and all with the same description. Texts are compiled with
 * `phrase`.
 */
export function rulesOf(family: ScreenFamily) {
  return (
    rule: string,
    options: Pick<ScreenRule, 'warned' | 'unless'>,
    patterns: readonly (string | RegExp)[],
  ): ScreenRule[] =>
    patterns.map((pattern) => ({
      ...{ family, rule, ...options },
      pattern: typeof pattern === 'string' ? phrase(pattern) : pattern,
    }));
}

/**
 * Compiles a phrase to a case-insensitive pattern with any punctuation between its words. A space is a required separator, ` ?` an optional
 * one, and `…3` allows up to three more words. The rest is regular expression syntax. Words and separators are mutually exclusive, so there
 * is only one way to match a text.
 */
export function phrase(words: string): RegExp {
  const source = words
    .replaceAll(/ …(\d) /g, (_all, most: string) => `\\W{1,5}(?:\\w{1,20}\\W{1,5}){0,${most}}`)
    .replaceAll(' ?', '\\W{0,3}')
    .replaceAll(' ', '\\W{1,5}');
  return new RegExp(`\\b(?:${source})\\b`, 'gi');
}

/** Finds content that a reviewer would not see: encoded words, invisible characters, comments. */
export function hiddenParts(text: string, readings: Reading[]): ScreenFinding[] {
  const findings: ScreenFinding[] = [];
  const hold = (rule: string, matched: string | undefined) => {
    if (matched !== undefined) findings.push({ family: 'prompt_injection', rule, matched });
  };
  hold('words in a code', readings.find((reading) => reading.encoded && WORDS.test(reading.text))?.text);
  hold('turned text', /[\u202d\u202e][^\n]{0,200}/.exec(text)?.[0]);
  hold('invisible characters', /[a-z][\u200b-\u200d\u2060-\u2064\ufeff]+[a-z][^\n]{0,100}/i.exec(text)?.[0]);
  hold('a comment', /<!--[\s\S]{0,200}/.exec(text)?.[0]);
  hold('a comment', /^[ \t]{0,3}\[[^\]\n]{1,50}\]:[ \t]{0,3}(?:#|<>)[ \t]{0,3}["'(][^\n]{0,200}/m.exec(text)?.[0]);
  return findings;
}

/** Three words in a row. */
const WORDS = /(?<!\p{L})\p{L}{2,30}[\p{P}\s]{1,3}\p{L}{2,30}[\p{P}\s]{1,3}\p{L}{2,30}/u;

/**
 * One reading of a text. `show` returns a part of it in readable form. `encoded` is true if the text contains the reading only in encoded
 * form.
 */
export type Reading = { text: string; show: (start: number, end: number) => string; encoded: boolean };

/** Maximum depth of nested encodings, and maximum number of encoded parts in one text. */
const MAX_ENCODING_LAYERS = 2;
const MAX_ENCODED_PARTS = 50;

/**
 * Returns all readings of a text that a person or a model could see: the text as written (see `plainView`), without Markdown and HTML, with
 * escapes resolved, with spaced-out and disguised words restored, reversed, and ROT13-decoded. Also returns its base64, hex and tag
 * character parts, decoded. No reading is much longer than the text.
 */
export function readingsOf(text: string): Reading[] {
  const view = plainView(text);
  const asIs: Reading = {
    text: view.text,
    show: (start, end) => text.slice(view.from(start), view.to(end)),
    encoded: false,
  };
  const unescaped = withoutEscapes(text);
  const plain = unescaped === text ? view.text : plainView(unescaped).text;
  const bare = withoutMarkup(plain);
  const readable = [plain, bare, withSpreadWordsJoined(bare), withLettersForDigits(bare), withPartsJoined(bare)];
  const turned = [Array.from(bare).reverse().join(''), decodeRot13(bare)];
  return [
    asIs,
    ...[...new Set([...readable, ...turned])]
      .filter((reading) => reading !== view.text)
      .map((reading) => written(reading, false)),
    ...encodedIn(unescaped).map((reading) => written(reading, true)),
  ];
}

function written(text: string, encoded: boolean): Reading {
  return { text, show: (start, end) => text.slice(start, end), encoded };
}

/** Returns the texts encoded in a text as base64, hex or tag characters. */
function encodedIn(text: string, layer = 1): string[] {
  const hidden = [...inTags(text), ...inBase64(text), ...inHex(text)].slice(0, MAX_ENCODED_PARTS);
  const deeper = layer < MAX_ENCODING_LAYERS ? hidden.flatMap((found) => encodedIn(found, layer + 1)) : [];
  return [...hidden.map((found) => plainView(found).text), ...deeper];
}

function inBase64(text: string): string[] {
  // Also matches base64 with line breaks, as in mail.
  return [...text.matchAll(/(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]{4,})*={0,2}/g)].flatMap(
    ([run]) => readable(Buffer.from(run.replaceAll(/\s/g, ''), 'base64')),
  );
}

function inHex(text: string): string[] {
  return [...text.matchAll(/(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ :,]?){12,}/g)].flatMap(([run]) =>
    readable(Buffer.from(run.replaceAll(/0x|\\x|[^0-9A-Fa-f]/g, ''), 'hex')),
  );
}

/**
 * Decodes tag characters, which spell invisible ASCII. Shorter runs are ignored because the flags of some countries use up to six of them.
 */
function inTags(text: string): string[] {
  const hidden = Array.from(text.matchAll(/[\u{e0020}-\u{e007e}]{7,}/gu), ([run]) =>
    Array.from(run, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join(''),
  );
  return hidden;
}

/** Decodes the bytes if they are readable text. */
function readable(bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  const shown = text.match(/[\p{L}\p{N}\p{P}\p{Zs}\n]/gu)?.length ?? 0;
  return shown >= 8 && shown >= Array.from(text).length * 0.95 ? [text] : [];
}

const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['colon', ':'],
  ['sol', '/'],
  ['commat', '@'],
  ['num', '#'],
  ['lbrack', '['],
  ['rbrack', ']'],
  ['vert', '|'],
  ['shy', ''],
  ['zwnj', ''],
  ['zwj', ''],
]);

/** Decodes HTML entities and the escapes of URLs, JSON and code. */
function withoutEscapes(text: string): string {
  if (!/[&%\\]/.test(text)) return text;
  return text
    .replaceAll(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_all, hex: string | undefined, decimal: string | undefined) =>
      character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replaceAll(/&([a-z]{2,6});/gi, (all, name: string) => ENTITIES.get(name.toLowerCase()) ?? all)
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (all) => Buffer.from(all.replaceAll('%', ''), 'hex').toString('utf8'))
    .replaceAll(
      /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi,
      (_all, ...codes: (string | undefined)[]) =>
        character(Number.parseInt(codes.slice(0, 3).find((code) => code !== undefined) ?? '', 16)),
    );
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Returns only the words, without HTML tags, Markdown syntax and characters that join words. */
function withoutMarkup(text: string): string {
  return text
    .replaceAll(/<!--|-->|<\/?[a-z][^<>]{0,200}>/gi, '')
    .replaceAll(/[*~`\\|^]/g, '')
    .replaceAll(/[_\u00b7]/g, ' ');
}

/** Joins single letters into words: `i g n o r e`, `i-g-n-o-r-e`, `i.g.n.o.r.e`. Two or more spaces separate words. */
function withSpreadWordsJoined(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}])\p{L}(?:([ .,\-_/+])\p{L}(?![\p{L}\p{N}])){2,}/gu, (word) =>
    word.replaceAll(/[^\p{L}]/gu, ''),
  );
}

/** Joins lines, list items, fields and concatenated strings into one line. */
function withPartsJoined(text: string): string {
  return text
    .replaceAll(/-\r?\n[ \t]{0,8}/g, '')
    .replaceAll(/["'][ \t]{0,3}[+.&][ \t]{0,3}["']/g, '')
    .replaceAll(/\r?\n[ \t]{0,8}(?:(?:\d{1,3}[.)]|[-*>#]{1,6}|[A-Z][A-Za-z ]{0,30}:)[ \t]{0,3})?/g, ' ')
    .replaceAll(/^(?:\d{1,3}[.)]|[-*>#]{1,6}|[A-Z][A-Za-z ]{0,30}:)[ \t]{0,3}/g, '');
}

const DISGUISES = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }),
);

/** Replaces digits and symbols between letters with the letters they resemble, as in `1gn0re`. */
function withLettersForDigits(text: string): string {
  return text.replaceAll(/[a-z0134578@$!]{3,}/gi, (word) =>
    /[a-z]/i.test(word) ? word.replaceAll(/[013457@$]|!(?=[a-z])/gi, (sign) => DISGUISES.get(sign) ?? sign) : word,
  );
}
