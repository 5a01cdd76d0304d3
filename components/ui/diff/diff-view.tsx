'use client';

import { Check, FoldVertical, UnfoldVertical, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { classNames } from '../class-names.ts';
import { CodeBlock } from '../code-block.tsx';
import type { CodeToken } from '../highlight-lines.ts';
import { isJson } from '../is-json.ts';
import { SEGMENTED } from '../segmented-links.tsx';
import { DIFF_FOLD, Diff, DiffHeader, DiffLine, LineRow, useDiffBlocks } from './diff-lines.tsx';
import { countChanges, type DiffBlock, type DiffRow, foldRows } from './diff-rows.ts';

type DiffViewProps = {
  before: string;
  after: string;
  layout: 'split' | 'unified';
  label: string;
  showSpace?: boolean;
  /** Number of the current change, starting at 1. It is scrolled into view. */
  current?: number | null;
  /** Selection of the changes to take, if that is possible. */
  taking?: ChangeSelection | null;
};

/** Selection among the changes of a diff, by number starting at 1. */
export type ChangeSelection = { isTaken: (change: number) => boolean; set: (change: number, isTaken: boolean) => void };

type Look = { layout: DiffViewProps['layout']; showSpace: boolean; before: CodeToken[][]; after: CodeToken[][] };

/** Maximum number of changed lines drawn individually. */
const MAX_ROWS = 4_000;
const NO_BLOCKS: DiffBlock[] = [];

/** Shows the diff of two texts: lines with − and +, changed words marked, code highlighted, unchanged lines folded. */
export function DiffView(props: DiffViewProps) {
  const { before, after, layout, label, showSpace = false, current = null, taking = null } = props;
  const compared = useDiffBlocks(before, after);
  const blocks = compared ?? NO_BLOCKS;
  const isDrawn = compared !== null && countRows(compared) <= MAX_ROWS;
  const look: Look = {
    layout,
    showSpace,
    before: useHighlightedLines(isDrawn ? before.replaceAll('\r\n', '\n') : ''),
    after: useHighlightedLines(isDrawn ? after.replaceAll('\r\n', '\n') : ''),
  };
  if (compared === null) return <p className="text-ink-2">Comparing texts</p>;
  if (!isDrawn) return <PlainTexts before={before} after={after} label={label} />;
  const changes = countChanges(blocks);
  if (changes === 0)
    return (
      <p className="text-ink-2">
        {before === '' && after === '' ? 'Both are empty.' : 'The two are the same, word for word.'}
      </p>
    );
  return (
    <Diff aria-label={label} data-testid="diff">
      {blocks.map((block, index) =>
        block.kind === 'same' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks have no ID and keep their order
          <SameLines key={index} block={block} look={look} first={index === 0} last={index === blocks.length - 1} />
        ) : (
          <Changed
            key={`change-${block.number}`}
            block={block}
            of={changes}
            look={look}
            isCurrent={block.number === current}
            taking={taking}
          />
        ),
      )}
    </Diff>
  );
}

function countRows(blocks: readonly DiffBlock[]): number {
  return blocks.reduce((sum, { kind, rows }) => (kind === 'change' ? sum + rows.length : sum), 0);
}

/** Shows two complete texts that differ too much for a line diff. */
function PlainTexts({ before, after, label }: { before: string; after: string; label: string }) {
  return (
    <section className="flex flex-col gap-3" aria-label={label} data-testid="plain-texts">
      <p className="text-ink-2">
        These texts differ in more than {formatCount(MAX_ROWS)} lines, so they are shown without marked changes.
      </p>
      <h3>Before</h3>
      <CodeBlock>{before}</CodeBlock>
      <h3>After</h3>
      <CodeBlock>{after}</CodeBlock>
    </section>
  );
}

type ChangedProps = {
  block: Extract<DiffBlock, { kind: 'change' }>;
  of: number;
  look: Look;
  isCurrent: boolean;
  taking: ChangeSelection | null;
};

function Changed({ block, of, look, isCurrent, taking }: ChangedProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) frame.current?.scrollIntoView({ block: 'center' });
  }, [isCurrent]);
  const counts = [
    block.wordsAdded > 0 ? `${formatNumberOf(block.wordsAdded, 'word')} added` : '',
    block.wordsRemoved > 0 ? `${formatNumberOf(block.wordsRemoved, 'word')} removed` : '',
  ].filter(Boolean);
  return (
    <div
      ref={frame}
      className="group/change [button+&>[data-slot=diff-header]]:border-t-0"
      data-taken={taking?.isTaken(block.number)}
      aria-current={isCurrent || undefined}
    >
      <DiffHeader>
        <b className="font-medium text-ink">
          Change {block.number} of {of}
        </b>
        <span>{[linesOf(block.rows), ...counts].join(' · ')}</span>
        {taking ? <ChangeToggle change={block.number} taking={taking} /> : null}
      </DiffHeader>
      <Rows rows={block.rows} look={look} changed />
    </div>
  );
}

function ChangeToggle({ change, taking }: { change: number; taking: ChangeSelection }) {
  const isTaken = taking.isTaken(change);
  return (
    <fieldset className={classNames(SEGMENTED, 'ml-auto *:h-5.5')} aria-label={`Change ${change}`}>
      <button
        type="button"
        className="aria-pressed:bg-better-bg aria-pressed:text-better"
        aria-pressed={isTaken}
        onClick={() => taking.set(change, true)}
      >
        <Check />
        Take
      </button>
      <button
        type="button"
        className="aria-pressed:bg-worse-bg aria-pressed:text-worse"
        aria-pressed={!isTaken}
        onClick={() => taking.set(change, false)}
      >
        <X />
        Leave
      </button>
    </fieldset>
  );
}

function SameLines({ block, look, first, last }: { block: DiffBlock; look: Look; first: boolean; last: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { head, folded, tail } = foldRows(block.rows, { first, last });
  if (folded.length === 0) return <Rows rows={block.rows} look={look} changed={false} />;
  return (
    <>
      <Rows rows={head} look={look} changed={false} />
      <button
        type="button"
        className={classNames(DIFF_FOLD, 'cursor-pointer')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <FoldVertical /> : <UnfoldVertical />}
        {formatNumberOf(folded.length, 'unchanged line')}
      </button>
      {isOpen ? <Rows rows={folded} look={look} changed={false} /> : null}
      <Rows rows={tail} look={look} changed={false} />
    </>
  );
}

function Rows({ rows, look, changed }: { rows: DiffRow[]; look: Look; changed: boolean }) {
  const { layout, showSpace } = look;
  if (layout === 'split' || !changed) {
    return rows.map((row) => (
      <LineRow key={`${row.before?.line}-${row.after?.line}`} isSplit={layout === 'split'} isSame={!changed}>
        {layout === 'split' ? (
          <DiffLine side={row.before} kind={changed ? 'del' : ''} lines={look.before} showSpace={showSpace} />
        ) : null}
        <DiffLine side={row.after} kind={changed ? 'add' : ''} lines={look.after} showSpace={showSpace} />
      </LineRow>
    ));
  }
  const removed = rows.flatMap(({ before }) => (before ? [before] : []));
  const added = rows.flatMap(({ after }) => (after ? [after] : []));
  return (
    <>
      {removed.map((side) => (
        <LineRow key={`before-${side.line}`}>
          <DiffLine side={side} kind="del" lines={look.before} showSpace={showSpace} />
        </LineRow>
      ))}
      {added.map((side) => (
        <LineRow key={`after-${side.line}`}>
          <DiffLine side={side} kind="add" lines={look.after} showSpace={showSpace} />
        </LineRow>
      ))}
    </>
  );
}

function linesOf(rows: DiffRow[]): string {
  const lines = rows.flatMap(({ before, after }) => after?.line ?? before?.line ?? []);
  const first = lines.at(0);
  const last = lines.at(-1);
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}

/** Matches the start of a fenced Markdown block that names a language. */
const NAMED_FENCE = /^ {0,3}(?:`{3,}|~{3,})\s*[\w+-]/m;

/**
 * Returns the lines of a text with highlighted code, see `highlightLines`. The highlighter is loaded only if needed. Until then the lines
 * are plain.
 */
function useHighlightedLines(text: string): CodeToken[][] {
  const [coloured, setColoured] = useState<{ text: string; lines: CodeToken[][] } | null>(null);
  const plain = useMemo(() => text.split('\n').map((line): CodeToken[] => [{ text: line, kind: null }]), [text]);
  useEffect(() => {
    if (!NAMED_FENCE.test(text) && !isJson(text)) return;
    let isWanted = true;
    const colour = async () => {
      const { highlightLines } = await import('../highlight-lines.ts');
      if (isWanted) setColoured({ text, lines: highlightLines(text) });
    };
    // If loading fails, the lines stay plain.
    colour().catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [text]);
  return coloured?.text === text ? coloured.lines : plain;
}
