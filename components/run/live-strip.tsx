'use client';

import { Check, Circle, CircleDashed } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Caret, LiveText } from '#components/ui/live-text.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { useNow } from '#components/ui/timers.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatCount, formatElapsed } from '#lib/format.ts';
import type { LiveTextStore } from './live-text-store.ts';
import { runPhases } from './run-phases.ts';

type LiveStripProps = { record: RunRecord; settings: ExperimentSettings; liveText: LiveTextStore; now: string };

const STATES = { done: 'text-ink-2', now: 'font-semibold text-brand', next: undefined };

/** Shows the current activity of a run in progress: its phase, elapsed time, cost and the streamed text. */
export function LiveStrip({ record, settings, liveText, now }: LiveStripProps) {
  const live = useSyncExternalStore(liveText.subscribe, liveText.get, () => null);
  const phases = runPhases(record, settings, live?.role ?? null);
  const current = useNow(now, 1000);
  if (phases.length === 0) return null;
  const elapsed = record.startedAt === null ? 0 : current.getTime() - Date.parse(record.startedAt);
  const isText = live !== null && live.role !== 'evaluate' && live.role !== 'reflect';
  return (
    <Pane className="max-medium:order-1" aria-label="In progress" data-testid="live">
      <div className="flex flex-wrap items-center gap-2">
        <div
          className="flex flex-wrap gap-x-4 gap-y-1 text-ink-3 text-sm *:inline-flex *:items-center *:gap-1.5"
          role="status"
        >
          {phases.map(({ label, state }) => (
            <span key={label} className={STATES[state]}>
              {state === 'done' ? <Check /> : state === 'now' ? <Circle /> : <CircleDashed />}
              {label}
              {state === 'next' ? <span className="sr-only"> comes next</span> : null}
            </span>
          ))}
        </div>
        <div className="ml-auto flex items-center gap-2 text-ink-2 text-sm">
          <span>{formatElapsed(elapsed)}</span>
          <span>{formatCost(record.costUsd, record.unpriced)}</span>
          <span>{formatCount(record.tokenUsage.total)} tokens</span>
        </div>
      </div>
      {isText ? (
        <LiveText aria-busy="true" aria-label="Response so far">
          <div>
            {live.text.slice(-4000)}
            <Caret />
          </div>
        </LiveText>
      ) : null}
      <p className="sr-only" aria-live="polite">
        {isText ? lastSentence(live.text) : ''}
      </p>
    </Pane>
  );
}

/** Returns the last full sentence, so that a screen reader announces sentences and not fragments. */
function lastSentence(text: string): string {
  return text.match(/[^.!?\n]*[.!?\n](?=[^.!?\n]*$)/)?.[0].trim() ?? '';
}
