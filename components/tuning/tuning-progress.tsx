'use client';

import { useSyncExternalStore } from 'react';
import type { LiveTextStore } from '#components/run/live-text-store.ts';
import { Caret, LiveText } from '#components/ui/live-text.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Progress } from '#components/ui/progress.tsx';
import { useNow } from '#components/ui/timers.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { restOfTuning } from '#lib/estimates/rest-of-tuning.ts';
import { formatCost, formatCount, formatElapsed } from '#lib/format.ts';
import type { TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { phaseCount, restLabel, tuningPhase } from './labels.ts';

type TuningProgressProps = {
  record: RunRecord;
  tuning: TuningSummary;
  settings: ExperimentSettings;
  liveText: LiveTextStore;
};

/** Progress of a tuning run: its phase and cases, the proposals, calls and cost so far, and an estimate of the remaining work. */
export function TuningProgress({ record, tuning, settings, liveText }: TuningProgressProps) {
  const live = useSyncExternalStore(liveText.subscribe, liveText.get, () => null);
  const current = useNow(1000);
  const isProposing = live?.role === 'reflect';
  const phase = tuningPhase(record, tuning, isProposing);
  if (phase === null) return null;
  const elapsed = record.startedAt === null ? 0 : current.getTime() - Date.parse(record.startedAt);
  const { maxCalls } = settings.budget;
  const count = phaseCount(phase);
  return (
    <Pane className="max-medium:order-1" aria-label="In progress" data-testid="live">
      <div className="flex flex-wrap items-center gap-2">
        <div className="flex flex-wrap gap-x-4 gap-y-1 text-ink-3 text-sm" role="status">
          <span className="font-semibold text-brand">{phase.label}</span>
          {count === '' ? null : <span>{count}</span>}
        </div>
        <div className="ml-auto flex flex-wrap items-center gap-2 text-ink-2 text-sm">
          <span>
            {record.iterationsUsed} of {settings.maxIterations} proposals
          </span>
          <span>
            {formatCount(tuning.calls)}
            {maxCalls === null ? '' : ` of ${formatCount(maxCalls)}`} calls
          </span>
          <span>{formatElapsed(elapsed)}</span>
          <span>{formatCost(record.costUsd, record.unpriced)} so far</span>
        </div>
      </div>
      <p className="mt-1 text-right text-ink-3 text-sm" data-testid="rest">
        {restLabel(
          restOfTuning(settings, {
            cases: {
              train: tuning.cases.train,
              validation: tuning.cases.validation,
              held_out: tuning.cases.heldOut,
            },
            iterations: record.iterationsUsed,
            calls: tuning.calls,
            costUsd: record.costUsd,
            unpriced: record.unpriced,
            heldOutTries: tuning.heldOutTries,
            baselineTries: tuning.baselineTries,
            paidTries: tuning.tries - tuning.paidBefore,
          }),
        )}
      </p>
      {phase.done !== null && phase.of !== null ? (
        <Progress
          className="mt-2"
          share={phase.done / Math.max(1, phase.of)}
          role="progressbar"
          aria-valuenow={phase.done}
          aria-valuemin={0}
          aria-valuemax={phase.of}
          aria-label={phase.label}
        />
      ) : null}
      {isProposing && live !== null ? (
        <LiveText aria-busy="true" aria-label="Proposal so far">
          <div>
            {live.text.slice(-4000)}
            <Caret />
          </div>
        </LiveText>
      ) : null}
    </Pane>
  );
}
