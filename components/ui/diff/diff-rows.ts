import { type Change, diffWordsWithSpace } from 'diff';
import type { CodeKind, CodeToken } from '#components/ui/highlight-lines.ts';
import { diffParts } from './diff-parts.ts';

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
        before: whole(lineBefore++, text, false),
        after: whole(lineAfter++, text, false),
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
  if (words === null) return [piece(line, true)];
  return merged(words.filter(belongs).map((word) => piece(word.value, word.added || word.removed)));
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

function piece(text: string, changed: boolean): DiffPiece {
  return { text, changed };
}

function whole(line: number, text: string, changed: boolean): DiffSide {
  return { line, pieces: [piece(text, changed)] };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Unchanged lines: shown before the fold, hidden by it, and shown after it. */
type FoldedRows = { head: DiffRow[]; folded: DiffRow[]; tail: DiffRow[] };

/**
 * Folds a block of unchanged lines and keeps `context` lines next to each change. At the start and end of a text, only the side next to the
 * change is kept. A fold that would hide fewer than three lines hides none.
 */
export function foldRows(rows: DiffRow[], edges: { first: boolean; last: boolean }, context = 2): FoldedRows {
  const headLength = edges.first ? 0 : context;
  const tailLength = edges.last ? 0 : context;
  if (rows.length - headLength - tailLength < 3) return { head: rows, folded: [], tail: [] };
  return {
    head: rows.slice(0, headLength),
    folded: rows.slice(headLength, rows.length - tailLength),
    tail: rows.slice(rows.length - tailLength),
  };
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

/** Returns the part of a line at a position. */
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
