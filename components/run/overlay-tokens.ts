import type { CodeKind, CodeToken } from '#components/ui/highlight-lines.ts';
import type { DiffPiece } from './diff-rows.ts';

/** A piece of a line that is one change or none, and of one kind of code. */
export type OverlaidPiece = DiffPiece & { kind: CodeKind | null };

/** Cuts the pieces of a line where its tokens begin and end. Tokens of another text are left out of account. */
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

/** The part of a line that stands at a position. */
function at<Part extends { text: string }>(parts: readonly Part[], position: number): Part | undefined {
  let end = 0;
  return parts.find(({ text }) => {
    end += text.length;
    return position < end;
  });
}
