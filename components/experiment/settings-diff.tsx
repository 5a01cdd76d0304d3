'use client';

import { FoldVertical } from 'lucide-react';
import { Fragment } from 'react';
import { DIFF_FOLD, Diff, DiffHeader, DiffLine, LineRow, useDiffBlocks } from '#components/ui/diff/diff-lines.tsx';
import type { DiffBlock } from '#components/ui/diff/diff-rows.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { ChangedSetting } from './changed-settings.ts';

type SettingsDiffProps = { changed: readonly ChangedSetting[]; total: number; from: number; to: number };

/** Shows the changed settings of a version, with changed words marked. */
export function SettingsDiff({ changed, total, from, to }: SettingsDiffProps) {
  if (changed.length === 0) return <p className="text-ink-2">No settings changed.</p>;
  return (
    <Diff aria-label={`Settings changed from version ${from} to version ${to}`} data-testid="settings-diff">
      {changed.map(({ setting, before, after }) => (
        <Fragment key={setting}>
          <DiffHeader className="first:border-t-0">
            <b className="wrap-anywhere font-mono text-[0.94em] text-ink">{setting}</b>
            {before === '' ? <span>not set</span> : after === '' ? <span>removed</span> : null}
          </DiffHeader>
          <Blocks before={before} after={after} />
        </Fragment>
      ))}
      <p className={DIFF_FOLD}>
        <FoldVertical />
        {formatNumberOf(total - changed.length, 'unchanged setting')}
      </p>
    </Diff>
  );
}

function Blocks({ before, after }: { before: string; after: string }) {
  const blocks = useDiffBlocks(before, after);
  if (blocks === null) return <p className="text-ink-2">Comparing texts</p>;
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks have no ID and keep their order
    <Block key={index} block={block} />
  ));
}

/** Unchanged context lines around a change. */
const SHOWN_AROUND = 3;

function Block({ block }: { block: DiffBlock }) {
  if (block.kind === 'same') {
    const shown = block.rows.slice(0, SHOWN_AROUND);
    return (
      <>
        {shown.map(({ after }) => (
          <LineRow key={after?.line}>
            <DiffLine side={after} kind="" lines={[]} showSpace={false} />
          </LineRow>
        ))}
        {block.rows.length > shown.length ? (
          <p className={DIFF_FOLD}>{formatNumberOf(block.rows.length - shown.length, 'unchanged line')}</p>
        ) : null}
      </>
    );
  }
  return (
    <>
      {block.rows.map(({ before }) =>
        before ? (
          <LineRow key={`- ${before.line}`}>
            <DiffLine side={before} kind="del" lines={[]} showSpace={false} />
          </LineRow>
        ) : null,
      )}
      {block.rows.map(({ after }) =>
        after ? (
          <LineRow key={`+ ${after.line}`}>
            <DiffLine side={after} kind="add" lines={[]} showSpace={false} />
          </LineRow>
        ) : null,
      )}
    </>
  );
}
