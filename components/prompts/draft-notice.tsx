'use client';

import { MayButton } from '#components/access/may-button.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { formatMoment } from '#lib/format.ts';
import type { PromptDraftState } from './use-prompt-draft.ts';

/** Tells the later of two windows that the draft was changed in the other one, and lets it choose. Nothing is lost before that. */
export function DraftNotice({ draft }: { draft: PromptDraftState }) {
  const { status, theirs } = draft;
  if (status !== 'changed') return null;
  const title =
    theirs === null ? 'The draft was saved or left in another window.' : 'The draft was changed in another window.';
  return (
    <Notice
      tone="wait"
      alert
      className="mb-2"
      title={title}
      actions={
        <>
          <MayButton needs="editor" size="small" onClick={() => draft.keepMine(theirs)}>
            Keep what is here
          </MayButton>
          <Button size="small" onClick={() => (theirs === null ? window.location.reload() : draft.takeTheirs(theirs))}>
            Take what is there
          </Button>
        </>
      }
    >
      {theirs === null
        ? 'What you see here is not kept until you choose.'
        : `It was kept there on ${formatMoment(theirs.updatedAt)}. What you see here is not kept until you choose.`}
    </Notice>
  );
}
