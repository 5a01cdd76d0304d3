'use client';

import { NotYours, OnlyFor } from '#components/access/only-for.tsx';
import { useMay } from '#components/access/role-provider.tsx';
import { ActionBar, ActionBarButtons, ActionBarLine } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatAge, formatMoment, formatNumberOf } from '#lib/format.ts';
import type { ChosenChanges } from './chosen-changes.ts';
import { DraftLine } from './draft-line.tsx';
import { pauseLabel } from './pause-labels.ts';
import type { DraftDecision } from './use-draft-decision.ts';
import { useModEnter } from './use-mod-enter.ts';

type DecisionBarProps = {
  record: RunRecord;
  settings: ExperimentSettings;
  selected: number;
  isBusy: boolean;
  now: Date;
  draft: DraftDecision | null;
  /** Some changes of the diff, to be made a version of. */
  chosen: ChosenChanges | null;
  canRevert: boolean;
  onAccept: () => void;
  onContinue: () => void;
  onGuide: () => void;
  onOverride: () => void;
  onEdit: () => void;
  onRevert: () => void;
  onTake: (() => void) | null;
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
  const { record, selected, isBusy, draft, chosen, canRevert } = props;
  const pause = record.waitingFor;
  const { may, why } = useMay('reviewer');
  const rest = isBusy || pause === null || !may;
  const asksScores = pause !== null && pause.asks.length > 0;
  // Before a version is judged there is no score to override.
  const isTuning = props.settings.mode === 'tune';
  const canOverride =
    !isTuning && record.versions.some(({ number, evaluations }) => number === selected && evaluations.length > 0);
  useBareKeys({
    a: rest ? null : props.onAccept,
    c: rest ? null : props.onContinue,
    g: rest ? null : props.onGuide,
    o: rest || !canOverride ? null : props.onOverride,
    e: rest ? null : props.onEdit,
    r: rest || !canRevert ? null : props.onRevert,
    s: rest ? null : props.onStop,
    y: rest || !asksScores ? null : props.onScore,
    z: rest || draft === null ? null : props.onUndo,
  });
  useModEnter(rest ? null : props.onSend);
  const mod = useModKey();
  if (pause === null) return null;
  return (
    <ActionBar aria-label="Your decision" data-testid="decision-bar">
      {draft ? (
        <ActionBarLine>
          <DraftLine draft={draft} onUndo={props.onUndo} />
        </ActionBarLine>
      ) : null}
      {/* A draft that was refused may be of another pause than the one that it would answer now. */}
      {draft === null || draft.sendsAt === null ? (
        <ActionBarLine>
          <PauseLine {...props} />
        </ActionBarLine>
      ) : null}
      <NotYours why={why} />
      <ActionBarButtons>
        <OnlyFor needs="reviewer" isSilent>
          <Button onClick={props.onAccept} disabled={isBusy}>
            Accept v{selected} <kbd>a</kbd>
          </Button>
          {draft || asksScores || chosen ? (
            <Button onClick={props.onContinue} disabled={isBusy}>
              {asksScores ? 'Continue without a score' : continueLabel(pause, isTuning)} <kbd>c</kbd>
            </Button>
          ) : null}
          <Button onClick={props.onGuide} disabled={isBusy}>
            Guide <kbd>g</kbd>
          </Button>
          {isTuning ? null : (
            <Button
              onClick={props.onOverride}
              disabled={isBusy || !canOverride}
              title={canOverride ? undefined : `v${selected} is not judged yet: there is no score to override`}
            >
              <span>
                Override<span className="max-narrow:hidden"> score</span>
              </span>{' '}
              <kbd>o</kbd>
            </Button>
          )}
          <Button onClick={props.onEdit} disabled={isBusy}>
            Edit <kbd>e</kbd>
          </Button>
          {canRevert ? (
            <Button
              onClick={props.onRevert}
              disabled={isBusy}
              title={`The next ${isTuning ? 'proposal' : 'revision'} starts from v${selected}`}
            >
              <span>
                Revert<span className="max-narrow:hidden"> to v{selected}</span>
              </span>{' '}
              <kbd>r</kbd>
            </Button>
          ) : null}
          <Button onClick={props.onStop} disabled={isBusy}>
            Stop <kbd>s</kbd>
          </Button>
          <span className="min-w-0 flex-1 max-narrow:hidden" />
          <MainAct {...props} asksScores={asksScores} goOn={continueLabel(pause, isTuning)} mod={mod} />
        </OnlyFor>
      </ActionBarButtons>
    </ActionBar>
  );
}

/** The one thing that mod and Enter do as well. */
function MainAct({
  draft,
  isBusy,
  chosen,
  onTake,
  onSend,
  onScore,
  onContinue,
  asksScores,
  goOn,
  mod,
}: DecisionBarProps & { asksScores: boolean; goOn: string; mod: string }) {
  if (draft)
    return (
      <Button variant="primary" onClick={onSend} disabled={isBusy}>
        {isBusy ? 'Sending' : 'Send now'} <kbd>{mod} ↵</kbd>
      </Button>
    );
  if (chosen && onTake)
    return (
      <Button variant="primary" onClick={onTake} disabled={isBusy}>
        Take {formatNumberOf(chosen.count, 'change')} <kbd>{mod} ↵</kbd>
      </Button>
    );
  if (asksScores)
    return (
      <Button variant="primary" onClick={onScore} disabled={isBusy}>
        Give my score <kbd>y</kbd>
      </Button>
    );
  return (
    <Button variant="primary" onClick={onContinue} disabled={isBusy}>
      {isBusy ? 'Sending' : goOn} <kbd>c</kbd>
    </Button>
  );
}

function PauseLine({
  record,
  settings,
  now,
  chosen,
}: Pick<DecisionBarProps, 'record' | 'settings' | 'now' | 'chosen'>) {
  const pause = record.waitingFor;
  const { may } = useMay('reviewer');
  if (pause === null) return null;
  if (chosen)
    return (
      <span>
        <b className="text-ink">Chosen:</b> {chosen.words}. This would make v{record.versions.length} and score it.
      </span>
    );
  const age = formatAge(pause.since, now);
  return (
    <>
      <span>
        <b className="text-wait">Paused at v{pause.version}</b>
        {pauseLabel(pause, settings, may)}
      </span>
      <span className="ml-auto max-narrow:hidden" title={formatMoment(pause.since)}>
        {age === 'now' ? 'Since just now' : `For ${age}`}. Without an answer:{' '}
        {pause.expiresAt ? `${timeoutLabel(settings)} ${formatMoment(pause.expiresAt)}` : 'stays paused'}
      </span>
    </>
  );
}

function timeoutLabel({ callbacks }: ExperimentSettings): string {
  return callbacks.onTimeout === 'stop' ? 'stopped' : 'left to the rules';
}

type Pause = NonNullable<RunRecord['waitingFor']>;

function continueLabel({ hook, version }: Pause, isTuning: boolean): string {
  if (hook === 'onReflection') return 'Continue';
  return isTuning ? `Try v${version}` : `Judge v${version}`;
}
