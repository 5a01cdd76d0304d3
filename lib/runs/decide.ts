import type { Actor } from '#lib/auth/authorize.ts';
import type { AuditActor, RecordedChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { decisionKind, isAboutNext } from '#lib/core/decision-kinds.ts';
import type { DecidedBy, Decision, History, Seen } from '#lib/core/history.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { overrideScore, restoredScore } from '#lib/core/score-changes.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { StepResult } from '#lib/core/step.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { afterScore, askedCriterion, changeByEdit, changeByScore } from './decide-edit.ts';
import { decidedVersion, pausedIteration } from './decided-version.ts';
import { type DecisionInput, decisionInputSchema, fieldRefusal } from './decision-input.ts';
import { decisionRefusal, webhookRefusal } from './decision-refusal.ts';
import type { StoredRun } from './load-run.ts';
import { type RunChange, updateRun } from './update-run.ts';

export type DecisionRecord = RunRecord['decisions'][number];

/** Who decides: a person, or a webhook by its name. */
export type Decider = { by: Exclude<DecidedBy, 'policy' | 'code'>; name: string; actor?: Actor };

/**
 * Takes a decision on a run. What is said to a waiting run must name its pause, and only the first verdict counts: the second
 * is told who decided what. `accept` and `override` also work on ended runs. A `score` answers a pause that asks for scores; the
 * last one ends it. A version by hand (`edit`, `merge`) is scored, and then the run waits again. An override is a second
 * evaluation beside the machine's; a person's ends a pause only where it leaves nothing to ask.
 */
export async function decide(
  context: AppContext,
  actor: Actor,
  runId: string,
  input: unknown,
): Promise<Result<{ decision: DecisionRecord }>> {
  return decideAs(context, { by: 'person', name: actor.name, actor }, runId, input);
}

/** The same for whoever may decide. A webhook speaks once: its override ends the pause too, and leaves the rest to the rules. */
export async function decideAs(
  context: AppContext,
  decider: Decider,
  runId: string,
  input: unknown,
): Promise<Result<{ decision: DecisionRecord }>> {
  const parsed = parseInput(decisionInputSchema, input);
  if (!parsed.ok) return parsed;
  const incomplete = fieldRefusal(parsed.value);
  if (incomplete !== null) return incomplete;
  const result = await updateRun(context, runId, (stored) => changeOf(parsed.value, stored, decider, context.now()), {
    actor: decider.actor ?? systemActor(decider),
    of: (stored, { history }) => recordOf(stored, history),
  });
  if (!result.ok) return result;
  const decision = result.value.history.decisions.at(-1);
  if (decision === undefined) throw new Error('a change by decision left no decision');
  const { step: _step, ...record } = decision;
  return succeed({ decision: record });
}

/** A webhook has no role and no account. */
function systemActor({ by, name }: Decider): AuditActor {
  return { id: `${by}:${name}`, name, role: null, via: 'system' };
}

function recordOf({ run, experimentName }: StoredRun, { decisions }: History): RecordedChange {
  const said = decisions.at(-1);
  const act = said === undefined ? null : decisionKind(said.decision).act;
  const isScore = act === 'score' || act === 'score_change';
  return {
    act: isScore ? 'scored' : 'decided',
    subject: { kind: 'run', id: run.id, name: experimentName },
    change: {
      decision: said?.decision ?? null,
      version: said?.version ?? null,
      ...(isScore ? { score: said?.score, criterion: said?.criterion } : {}),
      reason: said?.reason ?? null,
    },
  };
}

function changeOf(input: DecisionInput, stored: StoredRun, { by, name }: Decider, now: Date): Result<RunChange> {
  const refusal = (by === 'webhook' ? webhookRefusal(input, stored) : null) ?? decisionRefusal(input, stored);
  if (refusal !== null) return refusal;
  const { history } = stored;
  const version = decidedVersion(input, stored);
  const definition = decisionKind(input.decision);
  const isScoreChange = definition.act === 'score_change';
  const decision: Decision = {
    hook: history.pause?.hook ?? 'onReflection',
    version,
    iteration: iterationOf(input, stored, version),
    decision: input.decision,
    by,
    actor: name,
    reason: input.reason,
    score: input.score ?? null,
    criterion: input.decision === 'score' ? askedCriterion(input, history) : (input.criterion ?? null),
    guidance: input.guidance || (definition.guidance ?? null),
    toolCallId: isScoreChange ? null : (history.pause?.toolCall?.id ?? null),
    toolArguments: input.toolArguments ?? null,
    seen: seenOf(stored, version),
    pauseId: isScoreChange && by !== 'webhook' ? null : (history.pause?.pauseId ?? null),
    at: now.toISOString(),
    step: history.step,
  };
  const decided = { ...history, decisions: [...history.decisions, decision] };
  switch (definition.act) {
    case 'score':
      return succeed(changeByScore(stored, decided, decision));
    case 'score_change':
      return override(input, stored, decided, decision, now);
    case 'hand_written':
      return succeed(changeByEdit(input, stored, decision));
    case 'verdict':
    case 'tool_use':
      return succeed({
        history: { ...decided, pause: null },
        results: [{ type: 'decision', decision }],
        verdict: true,
      });
    case 'resume':
      throw new Error('a run is resumed apart');
  }
}

/** When in the loop it was said: what it speaks of may be an earlier version. */
function iterationOf({ decision }: DecisionInput, stored: StoredRun, version: number | null): number {
  const { versions } = stored.history;
  if (stored.history.pause?.toolCall != null) return pausedIteration(stored, version);
  const said = isAboutNext(decision) ? versions.at(-1) : versions.find(({ number }) => number === version);
  return said?.iteration ?? 0;
}

/** How a run stands, as whoever decides on one of its versions sees it. */
export function seenOf({ history }: Pick<StoredRun, 'history'>, version: number | null): Seen {
  return {
    versions: history.versions.length,
    evaluations: history.evaluations.length,
    score: version === null ? null : scoreOf(history, version),
    wouldStopAs: history.pause?.wouldStopAs ?? null,
  };
}

function override(
  input: DecisionInput,
  stored: StoredRun,
  decided: History,
  decision: History['decisions'][number],
  now: Date,
): Result<RunChange> {
  const { settings } = stored;
  const { version, actor, reason } = decision;
  const criterion = input.criterion ?? null;
  const evaluation =
    version === null
      ? null
      : input.decision === 'restore'
        ? restoredScore(decided, version, { actor, reason }, now)
        : overrideScore(decided, settings, { version, score: input.score ?? 0, criterion, actor, reason }, now);
  if (evaluation === null)
    return input.decision === 'restore'
      ? fail('conflict', 'The score of this version is not overridden: there is none to restore.', 'version')
      : fail('conflict', 'This version was not evaluated yet, so there is no score to override.', 'version');
  const scored = { ...decided, evaluations: [...decided.evaluations, evaluation] };
  const results: StepResult[] = [
    { type: 'evaluation', evaluation },
    { type: 'decision', decision },
  ];
  if (decision.by === 'webhook') return succeed({ history: { ...scored, pause: null }, results, verdict: true });
  return succeed(afterScore(scored, settings, results));
}
