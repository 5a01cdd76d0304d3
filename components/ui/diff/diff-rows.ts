import { type Change, diffLines, diffWordsWithSpace } from 'diff';
import type { CodeKind, CodeToken } from '../highlight-lines.ts';

/** A piece of a line. `changed` pieces are marked as added or removed words. */
type DiffPiece = { text: string; changed: boolean };
/** One side of a row: its line number, starting at 1, and its text in pieces. */
export type DiffSide = { line: number; pieces: DiffPiece[] };
/** A row of the side-by-side view. A side is null if its text has no such line. */
export type DiffRow = { before: DiffSide | null; after: DiffSide | null };
export type DiffBlock =
  | { kind: 'same'; rows: DiffRow[] }
  | { kind: 'change'; number: number; rows: DiffRow[]; wordsAdded: number; wordsRemoved: number };

/**
 * Returns the line diff of two texts with changed words marked. Unchanged and changed blocks alternate; changes are numbered from 1. Texts
 * that are too long or too different become a single change. Beyond the work limit, whole lines are marked.
 */
export function diffRows(before: string, after: string): DiffBlock[] {
  const blocks: DiffBlock[] = [];
  let lineBefore = 1;
  let lineAfter = 1;
  const budget = { left: MAX_WORD_PAIRS };
  for (const part of diffParts(before, after)) {
    if (part.kind === 'same') {
      const rows = linesOf(part.text).map((text) => ({
        before: whole(lineBefore++, text),
        after: whole(lineAfter++, text),
      }));
      blocks.push({ kind: 'same', rows });
      continue;
    }
    const removed = linesOf(part.before);
    const added = linesOf(part.after);
    blocks.push(changeBlock({ number: part.number, removed, added, lineBefore, lineAfter }, budget));
    lineBefore += removed.length;
    lineAfter += added.length;
  }
  return blocks;
}

/** Maximum combined length of two lines, in characters, for a comparison by word. Longer lines are marked as a whole. */
const MAX_LINE_LENGTH = 4_000;
/** Maximum number of word pairs to compare, more than half a second of work. */
const MAX_WORD_PAIRS = 40_000_000;

type ChangedLines = { number: number; removed: string[]; added: string[]; lineBefore: number; lineAfter: number };

function changeBlock(
  { number, removed, added, lineBefore, lineAfter }: ChangedLines,
  budget: { left: number },
): DiffBlock {
  const rows: DiffRow[] = [];
  let wordsAdded = 0;
  let wordsRemoved = 0;
  for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
    const old = removed[index];
    const fresh = added[index];
    const words = old === undefined || fresh === undefined ? null : compareWords(old, fresh, budget);
    const beforePieces = old === undefined ? null : piecesOf(old, words, (word) => !word.added);
    const afterPieces = fresh === undefined ? null : piecesOf(fresh, words, (word) => !word.removed);
    wordsRemoved += countWords(beforePieces);
    wordsAdded += countWords(afterPieces);
    rows.push({
      before: beforePieces && { line: lineBefore + index, pieces: beforePieces },
      after: afterPieces && { line: lineAfter + index, pieces: afterPieces },
    });
  }
  return { kind: 'change', number, rows, wordsAdded, wordsRemoved };
}

/** Returns null if the lines are too long or the budget is exhausted. */
function compareWords(old: string, fresh: string, budget: { left: number }): Change[] | null {
  if (old.length + fresh.length >= MAX_LINE_LENGTH) return null;
  budget.left -= (countOf(old, PIECES) + countOf(fresh, PIECES)) ** 2;
  return budget.left < 0 ? null : diffWordsWithSpace(old, fresh);
}

/** Units counted as words by the comparison: a run of Latin letters and digits, a run of white space, or any other character. */
const PIECES = /[\w\u00c0-\u024f]+|\s+|[^\s]/g;
const WORDS = /[\p{L}\p{N}]+/gu;

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Splits a line into pieces. If its words were not compared, the whole line is one changed piece. */
function piecesOf(line: string, words: Change[] | null, belongs: (word: Change) => boolean): DiffPiece[] {
  if (words === null) return [{ text: line, changed: true }];
  return merged(words.filter(belongs).map((word) => ({ text: word.value, changed: word.added || word.removed })));
}

/** Merges changed words separated only by white space, because a reader sees them as one change. */
function merged(pieces: DiffPiece[]): DiffPiece[] {
  const joined: DiffPiece[] = [];
  pieces.forEach((current, index) => {
    const between = !current.changed && current.text.trim() === '' && (pieces[index + 1]?.changed ?? false);
    const last = joined.at(-1);
    if (last?.changed && (current.changed || between)) last.text += current.text;
    else joined.push({ ...current });
  });
  return joined;
}

function countWords(pieces: DiffPiece[] | null): number {
  return (pieces ?? []).filter(({ changed }) => changed).reduce((sum, { text }) => sum + countOf(text, WORDS), 0);
}

function whole(line: number, text: string): DiffSide {
  return { line, pieces: [{ text, changed: false }] };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Unchanged lines: shown before the fold, hidden by it, and shown after it. */
type FoldedRows = { head: DiffRow[]; folded: DiffRow[]; tail: DiffRow[] };

/** Number of unchanged lines shown next to a change. */
const CONTEXT = 2;

/**
 * Folds a block of unchanged lines and keeps some next to each change. At the start and end of a text, only the side next to the change is
 * kept. A fold that would hide fewer than three lines hides none.
 */
export function foldRows(rows: DiffRow[], { first, last }: { first: boolean; last: boolean }): FoldedRows {
  const [from, to] = [first ? 0 : CONTEXT, rows.length - (last ? 0 : CONTEXT)];
  if (to - from < 3) return { head: rows, folded: [], tail: [] };
  return { head: rows.slice(0, from), folded: rows.slice(from, to), tail: rows.slice(to) };
}

/** A piece of a line with one change state and one kind of code. */
export type OverlaidPiece = DiffPiece & { kind: CodeKind | null };

/** Splits the pieces of a line at token boundaries. Tokens that belong to a different text are ignored. */
export function overlayTokens(pieces: readonly DiffPiece[], tokens: readonly CodeToken[] | undefined): OverlaidPiece[] {
  const line = pieces.map(({ text }) => text).join('');
  if (tokens === undefined || tokens.map(({ text }) => text).join('') !== line)
    return pieces.map((piece) => ({ ...piece, kind: null }));
  const ends = new Set<number>();
  for (const list of [pieces, tokens]) {
    let at = 0;
    for (const { text } of list) {
      at += text.length;
      ends.add(at);
    }
  }
  let from = 0;
  return [...ends]
    .toSorted((a, b) => a - b)
    .flatMap((to) => {
      const text = line.slice(from, to);
      const made = { text, changed: at(pieces, from)?.changed ?? false, kind: at(tokens, from)?.kind ?? null };
      from = to;
      return text === '' ? [] : [made];
    });
}

function at<Part extends { text: string }>(parts: readonly Part[], position: number): Part | undefined {
  let end = 0;
  return parts.find(({ text }) => {
    end += text.length;
    return position < end;
  });
}

/** Returns the number of changes in a diff. */
export function countChanges(blocks: readonly DiffBlock[]): number {
  return blocks.filter(({ kind }) => kind === 'change').length;
}

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

/** Returns the number of words that all blocks of a diff add and remove. */
export function countChangedWords(blocks: readonly DiffBlock[]): { added: number; removed: number } {
  return blocks.reduce(
    (sum, block) =>
      block.kind === 'same' ? sum : { added: sum.added + block.wordsAdded, removed: sum.removed + block.wordsRemoved },
    { added: 0, removed: 0 },
  );
}
