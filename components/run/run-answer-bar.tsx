'use client';

import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { RoleGate, RoleRequired } from '#components/access/role-controls.tsx';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { ActionBar, ActionBarButtons, ActionBarLine } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { useSecondsLeft } from '#components/ui/timers.ts';
import { TOAST } from '#components/ui/toast.ts';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { SendKeys, ShortcutKey, useShortcuts } from '#components/ui/use-shortcuts.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatNumberOf, formatSentence } from '#lib/format.ts';
import { toolPauseOf } from './agents/agent-labels.ts';
import { ApprovalBar, type ToolDialog } from './agents/approval-bar.tsx';
import { decidedMeanwhileLabel, pauseLabel } from './decision-labels.ts';
import { buttonsOf, PauseAge, UnsentDecision } from './decision-status.tsx';
import { RunDialogs } from './run-dialogs.tsx';
import type { DraftDecision, RunAnswer } from './use-run-answer.ts';

type RunAnswerBarProps = {
  record: RunRecord;
  /** The selected version, which decisions apply to. Undefined before the first one: a run may already wait for a tool approval. */
  version: VersionRecord | undefined;
  settings: ExperimentSettings;
  answer: RunAnswer;
};

/** The next proposal of a tuned prompt may start from any version, so reverting to the last one is meaningful there. */
function canRevert({ number }: VersionRecord, record: RunRecord, { mode }: ExperimentSettings): boolean {
  const isLast = number === record.versions.at(-1)?.number;
  return mode === 'tune' || (mode === 'revise' && !isLast);
}

/** Bar for a person's answers: the decision bar while the run waits, otherwise unsent drafts, and the dialogs. */
export function RunAnswerBar({ record, version, settings, answer }: RunAnswerBarProps) {
  const { decisions, dialog, setDialog } = answer;
  const { draft, isBusy, setProblem } = decisions;
  const toolPause = toolPauseOf(record);
  const [toolDialog, setToolDialog] = useState<ToolDialog | null>(null);
  // An answer to one tool call must not apply to another.
  const overtaken = toolDialog === null ? null : decidedMeanwhileLabel(record, toolDialog.pauseId);
  useEffect(() => {
    if (overtaken === null) return;
    setToolDialog(null);
    setProblem({ code: 'conflict', message: overtaken, field: null });
  }, [overtaken, setProblem]);
  return (
    <>
      {toolPause === null ? null : (
        <ApprovalBar
          record={record}
          pause={toolPause}
          settings={settings}
          decisions={decisions}
          dialog={overtaken === null ? toolDialog : null}
          onDialog={setToolDialog}
          onSend={answer.sendNow}
        />
      )}
      {record.status === 'waiting' && record.waitingFor !== null && toolPause === null && version ? (
        <DecisionBar record={record} version={version} pause={record.waitingFor} settings={settings} answer={answer} />
      ) : null}
      {draft && record.status !== 'waiting' ? (
        <DraftToast draft={draft} isBusy={isBusy} onUndo={decisions.undo} />
      ) : null}
      {version ? (
        <RunDialogs
          record={record}
          version={version}
          settings={settings}
          decisions={decisions}
          open={dialog}
          onOpen={setDialog}
        />
      ) : null}
    </>
  );
}

type DecisionBarProps = RunAnswerBarProps & { version: VersionRecord; pause: Pause };

/**
 * Sticky bottom bar with the decisions available while a run waits, one shortcut each. The first line shows the reason for the pause, then
 * the effect of the draft and the time left to undo it.
 */
function DecisionBar({ record, version, pause, settings, answer }: DecisionBarProps) {
  const { decisions, setDialog, chosen } = answer;
  const { draft, isBusy } = decisions;
  const selected = version.number;
  const { may, why } = useRoleAccess('reviewer');
  const rest = isBusy || !may;
  const asksScores = pause.asks.length > 0;
  const isTuning = settings.mode === 'tune';
  // A version without an evaluation has no score to override.
  const canOverride = !isTuning && version.evaluations.length > 0;
  const acts = {
    'decide.accept': () => decisions.proposeAccept(selected),
    'decide.continue': decisions.proposeContinue,
    'decide.guide': () => setDialog('guide'),
    'decide.override': canOverride ? () => setDialog('score') : null,
    'decide.edit': () => setDialog('edit'),
    'decide.revert': canRevert(version, record, settings) ? () => decisions.proposeRevert(selected) : null,
    'decide.stop': decisions.proposeStop,
    'decide.score': asksScores ? answer.goToScores : null,
    'decide.undo': draft === null ? null : decisions.undo,
  };
  useShortcuts(rest ? {} : acts);
  useModEnter(rest ? null : answer.sendNow, { ignoresFields: true });
  const goOn = continueLabel(pause, isTuning);
  const goOnAnyway = asksScores ? 'Continue without a score' : goOn;
  const buttonOf = buttonsOf(acts, isBusy);
  return (
    <ActionBar aria-label="Your decision" data-testid="decision-bar">
      {draft ? (
        <ActionBarLine>
          <UnsentDecision draft={draft} shortcut="decide.undo" onUndo={decisions.undo} />
        </ActionBarLine>
      ) : null}
      {/* A rejected draft may belong to a different pause than the current one. */}
      {draft === null || draft.sendsAt === null ? (
        <ActionBarLine>
          <PauseLine record={record} pause={pause} settings={settings} chosen={chosen} />
        </ActionBarLine>
      ) : null}
      <RoleRequired why={why} />
      <ActionBarButtons>
        <RoleGate needs="reviewer" isSilent>
          {buttonOf('decide.accept', `Accept v${selected}`)}
          {draft || asksScores || chosen ? buttonOf('decide.continue', goOnAnyway) : null}
          {buttonOf('decide.guide', 'Guide')}
          {isTuning
            ? null
            : buttonOf(
                'decide.override',
                <span>
                  Override<span className="max-narrow:hidden"> score</span>
                </span>,
                canOverride ? undefined : `v${selected} is not scored yet, so there is no score to override`,
              )}
          {buttonOf('decide.edit', 'Edit')}
          {acts['decide.revert'] === null
            ? null
            : buttonOf(
                'decide.revert',
                <span>
                  Revert<span className="max-narrow:hidden"> to v{selected}</span>
                </span>,
                `The next ${isTuning ? 'proposal' : 'revision'} starts from v${selected}`,
              )}
          {buttonOf('decide.stop', 'Stop')}
          <span className="min-w-0 flex-1 max-narrow:hidden" />
          <PrimaryAction answer={answer} goOn={goOn} />
        </RoleGate>
      </ActionBarButtons>
    </ActionBar>
  );
}

/** The primary action, also triggered by mod+Enter. */
function PrimaryAction({ answer, goOn }: { answer: RunAnswer; goOn: string }) {
  const { decisions, chosen, asking } = answer;
  const { draft, isBusy } = decisions;
  if (draft)
    return (
      <Button variant="primary" onClick={answer.sendNow} disabled={isBusy}>
        {isBusy ? 'Sending' : 'Send now'} <SendKeys />
      </Button>
    );
  if (chosen)
    return (
      <Button variant="primary" onClick={() => decisions.proposeMerge(chosen)} disabled={isBusy}>
        Take {formatNumberOf(chosen.count, 'change')} <SendKeys />
      </Button>
    );
  if (asking)
    return (
      <Button variant="primary" onClick={answer.goToScores} disabled={isBusy}>
        Submit score <ShortcutKey id="decide.score" />
      </Button>
    );
  return (
    <Button variant="primary" onClick={decisions.proposeContinue} disabled={isBusy}>
      {isBusy ? 'Sending' : goOn} <ShortcutKey id="decide.continue" />
    </Button>
  );
}

type PauseLineProps = Pick<DecisionBarProps, 'record' | 'pause' | 'settings'> & Pick<RunAnswer, 'chosen'>;

function PauseLine({ record, pause, settings, chosen }: PauseLineProps) {
  const { may } = useRoleAccess('reviewer');
  if (chosen)
    return (
      <span>
        <b className="text-ink">Chosen:</b> {chosen.label}. This would make v{record.versions.length} and score it.
      </span>
    );
  return (
    <>
      <span>
        <b className="text-wait">Paused at v{pause.version}.</b> {pauseLabel(pause, settings, may)}
      </span>
      <PauseAge pause={pause} timeout={timeoutLabel(settings)} />
    </>
  );
}

function timeoutLabel({ callbacks }: ExperimentSettings): string {
  return callbacks.onTimeout === 'stop' ? 'Stops' : 'Continues by its rules';
}

type Pause = NonNullable<RunRecord['waitingFor']>;

function continueLabel({ hook, version }: Pause, isTuning: boolean): string {
  if (hook === 'onReflection') return 'Continue';
  return isTuning ? `Test v${version}` : `Score v${version}`;
}

type DraftToastProps = { draft: DraftDecision; isBusy: boolean; onUndo: () => void };

/** Shows a pending action with its undo period while the run does not wait. The decision bar shows it otherwise. */
function DraftToast({ draft, isBusy, onUndo }: DraftToastProps) {
  const seconds = useSecondsLeft(draft.sendsAt);
  useShortcuts({ 'decide.undo': isBusy ? null : onUndo });
  if (seconds === null) return null;
  return (
    <section
      className={classNames(TOAST, 'fixed right-4 bottom-6 z-30 max-w-[calc(100vw-2rem)]')}
      aria-label="Not sent yet"
      data-testid="draft-toast"
    >
      <span role="status">{formatSentence(draft.description)}</span>
      <Button size="small" onClick={onUndo} disabled={isBusy}>
        <Undo2 />
        <span>
          Undo<span aria-hidden>, {seconds} s</span>
        </span>
        <span aria-hidden>
          <ShortcutKey id="decide.undo" />
        </span>
      </Button>
    </section>
  );
}
