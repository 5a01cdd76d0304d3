import type { ProposalProblem, TuningCase } from '../history.ts';

/** Words in a row that no two texts share by chance. */
const RUNNING_WORDS = 12;
/** A text of fewer words, such as a label, may well stand in a prompt. */
const FEWEST_WORDS = 4;

/**
 * Cases whose input or reference a proposed prompt quotes: twelve words in a row, or all of a shorter text. What stood in the prompt
 * it was made from is no copy. One problem a case and text, at most; a quotation is shown by its first words. Capitals and
 * punctuation make no difference.
 */
export function copiedExamples(prompt: string, cases: readonly TuningCase[], parent: string): ProposalProblem[] {
  const now = quotable(prompt);
  const before = quotable(parent);
  return cases.flatMap(({ position, input, reference }) =>
    [
      { what: 'input', text: input },
      { what: 'reference', text: reference ?? '' },
    ].flatMap(({ what, text }) => {
      const copied = piecesOf(wordsOf(text)).find((piece) => holds(now, piece) && !holds(before, piece));
      if (copied === undefined) return [];
      const kind = 'copied_example' as const;
      return [{ kind, text: `It quotes the ${what} of case ${position + 1}: “${copied.join(' ')}”.` }];
    }),
  );
}

type Quotable = { text: string; runs: Set<string> };

function quotable(text: string): Quotable {
  const words = wordsOf(text);
  return { text: spaced(words), runs: new Set(piecesOf(words).map(spaced)) };
}

function holds({ text, runs }: Quotable, piece: string[]): boolean {
  return piece.length === RUNNING_WORDS ? runs.has(spaced(piece)) : text.includes(spaced(piece));
}

/** Every twelve words in a row; a shorter text is one piece, a very short one none. */
function piecesOf(words: string[]): string[][] {
  if (words.length < FEWEST_WORDS) return [];
  const pieces = Math.max(1, words.length - RUNNING_WORDS + 1);
  return Array.from({ length: pieces }, (_piece, at) => words.slice(at, at + RUNNING_WORDS));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Between spaces, so that only whole words are found. */
function spaced(words: string[]): string {
  return ` ${words.join(' ')} `;
}
