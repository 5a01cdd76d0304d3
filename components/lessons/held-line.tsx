'use client';

import { Undo2 } from 'lucide-react';
import { useSecondsLeft } from '#components/run/use-seconds-left.ts';
import { ActionBarLine } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { VERDICT_LABELS } from './lesson-labels.ts';
import type { HeldVerdict } from './use-held-verdict.ts';

type HeldLineProps = { held: HeldVerdict; onUndo: () => void; onSendNow: () => void };

/** A verdict that is not sent yet: what was said of which lesson, and for how long it can be taken back. */
export function HeldLine({ held, onUndo, onSendNow }: HeldLineProps) {
  const seconds = useSecondsLeft(held.sendsAt);
  const mod = useModKey();
  return (
    <ActionBarLine data-testid="held-verdict">
      <span className="min-w-0">
        <span role="status" className="wrap-anywhere">
          <b className="text-ink">{VERDICT_LABELS[held.verdict].name}:</b> {held.title}
        </span>{' '}
        <span aria-hidden className="whitespace-nowrap">
          Sent in {seconds} s.
        </span>
      </span>
      <Button variant="ghost" size="small" onClick={onUndo}>
        <Undo2 className="size-3.25" aria-hidden />
        Undo <kbd>z</kbd>
      </Button>
      <Button variant="ghost" size="small" onClick={onSendNow}>
        <span>
          Send<span className="max-narrow:hidden"> now</span>
        </span>{' '}
        <kbd className="max-narrow:hidden">{mod} ↵</kbd>
      </Button>
    </ActionBarLine>
  );
}
