'use client';

import { Undo2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { TOAST } from '#components/ui/toaster.tsx';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import { formatSentence } from '#lib/format.ts';
import type { DraftDecision } from './use-draft-decision.ts';
import { useSecondsLeft } from './use-seconds-left.ts';

type DraftToastProps = { draft: DraftDecision; isBusy: boolean; onUndo: () => void };

/** An act on a run that does not wait, for as long as it can be taken back; where a run waits, the decision bar says this. */
export function DraftToast({ draft, isBusy, onUndo }: DraftToastProps) {
  const seconds = useSecondsLeft(draft.sendsAt);
  useBareKeys({ z: isBusy ? null : onUndo });
  if (seconds === null) return null;
  return (
    <section
      className={classNames(TOAST, 'fixed right-4 bottom-6 z-30 max-w-[calc(100vw-2rem)]')}
      aria-label="Not sent yet"
      data-testid="draft-toast"
    >
      <span role="status">{formatSentence(draft.words)}</span>
      <Button size="small" onClick={onUndo} disabled={isBusy}>
        <Undo2 className="size-3.25" aria-hidden />
        <span>
          Undo<span aria-hidden>, {seconds} s</span>
        </span>
        <kbd aria-hidden>z</kbd>
      </Button>
    </section>
  );
}
