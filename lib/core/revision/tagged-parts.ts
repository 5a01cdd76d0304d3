import { type PromptTag, unquote } from '../prompts/quote.ts';

/** What a reply holds between a pair of tags: `number` is the one in the opening tag, null where it has none. */
export type TaggedPart = { tag: PromptTag; number: number | null; text: string };

/**
 * The parts of a reply between pairs of these tags, in order, such as `<find>…</find>` or `<fix section="2">…</fix>`. One line
 * break behind the opening and one before the closing tag belong to the form; all else between them is taken as it is, and what
 * `quote` broke is whole again. A part without its end is left out and makes `isWhole` false.
 */
export function taggedParts(reply: string, tags: PromptTag[]): { parts: TaggedPart[]; isWhole: boolean } {
  const opening = new RegExp(`<(${tags.join('|')})(?:\\s+[a-z]{1,20}\\s*=?\\s*["']?(\\d{1,6})["']?)?\\s*>`, 'gi');
  const parts: TaggedPart[] = [];
  for (;;) {
    const match = opening.exec(reply);
    const tag = tags.find((candidate) => candidate === match?.[1]?.toLowerCase());
    if (match === null || tag === undefined) return { parts, isWhole: true };
    const from = opening.lastIndex;
    const closing = new RegExp(`</${tag}\\s*>`, 'gi');
    closing.lastIndex = from;
    const end = closing.exec(reply);
    if (end === null) return { parts, isWhole: false };
    const text = reply
      .slice(from, end.index)
      .replace(/^[^\S\n]*\r?\n/, '')
      .replace(/\r?\n$/, '');
    parts.push({ tag, number: match[2] === undefined ? null : Number(match[2]), text: unquote(text) });
    opening.lastIndex = closing.lastIndex;
  }
}
