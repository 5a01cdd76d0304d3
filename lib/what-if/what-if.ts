import { appendResult } from '#lib/core/append-result.ts';
import { bestVersion } from '#lib/core/best-version.ts';
import { type DecisionKind, decisionsWith } from '#lib/core/decision-kinds.ts';
import {
  type Critique,
  type Decision,
  EMPTY_HISTORY,
  type Evaluation,
  type History,
  type Hook,
  type Version,
} from '#lib/core/history.ts';
import { withIssueIds } from '#lib/core/issues/identify-issues.ts';
import { foundIssueIds } from '#lib/core/issues/open-issues.ts';
import { nextStep } from '#lib/core/next-step.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import type { Ending, Step, StepResult } from '#lib/core/step.ts';
import { type StopReason, stopReasonsWith } from '#lib/core/stop-reasons.ts';
import { findTriggeredStopRules } from '#lib/core/stop-rules.ts';
import { NO_SPEND, type Spend } from '#lib/core/token-usage.ts';
import { rejudged } from '#lib/statistics/rescore-report.ts';

/**
 * The point that a run reaches under some settings. `waits`: it would pause for a person at this hook, and no decision is stored.
 * `goes_on`: it continues past the stored records. `leaves`: it would take another path than the run did (revise another version, or
 * reflect for another reason), whose results are not stored.
 */
type WhatIfEnd =
  | ({ type: 'stops' } & Omit<Ending, 'endedAt'>)
  | { type: 'waits'; hook: Hook; version: number; wouldStopAs: StopReason | null }
  | { type: 'goes_on' }
  | { type: 'leaves'; from: number };

export type WhatIf = {
  end: WhatIfEnd;
  /** Number of the last version it would reach, or null if there is none. */
  last: number | null;
  /** Number of the version it would return: the accepted one, otherwise the best. */
  returned: number | null;
  bestByRule: Record<ExperimentSettings['bestVersion'], number | null>;
  /**
   * Number of versions up to its end. `spend` covers the same range. `openIssues` are those of the returned version, or null if it is not
   * scored.
   */
  versionCount: number;
  spend: Spend;
  openIssues: number | null;
  /** The effective evaluation of every stored version, including those after its end. */
  evaluations: Map<number, Evaluation | null>;
};

/**
 * Replays a stored run record by record under other settings and returns the point it would reach. Only settings that turn scores into
 * decisions may differ: quality threshold, criteria weights and thresholds, convergence, caps, best-version rule. Uses the loop's
 * `nextStep`, so the run's own settings reproduce the actual result. Throws for a tuning run, which would take another path with other
 * scores.
 * Decisions of people are kept. A score they gave after the run's end (`endedAt`, null while it has not ended) affects the returned
 * version, but not when the run would have stopped.
 */
export function whatIf(
  history: History,
  original: ExperimentSettings,
  changed: ExperimentSettings,
  endedAt: string | null,
): WhatIf {
  if (original.mode === 'tune') throw new Error('what-if is not supported for tuning runs');
  const whole = withIssueIds(rejudged(history, original, changed));
  const { end, state } = replay({ whole, settings: changed, endedAt });
  const reached = withLaterScores(state, whole);
  const rule = (name: ExperimentSettings['bestVersion']) => bestVersion(reached, name);
  const best = rule(changed.bestVersion);
  const accepted = end.type === 'stops' && end.reason === 'user_accepted' ? end.finalVersion : null;
  const returned = accepted ?? best;
  return {
    end: end.type === 'stops' ? { ...end, bestVersion: best } : end,
    last: state.versions.at(-1)?.number ?? null,
    returned,
    bestByRule: {
      highest_score: rule('highest_score'),
      latest: rule('latest'),
      first_satisfactory: rule('first_satisfactory'),
      weighted_recency: rule('weighted_recency'),
    },
    versionCount: state.versions.length,
    spend: spendOfRun(state),
    openIssues: returned === null ? null : (foundIssueIds(reached, returned)?.size ?? null),
    evaluations: new Map(whole.versions.map(({ number }) => [number, effectiveEvaluation(whole, number)])),
  };
}

type Reached = { end: WhatIfEnd; state: History };
type Replay = { whole: History; settings: ExperimentSettings; endedAt: string | null };

function replay(run: Replay): Reached {
  const { whole, settings } = run;
  const records = recordsInOrder(whole);
  let state: History = { ...EMPTY_HISTORY, inputLength: whole.inputLength };
  for (let position = 0; ; ) {
    const rest = records.slice(position);
    const [next, ...later] = rest;
    if (isSettled(rest)) state = addFinalTotals(state, whole);
    else if (isEndReflection(next) && isSettled(later)) state = beforeReflection(addFinalTotals(state, whole), next);
    const step = nextStep(state, settings, NEVER);
    const go = stepOver(step, rest, state, run);
    if (typeof go === 'object') return go;
    for (const record of rest.slice(0, go)) state = withRecord(state, record);
    position += go;
  }
}

/** Returns the number of following records to skip, or the end of the replay. */
function stepOver(step: Step, rest: HistoryRecord[], state: History, run: Replay): number | Reached {
  switch (step.type) {
    case 'stop':
      return stopOver(step.ending, rest, state, run);
    case 'write_reflection': {
      if (isEndReflection(rest[0])) return 1;
      // The run wrote no reflection here. An empty one lets the replay reach the end of the run.
      const none: Critique = {
        ...{ ...NO_SPEND, version: step.version, trigger: 'run_end', text: '', issues: [], suggestions: [] },
        ...{ createdAt: '', step: Number.MAX_SAFE_INTEGER },
      };
      const passed = { ...state, critiques: [...state.critiques, none] };
      return stepOver(nextStep(passed, run.settings, NEVER), rest, state, run);
    }
    case 'wait':
      return waitOver(step, rest, state, run);
    case 'critique':
    case 'revise': {
      const from = step.type === 'critique' ? step.version : step.from;
      if (isAnotherWay(step, rest[0])) return { end: { type: 'leaves', from }, state };
      return rest.length === 0 ? { end: { type: 'goes_on' }, state } : 1;
    }
    case 'generate':
    case 'attempt':
    case 'turn':
    case 'use_tools':
    case 'conclude':
    case 'evaluate':
    case 'write_lesson':
    case 'give':
    case 'try':
    case 'propose':
    case 'combine':
    case 'merge':
    case 'demonstrate':
    case 'vary':
    case 'redraw':
    case 'proceed':
      if (state.versions.length > 0 && isDropReflection(rest[0]))
        return { end: { type: 'leaves', from: state.versions.length - 1 }, state };
      return rest.length === 0 ? { end: { type: 'goes_on' }, state } : 1;
  }
}

/** Handles a stop. The run may have been resumed or accepted afterwards. */
function stopOver(ending: Ending, rest: HistoryRecord[], state: History, { endedAt }: Replay): number | Reached {
  const { endedAt: _endedAt, ...stop } = ending;
  const resumed = rest.findIndex((record) => isDecision(record, 'resume'));
  const isOrdered = ending.reason === 'user_accepted' || ending.reason === 'user_stopped';
  // Results of calls in progress may be recorded after a person's decision.
  if (isOrdered && rest.length > 0) return resumed >= 0 ? resumed + 1 : rest.length;
  const asides = countAsides(rest, endedAt);
  if (asides > 0) return asides;
  const acts = actsAt(rest);
  if (BROKEN.includes(ending.reason) && resumed >= 0 && resumed < acts) return resumed + 1;
  const accepted = rest.slice(0, acts).findIndex(isAcceptUnasked);
  return accepted >= 0 ? accepted + 1 : { end: { type: 'stops', ...stop }, state };
}

const BROKEN = stopReasonsWith(({ status, budget }) => status === 'failed' || budget !== undefined);

const ENDS_A_WAIT = decisionsWith(({ act }) => act === 'verdict' || act === 'tool_use' || act === 'hand_written');

function waitOver(
  step: Extract<Step, { type: 'wait' }>,
  rest: HistoryRecord[],
  state: History,
  { whole, settings, endedAt }: Replay,
): number | Reached {
  const acts = rest.slice(0, actsAt(rest));
  const verdict = acts.findIndex((record) => ENDS_A_WAIT.some((kind) => isDecision(record, kind)));
  if (verdict >= 0) return verdict + 1;
  const waitsNow = whole.pause !== null && acts.length === rest.length;
  const asides = waitsNow ? 0 : countAsides(rest, endedAt);
  if (asides > 0) return asides;
  // Scores given at the pause do not end it, but may change which stop rule applies.
  const scored = acts.reduce(withRecord, state);
  const isBefore = acts.length === 0 || step.hook !== 'onReflection';
  const wouldStopAs = isBefore ? step.wouldStopAs : (findTriggeredStopRules(scored, settings)[0] ?? null);
  return { end: { type: 'waits', hook: step.hook, version: step.version, wouldStopAs }, state };
}

/** Returns the number of next records that are asides from before the run's end. */
function countAsides(rest: HistoryRecord[], endedAt: string | null): number {
  const others = rest.findIndex((record) => {
    if (record.by === 'machine') return true;
    return !isAside(record) || (endedAt !== null && momentOf(record.act) > endedAt);
  });
  return others < 0 ? rest.length : others;
}

/** Returns true if only actions that people may take on an ended run follow. */
function isSettled(rest: HistoryRecord[]): boolean {
  return rest.every((record) => isAside(record) || isAcceptUnasked(record));
}

/**
 * Adds the totals of calls and lost spend. Their times are not stored, so they only count from the end and cannot have stopped the run
 * earlier.
 */
function addFinalTotals(state: History, { lostSpend, activeMs, failure, calls }: History): History {
  return { ...state, lostSpend, activeMs, failure, calls };
}

/** Returns the state without the call of the final reflection: the usage at the end of the run. */
function beforeReflection(state: History, record: HistoryRecord | undefined): History {
  if (record?.by !== 'machine') return state;
  const { result } = record;
  const spent = result.type === 'lesson' ? result.lesson : result.type === 'critique' ? result.critique : NO_SPEND;
  return { ...state, calls: Math.max(0, state.calls - 1), activeMs: Math.max(0, state.activeMs - spent.durationMs) };
}

/** Returns true if the next stored critique or revision is about another version than the due one, or was made for another reason. */
function isAnotherWay(
  step: Extract<Step, { type: 'critique' | 'revise' }>,
  record: HistoryRecord | undefined,
): boolean {
  if (record?.by !== 'machine') return false;
  const { result } = record;
  if (result.type === 'critique') {
    const { trigger, version } = result.critique;
    // These critiques follow a failed call or another ending, neither of which is stored.
    if (trigger === 'error' || trigger === 'run_end') return false;
    const due = step.type === 'critique' ? step.trigger : null;
    return trigger !== due || (step.type === 'critique' && step.version !== version);
  }
  if (result.type !== 'version' || result.version.origin !== 'revised') return false;
  return step.type === 'critique' ? step.trigger !== 'error' : result.version.parents[0] !== step.from;
}

function isEndReflection(record: HistoryRecord | undefined): boolean {
  if (record?.by !== 'machine') return false;
  const { result } = record;
  return (
    (result.type === 'lesson' && result.lesson.kind !== 'lesson') ||
    (result.type === 'critique' && result.critique.trigger === 'run_end')
  );
}

function isDropReflection(record: HistoryRecord | undefined): boolean {
  return (
    record?.by === 'machine' && record.result.type === 'critique' && record.result.critique.trigger === 'quality_drop'
  );
}

function momentOf(act: HumanAction): string {
  if ('evaluation' in act) return act.evaluation.createdAt;
  if ('version' in act) return act.version.createdAt;
  return 'critique' in act ? act.critique.createdAt : act.decision.at;
}

function actsAt(rest: HistoryRecord[]): number {
  const nextResult = rest.findIndex(({ by }) => by === 'machine');
  return nextResult < 0 ? rest.length : nextResult;
}

function decisionOf(record: HistoryRecord) {
  return record.by === 'people' && 'decision' in record.act ? record.act.decision : null;
}

/** Returns true for actions of people that decide nothing: a score, requested or not, or a manual reflection. */
function isAside(record: HistoryRecord): boolean {
  if (record.by !== 'people' || 'version' in record.act) return false;
  const decision = decisionOf(record)?.decision ?? null;
  return decision === null || decision === 'override' || decision === 'restore' || decision === 'score';
}

function isAcceptUnasked(record: HistoryRecord): boolean {
  return isDecision(record, 'accept') && decisionOf(record)?.pauseId === null;
}

function isDecision(record: HistoryRecord, kind: DecisionKind): boolean {
  return decisionOf(record)?.decision === kind;
}

function withLaterScores(state: History, whole: History): History {
  const numbers = new Set(state.versions.map(({ number }) => number));
  const evaluations = whole.evaluations.filter(
    (evaluation) =>
      numbers.has(evaluation.version) && (evaluation.by === 'person' || state.evaluations.includes(evaluation)),
  );
  return { ...state, evaluations };
}

/** The date of an ending is set elsewhere and not used here. */
const NEVER = new Date(0);

/** One record of a history: a result of the machine, or an action that people (or their code) took on the run from outside. */
type HistoryRecord = { by: 'machine'; result: StepResult } | { by: 'people'; act: HumanAction };
/**
 * Contains a version if people wrote it, and a critique if it was requested manually. A critique may come at any time, even after the end.
 */
type HumanAction = { version: Version } | { evaluation: Evaluation } | { decision: Decision } | { critique: Critique };

/**
 * Returns the records of a history in order: by step, with people's actions before machine results of the same step. Leaves out the stops
 * by rules, because they are conclusions that the replay draws again.
 */
function recordsInOrder(history: History): HistoryRecord[] {
  const records: Placed[] = [
    ...history.versions.map((version) =>
      version.origin === 'edited' || version.origin === 'merged'
        ? people(version.step, version.createdAt, { version })
        : machine(version.step, { type: 'version', version }),
    ),
    ...history.evaluations.map((evaluation) =>
      evaluation.by === 'machine'
        ? machine(evaluation.step, { type: 'evaluation', evaluation })
        : people(evaluation.step, evaluation.createdAt, { evaluation }),
    ),
    ...history.critiques.map((critique) =>
      critique.trigger === 'manual'
        ? people(critique.step, critique.createdAt, { critique })
        : machine(critique.step, { type: 'critique', critique }),
    ),
    ...history.lessons.map((lesson) => machine(lesson.step, { type: 'lesson', lesson })),
    ...byStep(history.turns).map(([step, turns]) =>
      machine(step, { type: 'turns', turns, recalled: 0, durationMs: longest(turns), lost: NO_SPEND }),
    ),
    ...byStep(history.observations).map(([step, observations]) =>
      machine(step, { type: 'observations', observations, durationMs: longest(observations) }),
    ),
    ...history.decisions.flatMap((decision) => {
      if (decision.by !== 'policy') return people(decision.step, decision.at, { decision });
      return decision.decision === 'stop' ? [] : machine(decision.step, { type: 'decision', decision });
    }),
  ];
  // The sort is stable: an override's evaluation and an edit's version stay before their decision, which has the same time.
  return records
    .sort((one, other) => one.step - other.step || one.turn - other.turn || one.at.localeCompare(other.at))
    .map(({ record }) => record);
}

function withRecord(history: History, record: HistoryRecord): History {
  if (record.by === 'machine') return appendResult(history, record.result);
  const { act } = record;
  if ('version' in act) return appendResult(history, { type: 'version', version: act.version });
  // Made outside the loop, so its time does not count as active time of the run.
  if ('critique' in act) return { ...history, critiques: [...history.critiques, act.critique] };
  return 'evaluation' in act
    ? { ...history, evaluations: [...history.evaluations, act.evaluation] }
    : { ...history, decisions: [...history.decisions, act.decision] };
}

function byStep<One extends { step: number }>(records: readonly One[]): [number, One[]][] {
  return [...Map.groupBy(records, ({ step }) => step)];
}

/** Results made in parallel took about as long as the longest of them. */
function longest(records: readonly { durationMs: number }[]): number {
  return Math.max(0, ...records.map(({ durationMs }) => durationMs));
}

type Placed = { step: number; turn: 0 | 1; at: string; record: HistoryRecord };

function machine(step: number, result: StepResult): Placed {
  return { step, turn: 1, at: '', record: { by: 'machine', result } };
}

function people(step: number, at: string, act: HumanAction): Placed {
  return { step, turn: 0, at, record: { by: 'people', act } };
}
