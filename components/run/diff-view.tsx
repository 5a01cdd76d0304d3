'use client';

import { UnfoldVertical } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatNumberOf } from '#lib/format.ts';
import { type DiffBlock, type DiffRow, type DiffSide, diffRows } from './diff-rows.ts';
import { foldRows } from './fold-rows.ts';

type DiffViewProps = { before: string; after: string; layout: 'split' | 'unified'; label: string };

/** Two texts against each other: lines with − and +, changed words marked, unchanged lines folded. */
export function DiffView({ before, after, layout, label }: DiffViewProps) {
  const blocks = useMemo(() => diffRows(before, after), [before, after]);
  const changes = blocks.filter((block) => block.kind === 'change').length;
  if (changes === 0)
    return (
      <p className="muted">
        {before === '' && after === '' ? 'Both are empty.' : 'The two are the same, word for word.'}
      </p>
    );
  return (
    <section className={layout === 'unified' ? 'diff uni' : 'diff'} aria-label={label} data-testid="diff">
      {blocks.map((block, index) =>
        block.kind === 'same' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity and never move
          <SameLines key={index} block={block} layout={layout} first={index === 0} last={index === blocks.length - 1} />
        ) : (
          <Changed key={`change-${block.number}`} block={block} of={changes} layout={layout} />
        ),
      )}
    </section>
  );
}

function Changed({
  block,
  of,
  layout,
}: {
  block: Extract<DiffBlock, { kind: 'change' }>;
  of: number;
  layout: DiffViewProps['layout'];
}) {
  const words = [
    block.wordsAdded > 0 ? `${formatNumberOf(block.wordsAdded, 'word')} added` : '',
    block.wordsRemoved > 0 ? `${formatNumberOf(block.wordsRemoved, 'word')} removed` : '',
  ].filter(Boolean);
  return (
    <div className="hk" id={`change-${block.number}`}>
      <div className="hunk">
        <b className="md5 text-ink">
          Change {block.number} of {of}
        </b>
        <span>{[linesOf(block.rows), ...words].join(' · ')}</span>
      </div>
      <Rows rows={block.rows} layout={layout} changed />
    </div>
  );
}

function SameLines({
  block,
  layout,
  first,
  last,
}: {
  block: DiffBlock;
  layout: DiffViewProps['layout'];
  first: boolean;
  last: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const { head, folded, tail } = foldRows(block.rows, { first, last });
  if (isOpen || folded.length === 0) return <Rows rows={block.rows} layout={layout} changed={false} />;
  return (
    <>
      <Rows rows={head} layout={layout} changed={false} />
      <button type="button" className="fold" onClick={() => setOpen(true)}>
        <UnfoldVertical className="i s" aria-hidden />
        {formatNumberOf(folded.length, 'unchanged line')}
      </button>
      <Rows rows={tail} layout={layout} changed={false} />
    </>
  );
}

function Rows({ rows, layout, changed }: { rows: DiffRow[]; layout: DiffViewProps['layout']; changed: boolean }) {
  if (layout === 'split' || !changed) {
    return rows.map((row) => (
      <div key={`${row.before?.line}-${row.after?.line}`} className={changed ? 'dl' : 'dl same'}>
        {layout === 'split' ? <Side side={row.before} kind={changed ? 'del' : ''} /> : null}
        <Side side={row.after} kind={changed ? 'add' : ''} />
      </div>
    ));
  }
  const removed = rows.flatMap(({ before }) => (before ? [before] : []));
  const added = rows.flatMap(({ after }) => (after ? [after] : []));
  return (
    <>
      {removed.map((side) => (
        <div key={`before-${side.line}`} className="dl">
          <Side side={side} kind="del" />
        </div>
      ))}
      {added.map((side) => (
        <div key={`after-${side.line}`} className="dl">
          <Side side={side} kind="add" />
        </div>
      ))}
    </>
  );
}

function Side({ side, kind }: { side: DiffSide | null; kind: '' | 'del' | 'add' }) {
  if (side === null) {
    return (
      <>
        <span className="n voidn" />
        <span className="c void" />
      </>
    );
  }
  const Mark = kind === 'del' ? 'del' : 'ins';
  return (
    <>
      <span className="n">{side.line}</span>
      <span className={kind === '' ? 'c' : `c ${kind}`}>
        {kind === '' ? null : <span className="vh">{kind === 'del' ? 'removed: ' : 'added: '}</span>}
        {side.pieces.map(({ text, changed }, index) =>
          changed && kind !== '' && text.trim() !== '' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line have no other identity and never move
            <Mark key={index}>{text}</Mark>
          ) : (
            text
          ),
        )}
      </span>
    </>
  );
}

function linesOf(rows: DiffRow[]): string {
  const lines = rows.flatMap(({ before, after }) => after?.line ?? before?.line ?? []);
  const first = lines.at(0);
  const last = lines.at(-1);
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}
