'use client';

import { Button } from '#components/ui/button.tsx';
import { formatAge, formatMoment } from '#lib/format.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import { stopName } from './stop-reason-words.ts';
import { useBareKeys } from './use-bare-keys.ts';

type DecisionBarProps = {
  record: RunRecord;
  selected: number;
  isBusy: boolean;
  now: Date;
  onAccept: () => void;
  onContinue: () => void;
  onOverride: () => void;
  onStop: () => void;
};

/** What a person can answer while a run waits. Sticks to the bottom; one key each; the first line says what it waits for. */
export function DecisionBar({
  record,
  selected,
  isBusy,
  now,
  onAccept,
  onContinue,
  onOverride,
  onStop,
}: DecisionBarProps) {
  const pause = record.waitingFor;
  const rest = isBusy || pause === null;
  useBareKeys({
    a: rest ? null : onAccept,
    c: rest ? null : onContinue,
    o: rest ? null : onOverride,
    s: rest ? null : onStop,
  });
  if (pause === null) return null;
  const age = formatAge(pause.since, now);
  return (
    <section className="decide" aria-label="Your decision" data-testid="decision-bar">
      <div className="why">
        <span>
          <b className="waitc">Paused at v{pause.version}</b>
          {pause.wouldStopAs
            ? `: without you the run would stop as ${stopName(pause.wouldStopAs)}.`
            : ': without you the run would go on with the next revision.'}
        </span>
        <span className="end wide-only" title={formatMoment(pause.since)}>
          {age === 'now' ? 'Since just now' : `For ${age}`}. Without an answer:{' '}
          {pause.expiresAt ? 'decided by the rules' : 'stays paused'}
        </span>
      </div>
      <div className="keys">
        <Button onClick={onAccept} disabled={isBusy}>
          Accept v{selected} <kbd>a</kbd>
        </Button>
        <Button onClick={onOverride} disabled={isBusy}>
          Override score <kbd>o</kbd>
        </Button>
        <Button onClick={onStop} disabled={isBusy}>
          Stop <kbd>s</kbd>
        </Button>
        <span className="grow wide-only" />
        <Button variant="primary" onClick={onContinue} disabled={isBusy}>
          {isBusy ? 'Sending' : 'Continue'} <kbd>c</kbd>
        </Button>
      </div>
    </section>
  );
}
