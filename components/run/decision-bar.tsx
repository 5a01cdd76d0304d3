'use client';

import { Undo2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { formatAge, formatMoment } from '#lib/format.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import { stopName } from './stop-reason-words.ts';
import type { DraftDecision } from './use-draft-decision.ts';
import { useModEnter } from './use-mod-enter.ts';
import { useSecondsLeft } from './use-seconds-left.ts';

type DecisionBarProps = {
  record: RunRecord;
  selected: number;
  isBusy: boolean;
  now: Date;
  draft: DraftDecision | null;
  onAccept: () => void;
  onContinue: () => void;
  onOverride: () => void;
  /** Goes to the scores that are asked, where the run waits for some. */
  onScore: () => void;
  onStop: () => void;
  onUndo: () => void;
  /** Sends the draft, or else continues, and goes on to the next run that waits. */
  onSend: () => void;
};

/**
 * What a person can answer while a run waits. Sticks to the bottom; one key each. The first line says what it waits for,
 * then what the draft will do and for how long it can be taken back.
 */
export function DecisionBar(props: DecisionBarProps) {
  const { record, selected, isBusy, draft, onAccept, onContinue, onOverride, onScore, onStop, onUndo, onSend } = props;
  const pause = record.waitingFor;
  const rest = isBusy || pause === null;
  const asksScores = pause !== null && pause.asks.length > 0;
  useBareKeys({
    a: rest ? null : onAccept,
    c: rest ? null : onContinue,
    o: rest ? null : onOverride,
    s: rest ? null : onStop,
    y: rest || !asksScores ? null : onScore,
    z: rest || draft === null ? null : onUndo,
  });
  useModEnter(rest ? null : onSend);
  const mod = useModKey();
  if (pause === null) return null;
  return (
    <section className="decide" aria-label="Your decision" data-testid="decision-bar">
      <div className="why">{draft ? <DraftLine draft={draft} onUndo={onUndo} /> : <PauseLine {...props} />}</div>
      <div className="keys">
        <Button onClick={onAccept} disabled={isBusy}>
          Accept v{selected} <kbd>a</kbd>
        </Button>
        {draft || asksScores ? (
          <Button onClick={onContinue} disabled={isBusy}>
            {asksScores ? 'Continue without a score' : 'Continue'} <kbd>c</kbd>
          </Button>
        ) : null}
        <Button onClick={onOverride} disabled={isBusy}>
          Override score <kbd>o</kbd>
        </Button>
        <Button onClick={onStop} disabled={isBusy}>
          Stop <kbd>s</kbd>
        </Button>
        <span className="grow wide-only" />
        {draft ? (
          <Button variant="primary" onClick={onSend} disabled={isBusy}>
            {isBusy ? 'Sending' : 'Send now'} <kbd>{mod} ↵</kbd>
          </Button>
        ) : asksScores ? (
          <Button variant="primary" onClick={onScore} disabled={isBusy}>
            Give my score <kbd>y</kbd>
          </Button>
        ) : (
          <Button variant="primary" onClick={onContinue} disabled={isBusy}>
            {isBusy ? 'Sending' : 'Continue'} <kbd>c</kbd>
          </Button>
        )}
      </div>
    </section>
  );
}

function DraftLine({ draft, onUndo }: { draft: DraftDecision; onUndo: () => void }) {
  const seconds = useSecondsLeft(draft.sendsAt);
  return (
    <>
      <span>
        <span role="status">
          <b className="text-ink">Your draft:</b> {draft.words}.
        </span>{' '}
        {seconds === null ? 'It was not sent and is kept.' : <span aria-hidden>Sent in {seconds} s.</span>}
      </span>
      <Button variant="ghost" size="small" onClick={onUndo}>
        <Undo2 className="i s" aria-hidden />
        Undo <kbd>z</kbd>
      </Button>
    </>
  );
}

function PauseLine({ record, now }: Pick<DecisionBarProps, 'record' | 'now'>) {
  const pause = record.waitingFor;
  if (pause === null) return null;
  const age = formatAge(pause.since, now);
  return (
    <>
      <span>
        <b className="waitc">Paused at v{pause.version}</b>
        {pauseWords(pause)}
      </span>
      <span className="end wide-only" title={formatMoment(pause.since)}>
        {age === 'now' ? 'Since just now' : `For ${age}`}. Without an answer:{' '}
        {pause.expiresAt ? 'decided by the rules' : 'stays paused'}
      </span>
    </>
  );
}

function pauseWords({ asks, wouldStopAs }: NonNullable<RunRecord['waitingFor']>): string {
  if (asks.length > 0) return `: it waits for your score of ${asks.map(({ criterion }) => criterion).join(' and ')}.`;
  return wouldStopAs
    ? `: without you the run would stop as ${stopName(wouldStopAs)}.`
    : ': without you the run would go on with the next revision.';
}
