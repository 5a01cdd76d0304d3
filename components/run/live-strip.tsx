'use client';

import { Check, Circle, CircleDashed } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useNow } from '#components/ui/use-now.ts';
import { formatCost, formatCount, formatElapsed } from '#lib/format.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import type { LiveTextStore } from './live-text-store.ts';
import { runPhases } from './run-phases.ts';

type LiveStripProps = { record: RunRecord; settings: ExperimentSettings; liveText: LiveTextStore; now: string };

/** What a run under way does just now: its phase by name, time and money counting up, and the text as it is written. */
export function LiveStrip({ record, settings, liveText, now }: LiveStripProps) {
  const live = useSyncExternalStore(liveText.subscribe, liveText.get, () => null);
  const phases = runPhases(record, settings, live?.role ?? null);
  const current = useNow(now, 1000);
  if (phases.length === 0) return null;
  const elapsed = record.startedAt === null ? 0 : current.getTime() - Date.parse(record.startedAt);
  const isText = live !== null && live.role !== 'evaluate' && live.role !== 'reflect';
  return (
    <section className="pane o1" aria-label="Under way" data-testid="live">
      <div className="row wrap">
        <div className="phase" role="status">
          {phases.map(({ label, state }) => (
            <span key={label} className={state === 'next' ? undefined : state}>
              {state === 'done' ? (
                <Check className="i s" aria-hidden />
              ) : state === 'now' ? (
                <Circle className="i s" aria-hidden />
              ) : (
                <CircleDashed className="i s" aria-hidden />
              )}
              {label}
              {state === 'next' ? <span className="vh"> comes next</span> : null}
            </span>
          ))}
        </div>
        <div className="row sm muted end">
          <span>{formatElapsed(elapsed)}</span>
          <span>{formatCost(record.costUsd, record.unpriced)}</span>
          <span>{formatCount(record.tokenUsage.total)} tokens</span>
        </div>
      </div>
      {isText ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section className="prose live mt-2" aria-busy="true" aria-label="The reply so far" tabIndex={0}>
          <div>
            {live.text.slice(-4000)}
            <span className="caret" aria-hidden />
          </div>
        </section>
      ) : null}
      <p className="vh" aria-live="polite">
        {isText ? lastSentence(live.text) : ''}
      </p>
    </section>
  );
}

/** The last full sentence, so that a screen reader reads sentences and not pieces of words. */
function lastSentence(text: string): string {
  return text.match(/[^.!?\n]*[.!?\n](?=[^.!?\n]*$)/)?.[0].trim() ?? '';
}
