/** What is taken out of texts, as it is named in its place: `[redacted: e-mail]`. `text`: a part that was all of it. */
export const REDACTED_KINDS = [
  'private key',
  'key',
  'password',
  'e-mail',
  'phone',
  'card',
  'IBAN',
  'national id',
  'host',
  'address',
  'text',
] as const;
export type RedactedKind = (typeof REDACTED_KINDS)[number];

/** A part of a text that must not be kept: from the position `start` up to the position `end`. */
export type Found = { kind: RedactedKind; start: number; end: number };

/** Finds what must not be kept, in time linear in the text's length. */
export type Finder = (text: string) => Found[];

/**
 * Finds what a global pattern matches and `accept` agrees to: the group `part` where the pattern has one (it then needs the flag
 * `d`), else the whole match.
 */
export function byPattern(
  kind: RedactedKind,
  pattern: RegExp,
  accept: (part: string, match: RegExpExecArray) => boolean = () => true,
): Finder {
  return (text) => {
    const found: Found[] = [];
    for (const match of text.matchAll(pattern)) {
      const part = match.groups?.part ?? match[0];
      if (!accept(part, match)) continue;
      const [start, end] = match.indices?.groups?.part ?? [match.index, match.index + match[0].length];
      found.push({ kind, start, end });
    }
    return found;
  };
}
