import { markMatches } from './mark-matches.ts';

/** A lesson's text as it is stored, never as markup; what the screen found in it is marked. */
export function MarkedText({ text, matches }: { text: string; matches: readonly string[] }) {
  return (
    <span className="lesson-text">
      {markMatches(text, matches).map((piece, index) =>
        piece.marked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other identity and never move
          <mark key={index} className="marked">
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </span>
  );
}
