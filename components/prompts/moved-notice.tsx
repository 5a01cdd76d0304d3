'use client';

import { Undo2 } from 'lucide-react';
import { MayButton } from '#components/access/may-button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { MovedLabel } from '#lib/prompts/prompt-record.ts';

/** Says what became of a move of a label, and offers to take it back. It stays in its place so that it is read out. */
export function MovedNotice({
  moved,
  isBusy,
  onUndo,
}: {
  moved: MovedLabel | null;
  isBusy: boolean;
  onUndo: () => void;
}) {
  return (
    <div role="status" data-testid="moved-label">
      {moved === null ? null : (
        <Notice
          title={movedLabel(moved)}
          actions={
            moved.move === null ? null : (
              <MayButton needs="editor" size="small" disabled={isBusy} onClick={onUndo}>
                <Undo2 className="size-3.25" aria-hidden />
                Undo
              </MayButton>
            )
          }
        >
          {moved.proof?.verdict === 'unproven' ? moved.proof.words : null}
        </Notice>
      )}
    </div>
  );
}

function movedLabel({ label, version, moved }: MovedLabel): string {
  if (version === null) return `${label} is taken off.`;
  return moved ? `${label} is at v${version} now.` : `${label} is at v${version} already.`;
}
