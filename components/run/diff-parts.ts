import { diffLines } from 'diff';

/** Lines that both texts have, or a change: what stood before and what stands after, each with its line ends. Changes count from 1. */
export type DiffPart =
  | { kind: 'same'; text: string }
  | { kind: 'change'; number: number; before: string; after: string };

/**
 * Two texts in parts that put together give either of them, line ends written as `\n`. Unchanged and changed parts take turns.
 * Texts too different to compare within a second become one single change.
 */
export function diffParts(before: string, after: string): DiffPart[] {
  const found = diffLines(withLineEnd(before), withLineEnd(after), { timeout: 1000 }) ?? wholly(before, after);
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

function wholly(before: string, after: string): { value: string; added: boolean; removed: boolean }[] {
  return [
    { value: withLineEnd(before), added: false, removed: true },
    { value: withLineEnd(after), added: true, removed: false },
  ].filter(({ value }) => value !== '');
}
