'use client';

import { useEffect, useState } from 'react';
import { AgentTimeline } from '#components/agents/agent-timeline.tsx';
import { wayUnderWay } from '#components/agents/agent-way.ts';
import { JudgedVersion } from '#components/run/judged-version.tsx';
import { LiveStrip } from '#components/run/live-strip.tsx';
import { OutputPane } from '#components/run/output-pane.tsx';
import { RefusedDecision } from '#components/run/refused-decision.tsx';
import type { DecisionInput, RunActions } from '#components/run/run-actions.ts';
import { RunAnswerBar } from '#components/run/run-answer-bar.tsx';
import { ScoreTrajectory } from '#components/run/score-trajectory.tsx';
import { shownVersion } from '#components/run/shown-version.ts';
import { TaskPane } from '#components/run/task-pane.tsx';
import { useLiveRun } from '#components/run/use-live-run.ts';
import { useRunAnswer } from '#components/run/use-run-answer.ts';
import { useRunPageState } from '#components/run/use-run-page-state.ts';
import { Columns } from '#components/ui/columns.tsx';
import { Pane } from '#components/ui/pane.tsx';
import type { InboxClaim, InboxRun } from '#lib/reflection/inbox-item.ts';
import { DecidedElsewhere } from './decided-elsewhere.tsx';
import { ItemHappening } from './item-happening.tsx';
import { ItemHead } from './item-head.tsx';
import { pauseEnd } from './said-here.ts';
import { useForgetRun } from './use-forget-run.ts';

type InboxItemViewProps = {
  initial: InboxRun;
  claim: InboxClaim | null;
  now: Date;
  /** The name under which decisions of whoever looks are kept. */
  me: string;
  decide: (input: DecisionInput) => ReturnType<RunActions['decide']>;
  /** Keys of what was said in this window, by `decisionKey`. */
  said: ReadonlySet<string>;
  /** The item is done with, here or by somebody else; `pauseId` is the pause that it waited at. */
  onDone: (pauseId: string | null) => void;
};

/** All that is needed to decide on one waiting run, live. The next comes once its pause is answered here. */
export function InboxItemView({ initial, claim, now, me, decide, said, onDone }: InboxItemViewProps) {
  const { settings, experimentName } = initial;
  const { record, liveText, refresh } = useLiveRun(initial.run);
  useForgetRun(record.id);
  const state = useRunPageState(LOOK);
  const version = shownVersion(record, state.version);
  const answer = useRunAnswer({ record, version, state, decide, refresh, onSent: async () => undefined });
  const { decisions } = answer;
  const underWay = wayUnderWay(record);

  const waitsAt = record.waitingFor?.pauseId ?? null;
  const [pauseId, setPauseId] = useState(waitsAt);
  const end = pauseId === null || pauseId === waitsAt ? null : pauseEnd(record, pauseId, said);
  const isMade = end?.here === true && (end.decision?.decision === 'edit' || end.decision?.decision === 'merge');
  const isAnswered = end?.here === true && !isMade;
  useEffect(() => {
    // A version by hand is scored, and asked about here again.
    if ((isMade || pauseId === null) && waitsAt !== null) setPauseId(waitsAt);
    if (isAnswered) onDone(pauseId);
  }, [isMade, isAnswered, waitsAt, pauseId, onDone]);

  return (
    <>
      <ItemHead record={record} settings={settings} experimentName={experimentName} claim={claim} now={now} />
      {end !== null && !end.here ? (
        <DecidedElsewhere record={record} decision={end.decision} me={me} onNext={() => onDone(pauseId)} />
      ) : pauseId === null && waitsAt === null ? (
        <DecidedElsewhere record={record} decision={null} me={me} onNext={() => onDone(null)} />
      ) : null}
      <RefusedDecision record={record} decisions={decisions} />
      <LiveStrip record={record} settings={settings} liveText={liveText} now={now.toISOString()} />
      <Columns className="medium:grid-cols-2 wide:grid-cols-[26.5rem_minmax(0,1fr)]">
        <Pane className="border-b-0" aria-label="Score by version">
          {record.versions.length > 0 ? (
            <ScoreTrajectory
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
        <ItemHappening record={record} settings={settings} />
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
            <JudgedVersion record={record} version={version} settings={settings} answer={answer} refresh={refresh} />
          ) : null}
          <TaskPane record={record} settings={settings} />
        </div>
      </Columns>
      <RunAnswerBar record={record} version={version} settings={settings} now={now} answer={answer} />
    </>
  );
}

/** How an item is looked at unless the address says otherwise: what changed, in one column. */
const LOOK = { view: 'diff', layout: 'unified' } as const;
