import { markMatches } from './mark-matches.ts';

/** What the screen found. */
export function Mark({ children }: { children: string }) {
  return (
    <mark className="rounded-[2px] bg-worse-mark text-inherit underline decoration-1 decoration-worse decoration-wavy underline-offset-3">
      {children}
    </mark>
  );
}

/** A lesson's text as it is stored, never as markup; what the screen found in it is marked. */
export function MarkedText({ text, matches }: { text: string; matches: readonly string[] }) {
  return (
    <span className="wrap-anywhere whitespace-pre-wrap">
      {markMatches(text, matches).map((piece, index) =>
        piece.marked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other identity and never move
          <Mark key={index}>{piece.text}</Mark>
        ) : (
          piece.text
        ),
      )}
    </span>
  );
}
