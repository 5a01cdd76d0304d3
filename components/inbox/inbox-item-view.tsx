'use client';

import { useQueryClient } from '@tanstack/react-query';
import { CornerDownRight, Pause, UserRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { PracticeBanner } from '#components/layout/practice-banner.tsx';
import { unfinishedSteps } from '#components/run/agents/agent-steps.ts';
import { AgentTimeline } from '#components/run/agents/agent-timeline.tsx';
import { decidedLabel } from '#components/run/decision-labels.ts';
import { EvaluationPane } from '#components/run/evaluation-pane.tsx';
import { LiveStrip } from '#components/run/live-strip.tsx';
import { ModelName } from '#components/run/model-name.tsx';
import { OutputPane, TaskPane } from '#components/run/output-pane.tsx';
import { RefusedDecision } from '#components/run/refused-decision.tsx';
import type { DecisionInput } from '#components/run/run-actions.ts';
import { RunAnswerBar } from '#components/run/run-answer-bar.tsx';
import { ScoreChart } from '#components/run/score-chart.tsx';
import { shownVersion } from '#components/run/shown-version.ts';
import { runStatusLabel } from '#components/run/stop-reason-labels.ts';
import { useLiveRun } from '#components/run/use-live-run.ts';
import { useRunAnswer } from '#components/run/use-run-answer.ts';
import { useRunPageState } from '#components/run/use-run-page-state.ts';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Columns } from '#components/ui/columns.tsx';
import { Link } from '#components/ui/link.tsx';
import { Notice, noticeVariants } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import { useNow } from '#components/ui/timers.ts';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { SendKeys, ShortcutKey } from '#components/ui/use-shortcuts.tsx';
import { modelFor } from '#lib/core/model-roles.ts';
import type { Result } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { shortModel } from '#lib/core/targets/target-model.ts';
import { formatAge, formatCost, formatTitle } from '#lib/format.ts';
import type { InboxClaim, InboxRun } from '#lib/inbox/queries.ts';
import { claimLabel, continuationLabel, isUnpriced, pauseSummary } from './inbox-labels.ts';
import { answeredHere, pauseEnd } from './past-decisions.ts';

type InboxItemViewProps = {
  initial: InboxRun;
  claim: InboxClaim | null;
  /** Name under which the current user's decisions are stored. */
  me: string;
  decide: (input: DecisionInput) => Promise<Result<unknown>>;
  /** Keys of the decisions made in this window, from `decisionKey`. */
  decidedHere: ReadonlySet<string>;
  /** Called when the item was decided, here or elsewhere. `pauseId`: the pause it waited at. */
  onDone: (pauseId: string | null) => void;
};

/** Live view of one waiting run with everything needed to decide. Moves on when its pause is answered here. */
export function InboxItemView({ initial, claim, me, decide, decidedHere, onDone }: InboxItemViewProps) {
  const { settings, experimentName } = initial;
  const { record, liveText, refresh } = useLiveRun(initial.run);
  useRemoveRunFromCache(record.id);
  const state = useRunPageState(LOOK);
  const version = shownVersion(record, state.version);
  const answer = useRunAnswer({ record, version, state, decide, refresh, answered: decidedHere });
  const { decisions } = answer;
  const underWay = unfinishedSteps(record);

  const waitsAt = record.waitingFor?.pauseId ?? null;
  const [pauseId, setPauseId] = useState(waitsAt);
  const end = pauseId === null || pauseId === waitsAt ? null : pauseEnd(record, pauseId, decidedHere);
  const isMade = end?.here === true && (end.decision?.decision === 'edit' || end.decision?.decision === 'merge');
  // The user returned before the list reflects the answer given here.
  const answeredBefore = pauseId === null && waitsAt === null ? answeredHere(record, decidedHere) : null;
  const isAnswered = (end?.here === true && !isMade) || answeredBefore !== null;
  useEffect(() => {
    // A manually written version is scored and then waits here again.
    if ((isMade || pauseId === null) && waitsAt !== null) setPauseId(waitsAt);
    if (isAnswered) onDone(pauseId ?? answeredBefore);
  }, [isMade, isAnswered, answeredBefore, waitsAt, pauseId, onDone]);

  return (
    <>
      {record.practice ? <PracticeBanner /> : null}
      <ItemHead record={record} settings={settings} experimentName={experimentName} claim={claim} />
      {end !== null && !end.here ? (
        <DecidedElsewhere record={record} decision={end.decision} me={me} onNext={() => onDone(pauseId)} />
      ) : pauseId === null && waitsAt === null && !isAnswered ? (
        <DecidedElsewhere record={record} decision={null} me={me} onNext={() => onDone(null)} />
      ) : null}
      <RefusedDecision record={record} decisions={decisions} />
      <LiveStrip record={record} settings={settings} liveText={liveText} />
      <Columns className="medium:grid-cols-2 wide:grid-cols-[26.5rem_minmax(0,1fr)]">
        <Pane className="border-b-0" aria-label="Score by version">
          {record.versions.length > 0 ? (
            <ScoreChart
              record={record}
              settings={settings}
              selected={version?.number ?? null}
              onSelect={state.setVersion}
              height={236}
            />
          ) : (
            <p className="text-ink-2">No version yet.</p>
          )}
        </Pane>
        <ItemPauseDetails record={record} settings={settings} />
      </Columns>
      <Columns className="flex-1 medium:grid-cols-2 wide:grid-cols-[minmax(0,1fr)_25.5rem] border-b-0">
        <div className="min-w-0">
          {underWay ? <AgentTimeline runId={record.id} {...underWay} order="max-medium:order-2" /> : null}
          {version ? (
            <OutputPane record={record} version={version} state={state} canTake={record.status === 'waiting'} />
          ) : null}
        </div>
        <div className="flex min-w-0 flex-col">
          {version ? (
            <EvaluationPane record={record} version={version} settings={settings} answer={answer} refresh={refresh} />
          ) : null}
          <TaskPane record={record} settings={settings} />
        </div>
      </Columns>
      <RunAnswerBar record={record} version={version} settings={settings} answer={answer} />
    </>
  );
}

const LOOK = { view: 'diff', layout: 'unified' } as const;

/** Removes a run from the cache when it is left. It may wait at another pause when the user returns. */
function useRemoveRunFromCache(runId: string): void {
  const queryClient = useQueryClient();
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(leaving.current);
    return () => {
      leaving.current = setTimeout(() => {
        queryClient.removeQueries({ queryKey: ['inbox-run', runId] });
        queryClient.removeQueries({ queryKey: ['run', runId] });
      });
    };
  }, [queryClient, runId]);
}

function ItemPauseDetails({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const { may } = useRoleAccess('reviewer');
  const goingOn = continuationLabel(record, settings);
  const lesson = record.lessons.findLast(({ version }) => version === record.versions.at(-1)?.number);
  return (
    <Pane className="border-b-0">
      <PaneHeader title="Why this run waits" />
      <p className="prose">{pauseSummary(record, settings, may).join(' ') || 'This run no longer waits.'}</p>
      {goingOn === null ? null : (
        <div className={classNames(noticeVariants(), 'mt-3 max-w-[60ch]')}>
          <CornerDownRight />
          <p className="min-w-0 flex-1">
            <b className="font-medium">{ifAllowedLabel(record.waitingFor?.toolCall != null, may)}</b>, {goingOn}
          </p>
        </div>
      )}
      {lesson ? (
        <>
          <h3 className="mt-4 mb-1">Lesson for the next attempt</h3>
          <Quote className="wrap-anywhere whitespace-pre-wrap text-sm">{lesson.text}</Quote>
        </>
      ) : null}
    </Pane>
  );
}

function ifAllowedLabel(isToolAsked: boolean, mayDecide: boolean): string {
  if (isToolAsked) return mayDecide ? 'If you allow it' : 'If it is allowed';
  return mayDecide ? 'If you continue' : 'If it continues';
}

type Decision = RunRecord['decisions'][number];
type DecidedElsewhereProps = {
  record: RunRecord;
  /** Decision that ended the pause. Null if none did. */
  decision: Decision | null;
  /** Name under which the current user's decisions are stored. */
  me: string;
  onNext: () => void;
};

/** Shown if someone else decided first: the decision, the current state, and a button to the next item. */
function DecidedElsewhere({ record, decision, me, onNext }: DecidedElsewhereProps) {
  const waitsAgain = record.waitingFor !== null;
  const { may } = useRoleAccess('reviewer');
  // If the run waits again, the shortcut belongs to the new answer.
  useModEnter(waitsAgain ? null : onNext);
  return (
    <Pane data-testid="decided-elsewhere">
      <Notice
        tone="person"
        alert
        title={decision === null ? 'This run no longer waits' : decidedLabel(record, decision, me)}
        actions={
          <Button size="small" onClick={onNext}>
            Open next item {waitsAgain ? <ShortcutKey id="inbox.next" /> : <SendKeys />}
          </Button>
        }
      >
        {waitsAgain
          ? `The run continued and now waits ${record.waitingFor?.toolCall ? `to use ${record.waitingFor.toolCall.tool}` : `at v${record.waitingFor?.version}`}. This page shows the new state.`
          : `Current status: ${runStatusLabel(record, may)}.`}
      </Notice>
    </Pane>
  );
}

type ItemHeadProps = {
  record: RunRecord;
  settings: ExperimentSettings;
  experimentName: string;
  claim: InboxClaim | null;
};

function ItemHead({ record, settings, experimentName, claim }: ItemHeadProps) {
  const now = useNow(20_000);
  const age = record.waitingFor ? formatAge(record.waitingFor.since, now) : 'now';
  const onIt = record.waitingFor ? claimLabel(claim, now) : null;
  // Kept in the DOM while empty, so that screen readers announce changes.
  const status = (
    <span role="status" data-testid="claim">
      {onIt === null ? null : (
        <b className="ml-4 font-medium">
          <UserRound /> {onIt}
        </b>
      )}
    </span>
  );
  const label = runStatusLabel(record, useRoleAccess('reviewer').may);
  const isRetry = settings.mode === 'retry';
  return (
    <PageHead
      title={formatTitle(record.case.input) || 'An empty case'}
      facts={
        <>
          {record.waitingFor ? (
            <span className="font-semibold text-wait">
              <Pause /> {label}
              {age === 'now' ? '' : `, ${age}`}
              {status}
            </span>
          ) : (
            <span className="font-semibold text-ink">
              {label}
              {status}
            </span>
          )}
          <span className="min-w-0 max-w-full truncate">
            <b>{experimentName}</b> v{record.experimentVersion}, {settings.mode}
          </span>
          <span>
            {isRetry ? 'attempt' : 'iteration'}{' '}
            <b>
              {isRetry
                ? `${record.versions.length} of ${settings.maxAttempts}`
                : `${record.iterationsUsed} of ${settings.maxIterations}`}
            </b>
          </span>
          <span>
            <ModelName>{shortModel(modelFor(settings, 'generate'))}</ModelName>
          </span>
          <span>
            <b>{formatCost(record.costUsd, record.unpriced)}</b>
            {isUnpriced(record) ? null : ' so far'}
          </span>
        </>
      }
      actions={
        <Button asChild>
          <Link href={`/runs/${record.id}`}>Open the run</Link>
        </Button>
      }
    />
  );
}
