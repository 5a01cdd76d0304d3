import { diffLines } from 'diff';

/** Lines common to both texts, or a change with the text before and after. Texts include line endings. Changes are numbered from 1. */
type DiffPart = { kind: 'same'; text: string } | { kind: 'change'; number: number; before: string; after: string };

/** Maximum combined length in characters. Longer texts are not compared. */
const MAX_CHARACTERS = 2_000_000;
/** Maximum number of differing lines. The work is quadratic: this many take a quarter of a second. */
const MAX_EDITS = 2_000;

/**
 * Splits two texts into parts that reproduce either text, with line endings as `\n`. Unchanged and changed parts alternate. Texts that are
 * too long or too different become a single change between their common first and last lines.
 */
export function diffParts(before: string, after: string): DiffPart[] {
  const found = comparedLines(withLineEnd(before), withLineEnd(after));
  const parts: DiffPart[] = [];
  let changes = 0;
  for (const { value, added, removed } of found) {
    if (!added && !removed) {
      parts.push({ kind: 'same', text: value });
      continue;
    }
    let open = parts.at(-1);
    if (open?.kind !== 'change') {
      changes += 1;
      open = { kind: 'change', number: changes, before: '', after: '' };
      parts.push(open);
    }
    if (added) open.after += value;
    else open.before += value;
  }
  return parts;
}

/**
 * Returns the text with some changes taken and others left: `before` if all are left (or none exist), `after` if all are taken. The final
 * line ending comes from the text that provides the last line.
 */
export function mergeChanges(before: string, after: string, isTaken: (change: number) => boolean): string {
  const parts = diffParts(before, after);
  const text = parts
    .map((part) => (part.kind === 'same' ? part.text : isTaken(part.number) ? part.after : part.before))
    .join('');
  const numbers = parts.flatMap((part) => (part.kind === 'change' ? [part.number] : []));
  const last = parts.at(-1);
  const endsLikeAfter = last?.kind === 'change' ? isTaken(last.number) : numbers.some(isTaken);
  const source = endsLikeAfter ? after : before;
  return normalizeLineEndings(source).endsWith('\n') ? text : text.replace(/\n$/, '');
}

/** Adds a final line ending, because a missing one is not a visible difference. */
function withLineEnd(text: string): string {
  const lines = normalizeLineEndings(text);
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

function normalizeLineEndings(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

type Found = { value: string; added: boolean; removed: boolean };

function comparedLines(before: string, after: string): Found[] {
  const isShort = before.length + after.length <= MAX_CHARACTERS;
  const limits = { maxEditLength: MAX_EDITS, timeout: 1000 };
  return (isShort ? diffLines(before, after, limits) : undefined) ?? middleChanged(before, after);
}

/** Returns one change between the common first and last lines of both texts. */
function middleChanged(before: string, after: string): Found[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
  let end = 0;
  while (end < most - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end += 1;
  // Trims the common end so that it starts after a line ending.
  const lineEnd = before.indexOf('\n', before.length - end);
  end = end === 0 || lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  return [
    { value: before.slice(0, start), added: false, removed: false },
    { value: before.slice(start, before.length - end), added: false, removed: true },
    { value: after.slice(start, after.length - end), added: true, removed: false },
    { value: before.slice(before.length - end), added: false, removed: false },
  ].filter(({ value }) => value !== '');
}
