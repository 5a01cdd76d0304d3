/** A piece of a text; `marked` ones are what was found. */
export type MarkedPiece = { text: string; marked: boolean };

/**
 * A text cut where the matches stand in it, each wherever it occurs; overlapping ones become one piece. The pieces join to the text
 * again. A match that does not stand in the text word for word marks nothing.
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
