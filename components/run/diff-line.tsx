import type { CodeToken } from '#components/ui/highlight-lines.ts';
import type { DiffSide } from './diff-rows.ts';
import { type OverlaidPiece, overlayTokens } from './overlay-tokens.ts';

const SPACE = 'text-ink-3 in-[del]:text-ink-2 in-[ins]:text-ink-2';

type DiffLineProps = {
  side: DiffSide | null;
  kind: '' | 'del' | 'add';
  /** The lines of the text this side is of, in coloured pieces. */
  lines: readonly CodeToken[][];
  showSpace: boolean;
};

/** One line of one text: its number, and its words, the changed ones marked. Empty where the other text alone has a line. */
export function DiffLine({ side, kind, lines, showSpace }: DiffLineProps) {
  if (side === null)
    return (
      <>
        <span data-part="number" data-kind="void" />
        <span data-part="line" data-kind="void" />
      </>
    );
  return (
    <>
      <span data-part="number">{side.line}</span>
      <span data-part="line" data-kind={kind || undefined}>
        {kind === '' ? null : <span className="sr-only">{kind === 'del' ? 'removed: ' : 'added: '}</span>}
        {overlayTokens(side.pieces, lines[side.line - 1]).map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line have no other identity and never move
          <Piece key={index} piece={piece} side={kind} showSpace={showSpace} />
        ))}
        {showSpace ? (
          <span className={SPACE} aria-hidden>
            ¶
          </span>
        ) : null}
      </span>
    </>
  );
}

function Piece({ piece, side, showSpace }: { piece: OverlaidPiece; side: DiffLineProps['kind']; showSpace: boolean }) {
  const { text, changed, kind } = piece;
  const shown = showSpace ? <VisibleSpace text={text} /> : text;
  if (changed && side !== '' && (showSpace || text.trim() !== '')) {
    const Mark = side === 'del' ? 'del' : 'ins';
    return <Mark>{shown}</Mark>;
  }
  return kind === null ? shown : <span className={`k-${kind}`}>{shown}</span>;
}

/** Spaces as dots, tabs as arrows, the rest as it is. */
function VisibleSpace({ text }: { text: string }) {
  return text.split(/([ \t\u00a0]+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a piece have no other identity and never move
      <span key={index} className={SPACE}>
        {part.replaceAll(' ', '·').replaceAll('\t', '→\t').replaceAll('\u00a0', '⍽')}
      </span>
    ),
  );
}
