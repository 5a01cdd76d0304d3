'use client';

import { FoldVertical } from 'lucide-react';
import { Fragment } from 'react';
import { DiffLine } from '#components/run/diff-line.tsx';
import type { DiffBlock } from '#components/run/diff-rows.ts';
import { useDiffBlocks } from '#components/run/use-diff-blocks.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { ChangedSetting } from './changed-settings.ts';

type SettingsDiffProps = { changed: readonly ChangedSetting[]; total: number; from: number; to: number };

/** What a version of the settings changed, setting by setting, with the changed words marked. */
export function SettingsDiff({ changed, total, from, to }: SettingsDiffProps) {
  if (changed.length === 0) return <p className="muted">Nothing differs but perhaps the name.</p>;
  return (
    <section
      className="diff uni"
      aria-label={`Settings changed from version ${from} to version ${to}`}
      data-testid="settings-diff"
    >
      {changed.map(({ setting, before, after }) => (
        <Fragment key={setting}>
          <div className="hunk">
            <b className="mono text-ink wrap-anywhere">{setting}</b>
            {before === '' ? <span>was not set</span> : after === '' ? <span>is not set any more</span> : null}
          </div>
          <Blocks before={before} after={after} />
        </Fragment>
      ))}
      <p className="fold cursor-default">
        <FoldVertical className="i s" aria-hidden />
        {formatNumberOf(total - changed.length, 'unchanged setting')}
      </p>
    </section>
  );
}

function Blocks({ before, after }: { before: string; after: string }) {
  const blocks = useDiffBlocks(before, after);
  if (blocks === null) return <p className="muted">Comparing the texts</p>;
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity and never move
    <Block key={index} block={block} />
  ));
}

/** As many unchanged lines as help to find the place. */
const SHOWN_AROUND = 3;

function Block({ block }: { block: DiffBlock }) {
  if (block.kind === 'same') {
    const shown = block.rows.slice(0, SHOWN_AROUND);
    return (
      <>
        {shown.map(({ after }) => (
          <div key={after?.line} className="dl">
            <DiffLine side={after} kind="" lines={[]} showSpace={false} />
          </div>
        ))}
        {block.rows.length > shown.length ? (
          <p className="fold cursor-default">{formatNumberOf(block.rows.length - shown.length, 'unchanged line')}</p>
        ) : null}
      </>
    );
  }
  return (
    <>
      {block.rows.map(({ before }) =>
        before ? (
          <div key={`- ${before.line}`} className="dl">
            <DiffLine side={before} kind="del" lines={[]} showSpace={false} />
          </div>
        ) : null,
      )}
      {block.rows.map(({ after }) =>
        after ? (
          <div key={`+ ${after.line}`} className="dl">
            <DiffLine side={after} kind="add" lines={[]} showSpace={false} />
          </div>
        ) : null,
      )}
    </>
  );
}
