'use client';

import { Check, Circle, CircleDashed } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Caret, LiveText } from '#components/ui/live-text.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { useNow } from '#components/ui/timers.ts';
import { withIndexKeys } from '#components/ui/with-index-keys.ts';
import { DELEGATE_TOOL, MAIN_AGENT } from '#lib/core/agents/tool-calls.ts';
import { decisionKind } from '#lib/core/decision-kinds.ts';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatCount, formatElapsed, formatList, formatNumberOf, formatScore } from '#lib/format.ts';
import { delegationOf } from './agents/agent-labels.ts';
import { type LivePart, liveParts } from './live-parts.ts';
import type { LiveRole, LiveTextStore } from './live-text-store.ts';
import { currentEvaluation, currentScore } from './run-versions.ts';

type LiveStripProps = { record: RunRecord; settings: ExperimentSettings; liveText: LiveTextStore };

const STATES = { done: 'text-ink-2', now: 'font-semibold text-brand', next: undefined };

/** Shows the current activity of a run in progress: its phase, elapsed time, cost and the streamed text. */
export function LiveStrip({ record, settings, liveText }: LiveStripProps) {
  const live = useSyncExternalStore(liveText.subscribe, liveText.get, () => null);
  const phases = runPhases(record, settings, live?.role ?? null);
  const current = useNow(1000);
  if (phases.length === 0) return null;
  const elapsed = record.startedAt === null ? 0 : current.getTime() - Date.parse(record.startedAt);
  const isText = live !== null && live.role !== 'evaluate' && live.role !== 'reflect';
  const parts = isText ? liveParts(live) : null;
  return (
    <Pane className="max-medium:order-1" aria-label="In progress" data-testid="live">
      <div className="flex flex-wrap items-center gap-2">
        <div
          className="flex flex-wrap gap-x-4 gap-y-1 text-ink-3 text-sm *:inline-flex *:items-center *:gap-1.5"
          role="status"
        >
          {phases.map(({ label, state }) => (
            <span key={label} className={STATES[state]}>
              {state === 'done' ? <Check /> : state === 'now' ? <Circle /> : <CircleDashed />}
              {label}
              {state === 'next' ? <span className="sr-only"> comes next</span> : null}
            </span>
          ))}
        </div>
        <div className="ml-auto flex items-center gap-2 text-ink-2 text-sm">
          <span>{formatElapsed(elapsed)}</span>
          <span>{formatCost(record.costUsd, record.unpriced)}</span>
          <span>{formatCount(record.tokenUsage.total)} tokens</span>
        </div>
      </div>
      {isText ? (
        <LiveText aria-busy="true" aria-label="Response so far">
          <div>
            {parts === null ? live.text.slice(-4000) : <LiveParts parts={parts} />}
            {parts === null || parts.length === 0 ? <Caret /> : null}
          </div>
        </LiveText>
      ) : null}
      <p className="sr-only" aria-live="polite">
        {isText ? lastSentence(parts === null ? live.text : (parts.at(-1)?.text ?? '')) : ''}
      </p>
    </Pane>
  );
}

/** The last changes of a revision, each with the text that it removes and the new one. */
function LiveParts({ parts }: { parts: readonly LivePart[] }) {
  return withIndexKeys(parts)
    .slice(-MAX_PARTS)
    .map(([key, part]) => {
      const Part = part.kind === 'removed' ? 'del' : 'ins';
      return (
        <Part key={key} className={PART_LOOKS[part.kind]}>
          {part.text}
          {part === parts.at(-1) ? <Caret /> : null}
        </Part>
      );
    });
}

const MAX_PARTS = 40;
const PART_LOOKS = { removed: 'mt-2 block text-ink-3 first:mt-0', added: 'mt-1 block no-underline first:mt-0' };

/** Returns the last full sentence, so that a screen reader announces sentences and not fragments. */
function lastSentence(text: string): string {
  return text.match(/[^.!?\n]*[.!?\n](?=[^.!?\n]*$)/)?.[0].trim() ?? '';
}

type RunPhase = { label: string; state: 'done' | 'now' | 'next' };

/**
 * Returns the last, current and next phase of a run in progress, or an empty list for any other run. `role` is the role of the call that is
 * streaming. If it is null, the current phase is derived from the record.
 */
export function runPhases(record: RunRecord, settings: ExperimentSettings, role: LiveRole | null): RunPhase[] {
  if (record.status === 'queued') return [{ label: 'Queued', state: 'now' }];
  if (record.status !== 'running') return [];
  const last = record.versions.at(-1);
  const isRetry = settings.mode === 'retry';
  const attempt = (number: number) => `Attempt ${number} of ${settings.maxAttempts}`;
  const attemptOr = (number: number, other: string) => (isRetry ? attempt(number) : other);
  const doing = agentActivityLabel(record);
  if (last === undefined) return phases([], `${attemptOr(1, 'First draft')}${doing}`, 'Judge');
  const name = isRetry ? `Attempt ${last.number + 1}` : `v${last.number}`;
  const following = record.versions.length;
  const evaluation = currentEvaluation(last);
  if (evaluation === null && isPassedOver(record))
    return phases([`${name} made`], isRetry ? `${attempt(following + 1)}${doing}` : `Revise to v${following}`, 'Judge');
  if (last.interrupted)
    return phases([`${name} cut off`], `${attemptOr(last.number + 2, 'Another draft')}${doing}`, 'Judge');
  if (evaluation === null || role === 'evaluate')
    return phases([`${name} made`], `Judge v${last.number}`, isRetry ? 'Lesson' : 'Critique');
  const judged = `Judge v${last.number}, ${formatScore(currentScore(last))}`;
  const isAtEnd = !isRetry || evaluation.satisfactory || following >= settings.maxAttempts;
  if (role === 'lesson' && isAtEnd) return phases([judged], 'Reflection on the run', 'The end');
  return isRetry
    ? phasesOfRetry(record, last, { judged, attempt: attempt(following + 1), doing, role })
    : phasesOfRevision(last, { judged, issues: evaluation.issues.length, following, role });
}

type Retry = { judged: string; attempt: string; doing: string; role: LiveRole | null };

function phasesOfRetry({ lessons }: RunRecord, last: VersionRecord, retry: Retry): RunPhase[] {
  const { judged, attempt, doing, role } = retry;
  const lesson = lessons.some(({ version }) => version === last.number);
  if (!lesson && role !== 'generate' && role !== 'turn' && doing === '')
    return phases([judged], `Lesson from v${last.number}`, attempt);
  return phases(lesson ? [judged, 'Lesson written'] : [judged], `${attempt}${doing}`, 'Judge');
}

type Revision = { judged: string; issues: number; following: number; role: LiveRole | null };

function phasesOfRevision(last: VersionRecord, { judged, issues, following, role }: Revision): RunPhase[] {
  const revise = `Revise to v${following}`;
  if (last.critiques.length === 0 && role !== 'revise') return phases([judged], `Critique of v${last.number}`, revise);
  return phases([judged, `Critique, ${formatNumberOf(issues, 'issue')}`], revise, 'Judge');
}

function phases(done: readonly string[], now: string, next: string): RunPhase[] {
  return [
    ...done.map((label): RunPhase => ({ label, state: 'done' })),
    { label: now, state: 'now' },
    { label: next, state: 'next' },
  ];
}

/** True if the last version stays without an evaluation because a person requested another one. */
function isPassedOver({ decisions, versions }: RunRecord): boolean {
  const last = decisions.at(-1);
  return (
    last !== undefined &&
    decisionKind(last.decision).guidesRevision === true &&
    last.hook !== 'onReflection' &&
    last.seen?.versions === versions.length
  );
}

/**
 * Returns the current activity of the agent as a suffix: `, turn 4`, `, turn 3: uses calculator`, `, turn 1: reader at work`. Returns an
 * empty string if no agent is running or it is in its first turn.
 */
function agentActivityLabel({ turns, observations, versions }: RunRecord): string {
  const towards = versions.length;
  const last = turns.findLast(({ version, agent }) => version === towards && agent === MAIN_AGENT);
  if (last === undefined) return '';
  const seen = new Set(observations.filter(({ version }) => version === towards).map(({ callId }) => callId));
  const open = last.calls.filter(({ id }) => !seen.has(id));
  if (open.length === 0) return `, turn ${last.number + 2}`;
  const unique = (names: string[]) => formatList([...new Set(names)]);
  const workers = open.flatMap(({ tool, arguments: text }) =>
    tool === DELEGATE_TOOL ? (delegationOf(text)?.worker ?? []) : [],
  );
  const doing = workers.length > 0 ? `${unique(workers)} at work` : `uses ${unique(open.map(({ tool }) => tool))}`;
  return `, turn ${last.number + 1}: ${doing}`;
}
