'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useRef, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import { useNow } from '#components/ui/use-now.ts';
import type { RescoreReport } from '#lib/measures/rescore-report.ts';
import { isSelfJudged } from '#lib/reflection/is-self-judged.ts';
import { fail, type Problem, type Result } from '#lib/reflection/problem.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { askForReflection } from './ask-for-reflection.ts';
import { AskedScores, focusOn } from './asked-scores.tsx';
import { BestRules } from './best-rules.tsx';
import { DecisionBar } from './decision-bar.tsx';
import { DraftToast } from './draft-toast.tsx';
import { EvaluationPane } from './evaluation-pane.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { findNextWaiting } from './find-next-waiting.ts';
import { IssueLedger } from './issue-ledger.tsx';
import { JudgeTrust } from './judge-trust.tsx';
import { LessonsPane } from './lessons-pane.tsx';
import { LiveStrip } from './live-strip.tsx';
import { OutputPane } from './output-pane.tsx';
import { OverrideDialog } from './override-dialog.tsx';
import type { DecisionInput, RunActions } from './run-actions.ts';
import { RunHead } from './run-head.tsx';
import { ScoreTrajectory } from './score-trajectory.tsx';
import { useDraftDecision } from './use-draft-decision.ts';
import { useLiveRun } from './use-live-run.ts';
import { useRescores } from './use-rescores.ts';
import { useRunPageState } from './use-run-page-state.ts';
import { type StoredScores, useWhatIf, type WhatIfState } from './use-what-if.ts';
import { VersionList } from './version-list.tsx';
import { WhatIfPanel } from './what-if-panel.tsx';
import { whatIfWords } from './what-if-words.ts';

type RunViewProps = {
  initial: RunRecord;
  settings: ExperimentSettings;
  actions: RunActions;
  scores: StoredScores;
  rescores: RescoreReport[];
  now: string;
};

/** The run page: its course at the left, the chosen version at the right, what is a person's to do at the bottom. Live. */
export function RunView({ initial, settings, actions, scores, rescores, now: serverNow }: RunViewProps) {
  const { record, liveText, refresh } = useLiveRun(initial);
  const state = useRunPageState();
  const whatIf = useWhatIf(record, settings, scores);
  const { reports, refresh: refreshRescores } = useRescores(record.id, rescores);
  const router = useRouter();
  const toast = useToast();
  const now = useNow(serverNow, 20_000);
  const [isBusy, startSending] = useTransition();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isScoring, setScoring] = useState(false);
  const version = record.versions.find(({ number }) => number === state.version) ?? defaultVersion(record);

  const send = useCallback(
    (action: Promise<Result<unknown>>, done: string) =>
      new Promise<Result<unknown>>((resolve) =>
        startSending(async () => {
          const result = await action.catch(unreachable);
          if (result.ok) {
            setProblem(null);
            toast(done);
          } else {
            setProblem(result.problem);
          }
          refresh();
          resolve(result);
        }),
      ),
    [toast, refresh],
  );
  const decide = (input: DecisionInput, done: string) => send(actions.decide(input), done);
  const { draft, propose, undo, sendNow } = useDraftDecision(decide);
  const pauseId = record.waitingFor?.pauseId;
  const atPause = pauseId === undefined ? {} : { pauseId };
  const proposeContinue = () =>
    propose({ input: { decision: 'continue', ...atPause }, words: 'continue', done: 'Going on' });

  async function reflect(number: number) {
    const result = await askForReflection(record.id, number).catch(unreachable);
    setProblem(result.ok ? null : result.problem);
    if (result.ok) toast(`A reflection on v${number} stands among its critiques`);
    refresh();
  }

  const askedForm = useRef<HTMLFormElement>(null);
  const asking = record.waitingFor !== null && record.waitingFor.asks.length > 0 ? record.waitingFor : null;
  function goToScores() {
    if (asking === null) return;
    state.setVersion(asking.version);
    // The form is there once its version is shown.
    setTimeout(() => focusOn(askedForm, 0));
  }
  async function giveScore(input: DecisionInput) {
    const result = await actions.decide(input).catch(unreachable);
    refresh();
    return result;
  }

  async function sendAndGoOn() {
    if (asking !== null && draft === null) return askedForm.current?.requestSubmit() ?? goToScores();
    // A score answers no pause: the run still waits here.
    if (draft?.input.decision === 'override') return void sendNow();
    const isSent = draft
      ? await sendNow(draft.sendsAt === null ? atPause : {})
      : (await decide({ decision: 'continue', ...atPause }, 'Going on')).ok;
    const next = isSent ? await findNextWaiting(record.id) : null;
    if (next !== null) router.push(`/runs/${next}`);
  }

  const place = record.versions.findIndex(({ number }) => number === version?.number);
  const versionAt = (index: number) => {
    const found = record.versions[index];
    return found ? () => state.setVersion(found.number) : null;
  };
  useBareKeys({ j: place > 0 ? versionAt(place - 1) : null, k: versionAt(place + 1) });

  return (
    <>
      <RunHead
        record={record}
        settings={settings}
        now={now}
        isBusy={isBusy}
        onStop={() => send(actions.stop(), 'Stopping: the call under way is given up, what is stored stays')}
        onResume={() => send(actions.resume(), 'Going on')}
        onScore={version ? () => setScoring(true) : null}
        onAccept={
          version && isEnded(record) && record.finalVersion !== null
            ? () =>
                propose({
                  input: { decision: 'accept', version: version.number },
                  words: `accept v${version.number}`,
                  done: `Accepted v${version.number}`,
                })
            : null
        }
        selected={version?.number ?? null}
        isWhatIf={whatIf.isOpen}
        onWhatIf={whatIf.isOpen ? whatIf.close : whatIf.open}
      />
      {problem ? (
        <div className="pane">
          <Notice tone={problem.code === 'conflict' ? 'person' : 'worse'} alert title={problem.message}>
            {draft && draft.sendsAt === null ? (
              <>
                Your answer, {draft.words}, was not sent and is kept here.{' '}
                {record.status === 'waiting' ? null : (
                  <Button size="small" disabled={isBusy} onClick={() => void sendNow()}>
                    Send it again
                  </Button>
                )}
                <Button
                  size="small"
                  variant="ghost"
                  onClick={() => {
                    undo();
                    setProblem(null);
                  }}
                >
                  Let it go
                </Button>
              </>
            ) : problem.code === 'conflict' ? (
              'Your answer was not sent; below is how the run stands now.'
            ) : (
              'Nothing was changed.'
            )}
          </Notice>
        </div>
      ) : null}
      <div className="cols run">
        <div className="flex flex-col">
          <FailureNotice record={record} isBusy={isBusy} onResume={() => send(actions.resume(), 'Going on')} />
          <LiveStrip record={record} settings={settings} liveText={liveText} now={serverNow} />
          <section className="pane o1 pb-3">
            <div className="ph mb-0">
              <h2>Score by version</h2>
              <span className="note">
                0 to 1, against a threshold of {settings.qualityThreshold.toFixed(2)}
                {isSelfJudged(settings) ? ' ⚠ judged by the model that wrote it' : ''}
              </span>
            </div>
            {record.versions.length > 0 ? (
              <>
                <ScoreTrajectory
                  record={record}
                  settings={settings}
                  selected={version?.number ?? null}
                  onSelect={state.setVersion}
                  whatIf={markOf(whatIf, record, settings)}
                />
                <ChartKey record={record} />
              </>
            ) : (
              <p className="muted py-4">
                {isEnded(record)
                  ? 'No version was made.'
                  : 'No version yet. The first appears here as soon as it is scored.'}
              </p>
            )}
          </section>
          <div className="o4 border-b border-line">
            <VersionList record={record} selected={version?.number ?? null} onSelect={state.setVersion} />
          </div>
          <IssueLedger record={record} selected={version?.number ?? null} />
          <BestRules record={record} settings={settings} />
        </div>
        <div className="flex flex-col">
          {whatIf.outcome && record.versions.length > 0 ? (
            <WhatIfPanel record={record} settings={settings} state={whatIf} outcome={whatIf.outcome} />
          ) : null}
          {version ? (
            <>
              <OutputPane record={record} version={version} state={state} />
              <EvaluationPane
                record={record}
                version={version}
                settings={settings}
                onReflect={() => reflect(version.number)}
                asked={
                  asking?.version === version.number ? (
                    <AskedScores
                      key={asking.pauseId}
                      pause={asking}
                      give={giveScore}
                      onGiven={(count) => toast(count > 1 ? 'Your scores are stored' : 'Your score is stored')}
                      form={askedForm}
                    />
                  ) : null
                }
              />
              <JudgeTrust
                key={version.number}
                version={version}
                settings={settings}
                report={reports.find((report) => report.version === version.number)}
                isBusy={isBusy}
                onRescore={(times) =>
                  send(actions.rescore(version.number, times), `v${version.number} is judged again`).then(
                    refreshRescores,
                  )
                }
              />
              <LessonsPane record={record} version={version} />
            </>
          ) : null}
          <TaskPane record={record} settings={settings} />
        </div>
      </div>
      {record.status === 'waiting' && version ? (
        <DecisionBar
          record={record}
          selected={version.number}
          isBusy={isBusy}
          now={now}
          draft={draft}
          onAccept={() =>
            propose({
              input: { decision: 'accept', version: version.number, ...atPause },
              words: `accept v${version.number}, which ends the run`,
              done: `Accepted v${version.number}`,
            })
          }
          onContinue={proposeContinue}
          onOverride={() => setScoring(true)}
          onScore={goToScores}
          onStop={() =>
            propose({ input: { decision: 'stop', ...atPause }, words: 'stop the run here', done: 'Stopped' })
          }
          onUndo={undo}
          onSend={sendAndGoOn}
        />
      ) : null}
      {draft && record.status !== 'waiting' ? <DraftToast draft={draft} isBusy={isBusy} onUndo={undo} /> : null}
      {version ? (
        <OverrideDialog
          key={version.number}
          open={isScoring}
          onOpenChange={setScoring}
          version={version.number}
          settings={settings}
          onSend={(input) => {
            setScoring(false);
            propose({
              input,
              words: `add your score of v${version.number}`,
              done: `Your score of v${version.number} is added`,
            });
          }}
        />
      ) : null}
    </>
  );
}

/** What the chart marks of an open what if that changes something. */
function markOf({ outcome, isChanged }: WhatIfState, record: RunRecord, settings: ExperimentSettings) {
  if (outcome === null || !isChanged) return null;
  const moved = outcome.settings.qualityThreshold;
  return {
    outcome: outcome.would,
    words: whatIfWords(outcome.would, outcome.settings, record.finishedAt !== null),
    threshold: moved === settings.qualityThreshold ? null : moved,
    own: settings.qualityThreshold,
  };
}

/** What a person is told when the app itself did not answer. */
function unreachable(): Result<never> {
  return fail('unavailable', 'Hone did not answer. Check that it still runs, then try again.');
}

/** The version a person would look at first: the paused one, the accepted, the best, else the last. */
function defaultVersion(record: RunRecord) {
  const wanted =
    record.waitingFor?.version ??
    (record.convergenceReason === 'user_accepted' ? record.finalVersion : isEnded(record) ? record.bestVersion : null);
  return record.versions.find(({ number }) => number === wanted) ?? record.versions.at(-1);
}

function isEnded({ status }: RunRecord): boolean {
  return status === 'finished' || status === 'stopped' || status === 'failed';
}

function ChartKey({ record }: { record: RunRecord }) {
  const hasPerson =
    record.decisions.some(({ by }) => by !== 'policy') ||
    record.versions.some(({ evaluations }) => evaluations.some(({ by }) => by === 'person'));
  if (!hasPerson) return null;
  return (
    <p className="key">
      <span>◆ a person</span>
      <span>○ policy</span>
    </p>
  );
}

function TaskPane({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  return (
    <section className="pane o7 grow border-b-0">
      <div className="ph">
        <h2>Task</h2>
      </div>
      {settings.generator.instructions ? (
        <p className="quote mb-2 whitespace-pre-wrap wrap-anywhere">{settings.generator.instructions}</p>
      ) : null}
      <p className="prose max-h-80 overflow-y-auto whitespace-pre-wrap wrap-anywhere" data-testid="task">
        {record.case.input}
      </p>
      {record.case.reference === null ? null : (
        <p className="sm muted mt-2 wrap-anywhere">
          Reference answer, never shown to the models: <b className="md5">{record.case.reference}</b>
        </p>
      )}
    </section>
  );
}
