import { parseJson } from '#lib/core/json-values.ts';
import { unquote } from '#lib/core/prompts/quote.ts';
import type { LiveText } from './live-text-store.ts';

/** Text of a streamed response, as the model writes it: text of the draft to remove, or new text. */
export type LivePart = { kind: 'removed' | 'added'; text: string };

/**
 * Returns the texts inside a streamed response that is JSON or tags: the edits of a revision, or the fields of a reflection. The last one
 * may be incomplete. Returns null if the response is plain text.
 */
export function liveParts({ role, text }: LiveText): LivePart[] | null {
  if (role === 'lesson' && JSON_START.test(text)) return partsIn(text, JSON_STRING, parseUnfinished);
  if (role !== 'revise') return null;
  if (CHANGES_START.test(text)) return partsIn(text, CHANGE, parseUnfinished);
  if (TAG_START.test(text)) return partsIn(text, TAG, unquote);
  return null;
}

const JSON_START = /^\s*(?:```\w*\s*)?\{/;
/** Only the names of the response schemas, because a draft may be JSON too. */
const CHANGES_START = /^\s*(?:```\w*\s*)?\{\s*"(?:edits|changes)"/;
const TAG_START = /^\s*<(?:find|add|fix)\b/i;
const JSON_STRING = /"(?<name>\w+)"\s*:\s*"(?<text>(?:[^"\\]|\\.)*)/gs;
const CHANGE = /"(?<name>find|replace|text)"\s*:\s*"(?<text>(?:[^"\\]|\\.)*)/gs;
const TAG = /<(?<name>find|replace|add|fix)\b[^<>]*>[^\S\n]*\n?(?<text>.*?)(?:\n?<\/\k<name>\s*>|\n?<\/?\w*$|$)/gis;

function partsIn(text: string, pattern: RegExp, parse: (written: string) => string): LivePart[] {
  return [...text.matchAll(pattern)].map(({ groups }) => ({
    kind: groups?.name?.toLowerCase() === 'find' ? 'removed' : 'added',
    text: parse(groups?.text ?? ''),
  }));
}

/** Parses the content of a JSON string that may end inside an escape. */
function parseUnfinished(written: string): string {
  const parsed = parseJson(`"${written.replace(/\\u[0-9a-f]{0,3}$/i, '')}"`);
  return typeof parsed === 'string' ? parsed : written;
}
