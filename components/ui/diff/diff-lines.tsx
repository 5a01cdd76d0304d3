import { type ReactNode, useMemo } from 'react';
import { classNames } from '../class-names.ts';
import type { CodeToken } from '../highlight-lines.ts';
import { useIsHydrating } from '../hydration.ts';
import { styled } from '../styled.ts';
import { type DiffBlock, type DiffSide, diffRows, type OverlaidPiece, overlayTokens } from './diff-rows.ts';

// The parts of a `DiffLine` are styled from the container. A diff has thousands of lines, so classes on each would dominate the page size.
const LINES = [
  '[&_[data-part=number]]:border-line [&_[data-part=number]]:bg-sunken [&_[data-part=number]]:px-[0.35rem] [&_[data-part=number]]:py-[0.05rem] [&_[data-part=number]]:text-right [&_[data-part=number]]:text-xs [&_[data-part=number]]:leading-[1.75] [&_[data-part=number]]:text-ink-3 [&_[data-part=number]]:select-none',
  'narrow:[&_[data-part=line]+[data-part=number]]:border-l',
  '[&_[data-part=line]]:relative [&_[data-part=line]]:min-w-0 [&_[data-part=line]]:py-[0.05rem] [&_[data-part=line]]:pr-[0.6rem] [&_[data-part=line]]:pl-[1.15rem] [&_[data-part=line]]:wrap-anywhere [&_[data-part=line]]:whitespace-pre-wrap',
  '[&_[data-kind]]:before:absolute [&_[data-kind]]:before:left-[0.35rem] [&_[data-kind]]:before:font-semibold',
  "[&_[data-kind=del]]:bg-worse-bg [&_[data-kind=del]]:before:text-worse [&_[data-kind=del]]:before:content-['−']",
  "[&_[data-kind=add]]:bg-better-bg [&_[data-kind=add]]:before:text-better [&_[data-kind=add]]:before:content-['+']",
  '[&_[data-part=line][data-kind=void]]:hatched max-narrow:[&_[data-kind=void]]:hidden',
  '[&_del]:rounded-[2px] [&_del]:bg-worse-mark [&_del]:px-px [&_del]:line-through [&_del]:decoration-worse/65 [&_del]:decoration-1',
  '[&_ins]:rounded-[2px] [&_ins]:bg-better-mark [&_ins]:px-px [&_ins]:underline [&_ins]:decoration-better [&_ins]:decoration-[1.5px] [&_ins]:underline-offset-3',
];
// Additions that are not taken are paler.
const SKIPPED_CLASSES = [
  '[&_[data-taken=false]_[data-kind=add]]:hatched [&_[data-taken=false]_[data-kind=add]]:before:text-ink-3',
  '[&_[data-taken=false]_ins]:bg-transparent [&_[data-taken=false]_ins]:text-ink-2 [&_[data-taken=false]_ins]:decoration-ink-3 [&_[data-taken=false]_ins]:decoration-dotted',
];

/** Container of a diff. */
export const Diff = styled('section', 'diff', [
  'overflow-hidden rounded-2 border border-line bg-surface font-mono glyphs-plain text-code/[1.55]',
  LINES,
  SKIPPED_CLASSES,
]);

/** Header line above a change. Inside a `group/change`, it shows if the change is current and if it is taken. */
export const DiffHeader = styled('div', 'diff-header', [
  'flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-y bg-sunken py-[0.3rem] pr-2 pl-[0.7rem] font-sans text-ink-2 text-sm/[1.4]',
  'group-aria-[current=true]/change:bg-brand-tint',
  'group-data-[taken=false]/change:shadow-[inset_3px_0_0_var(--line-input)] group-data-[taken=true]/change:shadow-[inset_3px_0_0_var(--better)]',
]);

/** Style of the line that replaces hidden lines. */
export const DIFF_FOLD =
  'flex w-full items-center gap-2 border-y border-line bg-surface px-[0.7rem] py-[0.2rem] font-sans glyphs-plain text-sm/[1.4] text-ink-3';

type LineRowProps = {
  isSplit?: boolean;
  /** True if both sides are equal. On phones, where sides are stacked, only one is shown. */
  isSame?: boolean;
  children: ReactNode;
};

/** One row of a diff: one `DiffLine`, or two side by side. */
export function LineRow({ isSplit = false, isSame = false, children }: LineRowProps) {
  return (
    <div
      data-slot="line-row"
      className={classNames(
        'grid grid-cols-[2.1rem_minmax(0,1fr)]',
        isSplit && 'narrow:grid-cols-[2.1rem_minmax(0,1fr)_2.1rem_minmax(0,1fr)]',
        isSame && 'max-narrow:[&>:nth-child(n+3)]:hidden',
      )}
    >
      {children}
    </div>
  );
}

const SPACE = 'text-ink-3 in-[del]:text-ink-2 in-[ins]:text-ink-2';

type DiffLineProps = {
  side: DiffSide | null;
  kind: '' | 'del' | 'add';
  /** Highlighted lines of the text on this side. */
  lines: readonly CodeToken[][];
  showSpace: boolean;
};

/** One line of one text: its number and its content with changed words marked. Empty if only the other text has a line here. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no ID and keep their order
          <Piece key={index} piece={piece} side={kind} showSpace={showSpace} />
        ))}
        {showSpace ? <span className={`${SPACE} before:content-['¶']`} aria-hidden /> : null}
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

/** Shows spaces as dots and tabs as arrows. The signs are drawn over the text, so that people copy only the text. */
function VisibleSpace({ text }: { text: string }) {
  return text.split(/( +|\t|\u00a0)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no ID and keep their order
      <span key={index} data-slot="space" className={`${SPACE} ${SIGNS[part] ?? DOTS}`}>
        {part}
      </span>
    ),
  );
}

/** A dot over each space. Spaces at the end of a line wrap, so that all of them are visible. */
const DOTS =
  'whitespace-break-spaces box-decoration-clone [background:radial-gradient(circle,currentColor_0.09em,transparent_0.13em)_left/1ch_100%_repeat-x]';
const SIGNS: Record<string, string> = {
  '\t': "before:absolute before:content-['→']",
  '\u00a0': "before:absolute before:content-['⍽']",
};

/**
 * Maximum combined length in characters for a comparison on the server. Longer texts are compared in the browser, so that no stored text
 * can block the server.
 */
const MAX_SERVER_CHARACTERS = 8_000;

/** Returns the diff of two texts. For long texts, null until the browser has compared them. */
export function useDiffBlocks(before: string, after: string): DiffBlock[] | null {
  const isHydrating = useIsHydrating();
  const waits = isHydrating && !isComparedOnServer(before, after);
  return useMemo(() => (waits ? null : lastDiff(before, after)), [waits, before, after]);
}

/** True if two texts are short enough to be compared during server rendering. */
export function isComparedOnServer(before: string, after: string): boolean {
  return before.length + after.length <= MAX_SERVER_CHARACTERS;
}

let last: { before: string; after: string; blocks: DiffBlock[] } | null = null;

/** Cached, because the view and its toolbar request the same diff. */
function lastDiff(before: string, after: string): DiffBlock[] {
  if (last?.before !== before || last.after !== after) last = { before, after, blocks: diffRows(before, after) };
  return last.blocks;
}
