'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import { useNow } from '#components/ui/use-now.ts';
import { fail, type Problem, type Result } from '#lib/reflection/problem.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { BestRules } from './best-rules.tsx';
import { DecisionBar } from './decision-bar.tsx';
import { EvaluationPane } from './evaluation-pane.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { findNextWaiting } from './find-next-waiting.ts';
import { IssueLedger } from './issue-ledger.tsx';
import { LessonsPane } from './lessons-pane.tsx';
import { LiveStrip } from './live-strip.tsx';
import { OutputPane } from './output-pane.tsx';
import { OverrideDialog } from './override-dialog.tsx';
import type { DecisionInput, RunActions } from './run-actions.ts';
import { RunHead } from './run-head.tsx';
import { ScoreTrajectory } from './score-trajectory.tsx';
import { useDraftDecision } from './use-draft-decision.ts';
import { useLiveRun } from './use-live-run.ts';
import { useRunPageState } from './use-run-page-state.ts';
import { VersionList } from './version-list.tsx';

type RunViewProps = { initial: RunRecord; settings: ExperimentSettings; actions: RunActions; now: string };

/** The run page: its course at the left, the chosen version at the right, what is a person's to do at the bottom. Live. */
export function RunView({ initial, settings, actions, now: serverNow }: RunViewProps) {
  const { record, liveText, refresh } = useLiveRun(initial);
  const state = useRunPageState();
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
            setScoring(false);
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

  async function sendAndGoOn() {
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
            ? () => decide({ decision: 'accept', version: version.number }, `Accepted v${version.number}`)
            : null
        }
        selected={version?.number ?? null}
      />
      {problem && !isScoring ? (
        <div className="pane">
          <Notice tone={problem.code === 'conflict' ? 'person' : 'worse'} alert title={problem.message}>
            {draft && draft.sendsAt === null ? (
              <>
                Your answer, {draft.words}, was not sent and is kept here.{' '}
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
              <span className="note">0 to 1, against a threshold of {settings.qualityThreshold.toFixed(2)}</span>
            </div>
            {record.versions.length > 0 ? (
              <>
                <ScoreTrajectory
                  record={record}
                  settings={settings}
                  selected={version?.number ?? null}
                  onSelect={state.setVersion}
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
          {version ? (
            <>
              <OutputPane record={record} version={version} state={state} />
              <EvaluationPane record={record} version={version} settings={settings} />
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
          onStop={() =>
            propose({ input: { decision: 'stop', ...atPause }, words: 'stop the run here', done: 'Stopped' })
          }
          onUndo={undo}
          onSend={sendAndGoOn}
        />
      ) : null}
      {version ? (
        <OverrideDialog
          key={version.number}
          open={isScoring}
          onOpenChange={(open) => {
            setScoring(open);
            setProblem(null);
          }}
          version={version.number}
          settings={settings}
          isBusy={isBusy}
          problem={problem}
          onSend={(input) => decide(input, `Your score of v${version.number} is added`)}
        />
      ) : null}
    </>
  );
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
