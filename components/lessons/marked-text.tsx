/** Marks a screening finding. */
export function Mark({ children }: { children: string }) {
  return (
    <mark className="rounded-[2px] bg-worse-mark text-inherit underline decoration-1 decoration-worse decoration-wavy underline-offset-3">
      {children}
    </mark>
  );
}

/** Renders a lesson as plain text, never as markup, with screening findings marked. */
export function MarkedText({ text, matches }: { text: string; matches: readonly string[] }) {
  return (
    <span className="wrap-anywhere whitespace-pre-wrap">
      {markMatches(text, matches).map((piece, index) =>
        piece.marked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no ID and keep their order
          <Mark key={index}>{piece.text}</Mark>
        ) : (
          piece.text
        ),
      )}
    </span>
  );
}

/** Part of a text. `marked`: true for a screening finding. */
type MarkedPiece = { text: string; marked: boolean };

/**
 * Splits a text at all occurrences of the matches. Overlapping matches become one piece. The joined pieces equal the text. Matches that do
 * not occur literally are ignored.
 */
export function markMatches(text: string, matches: readonly string[]): MarkedPiece[] {
  const isMarked = new Array<boolean>(text.length).fill(false);
  for (const match of new Set(matches)) {
    if (match === '') continue;
    for (let at = text.indexOf(match); at !== -1; at = text.indexOf(match, at + match.length))
      isMarked.fill(true, at, at + match.length);
  }
  const pieces: MarkedPiece[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && isMarked[at] === isMarked[from]) continue;
    pieces.push({ text: text.slice(from, at), marked: isMarked[from] ?? false });
    from = at;
  }
  return pieces;
}
