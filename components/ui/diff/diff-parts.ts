import { diffLines } from 'diff';

/** Lines that both texts have, or a change: what stood before and what stands after, each with its line ends. Changes count from 1. */
type DiffPart = { kind: 'same'; text: string } | { kind: 'change'; number: number; before: string; after: string };

/** Longer texts, together and in characters, are not compared. */
const MOST_CHARACTERS = 2_000_000;
/** Of lines that differ. The work grows by the square of it: so many take a quarter of a second. */
const MOST_EDITS = 2_000;

/**
 * Two texts in parts that put together give either of them, line ends written as `\n`. Unchanged and changed parts take turns.
 * Texts too long or too different to compare become one single change, but for the lines that both begin and end with.
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
 * The text with some changes taken and the others left: `before` where all are left (or there are none), `after` where all are taken. It ends with a line
 * end where the text that gave its last line does.
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
  return unified(source).endsWith('\n') ? text : text.replace(/\n$/, '');
}

/** A missing line end at the very end of a text is not a difference to a reader. */
function withLineEnd(text: string): string {
  const lines = unified(text);
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

function unified(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

type Found = { value: string; added: boolean; removed: boolean };

function comparedLines(before: string, after: string): Found[] {
  const isShort = before.length + after.length <= MOST_CHARACTERS;
  const limits = { maxEditLength: MOST_EDITS, timeout: 1000 };
  return (isShort ? diffLines(before, after, limits) : undefined) ?? middleChanged(before, after);
}

/** One change between the lines that both texts begin and end with. */
function middleChanged(before: string, after: string): Found[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
  let end = 0;
  while (end < most - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end += 1;
  // Both begin behind a line end, unless all that is left is the same.
  const lineEnd = before.indexOf('\n', before.length - end);
  end = end === 0 || lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  return [
    { value: before.slice(0, start), added: false, removed: false },
    { value: before.slice(start, before.length - end), added: false, removed: true },
    { value: after.slice(start, after.length - end), added: true, removed: false },
    { value: before.slice(before.length - end), added: false, removed: false },
  ].filter(({ value }) => value !== '');
}
