/** Characters that change the reading direction or are invisible: bidirectional controls, invisible characters, fillers, tags. */
const HIDDEN =
  /\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}|\u034F|\u17B4|\u17B5|[\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E0FFF}]/gu;
/** Scripts with joining letters, in which joiners and non-joiners are part of the spelling. */
const JOINING =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const JOINERS = new RegExp(
  `((?<=${JOINING})[\\u200C\\u200D](?=${JOINING})|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic}))|[\\u200C\\u200D]`,
  'gu',
);

/**
 * Returns a name without invisible characters that reverse the line or make two names look the same. Right-to-left text, emoji sequences,
 * and joiners within words of scripts that need them are unchanged.
 */
export function visibleName(name: string): string {
  return name
    .replace(HIDDEN, (found) => (found.startsWith('\u{1F3F4}') ? found : ''))
    .replace(JOINERS, (_found, joiner: string | undefined) => joiner ?? '');
}
