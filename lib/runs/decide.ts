import type { Actor } from '#lib/auth/actor.ts';
import type { AuditActor, RecordedChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { readArguments } from '#lib/core/agents/read-arguments.ts';
import { overrideScore, restoredScore } from '#lib/core/code-decision.ts';
import { affectsNextVersion, decisionKind, decisionsWith } from '#lib/core/decision-kinds.ts';
import type { DecidedBy, Decision, History, Seen } from '#lib/core/history.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { isEndedStatus } from '#lib/core/run-statuses.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { StepResult } from '#lib/core/step.ts';
import { quotesReference } from '#lib/evaluators/quotes-reference.ts';
import { formatMoment } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { afterScore, askedCriterion, changeByEdit, changeByScore, editRefusal, scoreRefusal } from './decide-edit.ts';
import { decidedVersion, pausedIteration } from './decided-version.ts';
import { type DecisionInput, decisionInputSchema, fieldRefusal } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';
import { tuningRefusal } from './tuning-refusal.ts';
import { type RunChange, updateRun } from './update-run.ts';

type DecisionRecord = RunRecord['decisions'][number];

/** The decider: a person, or a webhook identified by its name. */
type Decider = { by: Exclude<DecidedBy, 'policy' | 'code'>; name: string; actor?: Actor };

/**
 * Applies a decision to a run. A decision on a waiting run must name its pause. Only the first verdict counts, and later ones fail with the
 * name of the decider.
 * `accept` and `override` also work on ended runs. A `score` answers a pause that requests scores, and the last one ends the pause.
 * A hand-written version (`edit`, `merge`) is scored, and then the run waits again. An override adds a second evaluation beside the
 * machine's. A person's override ends a pause only if no score is left to request.
 */
export async function decide(
  context: AppContext,
  actor: Actor,
  runId: string,
  input: unknown,
): Promise<Result<{ decision: DecisionRecord }>> {
  return decideAs(context, { by: 'person', name: actor.name, actor }, runId, input);
}

/** Like `decide`, for any decider. A webhook decides only once, so its override also ends the pause and leaves the rest to the rules. */
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
  if (decision === undefined) throw new Error('a decision was not recorded');
  const { step: _step, ...record } = decision;
  return succeed({ decision: record });
}

/** Returns the audit actor of a webhook, which has no role and no account. */
function systemActor({ by, name }: Decider): AuditActor {
  return { id: `${by}:${name}`, name, role: null, via: 'system' };
}

function recordOf({ run, experimentName }: StoredRun, { decisions }: History): RecordedChange {
  const last = decisions.at(-1);
  const act = last === undefined ? null : decisionKind(last.decision).act;
  const isScore = act === 'score' || act === 'score_change';
  return {
    act: isScore ? 'scored' : 'decided',
    subject: { kind: 'run', id: run.id, name: experimentName },
    change: {
      decision: last?.decision ?? null,
      version: last?.version ?? null,
      ...(isScore ? { score: last?.score, criterion: last?.criterion } : {}),
      reason: last?.reason ?? null,
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
      throw new Error('resuming a run is not a decision');
  }
}

/** Returns the loop iteration at which the decision was made. The decision may be about an earlier version. */
function iterationOf({ decision }: DecisionInput, stored: StoredRun, version: number | null): number {
  const { versions } = stored.history;
  if (stored.history.pause?.toolCall != null) return pausedIteration(stored, version);
  const target = affectsNextVersion(decision) ? versions.at(-1) : versions.find(({ number }) => number === version);
  return target?.iteration ?? 0;
}

/** Returns the state of a run as shown to someone who decides on one of its versions. */
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

/** Decisions allowed while an agent waits to use a tool. They include score changes of earlier versions. */
const TAKEN = decisionsWith(({ atToolUse }) => atToolUse === true);

/**
 * Returns the reason a decision conflicts with the tool pause of a run, or null. Covers other decisions at a tool pause and tool decisions
 * without one. The pause ID is checked elsewhere.
 */
function toolUseRefusal(
  { decision, version, toolArguments }: DecisionInput,
  { history: { pause } }: Pick<StoredRun, 'history'>,
): Result<never> | null {
  const call = pause?.toolCall ?? null;
  const isOnTools = decisionKind(decision).act === 'tool_use';
  if (pause === null || call === null)
    return isOnTools ? fail('conflict', 'No agent of the run waits to use a tool.', 'decision') : null;
  if (!TAKEN.includes(decision))
    return fail(
      'conflict',
      `An agent waits to use ${call.tool}: allow or refuse it, leave it to the rules (auto: they refuse it), or stop the run.`,
      'decision',
    );
  if (isOnTools && version !== undefined && version !== pause.version)
    return fail('invalid', `version must be ${pause.version}, the one that the agent works towards.`, 'version');
  if (toolArguments !== undefined && readArguments(toolArguments) === null)
    return fail('invalid', `toolArguments must be a JSON object, as ${call.tool} takes it.`, 'toolArguments');
  return null;
}

function overrideRefusal(input: DecisionInput, stored: StoredRun): Result<never> | null {
  const refusal = tuningRefusal(input, stored);
  if (refusal !== null) return refusal;
  if (input.score === undefined) return fail('invalid', 'score must be a number from 0 to 1', 'score');
  const names = stored.settings.criteria.map(({ name }) => name);
  if (input.criterion === undefined || names.includes(input.criterion)) return null;
  return fail('invalid', `criterion must be one of ${names.join(', ')}`, 'criterion');
}

/** Returns the reason a run cannot accept a decision in its current state, or null. The fields of the decision are checked before. */
function decisionRefusal(input: DecisionInput, stored: StoredRun): Result<never> | null {
  const { run, history, settings } = stored;
  const ended = isEndedStatus(run.status);
  const { act, revisesOnly } = decisionKind(input.decision);
  const isOnTools = act === 'tool_use';
  if (!isOnTools && input.version !== undefined && history.versions[input.version] === undefined) {
    return fail('invalid', `version ${input.version} does not exist: the run has ${versionsOf(history)}.`, 'version');
  }
  if (input.decision === 'restore') return null;
  if (input.decision === 'override') return overrideRefusal(input, stored);
  const refusal = pauseRefusal(input, history) ?? toolUseRefusal(input, stored);
  if (refusal !== null) return refusal;
  if (input.decision === 'score') return scoreRefusal(input, history);
  const tuning = tuningRefusal(input, stored);
  if (tuning !== null) return tuning;
  if (revisesOnly && settings.mode === 'retry')
    return fail(
      'conflict',
      'Each attempt of this run starts from scratch, so there is no version to revert to.',
      'decision',
    );
  const isLast = input.version === history.versions.at(-1)?.number;
  // In `tune` mode the next proposal need not start from the last version, so reverting to the last one is meaningful.
  if (input.decision === 'revert' && isLast && settings.mode !== 'tune')
    return fail('invalid', `version ${input.version} is the last one already: continue, or revise it.`, 'version');
  if (input.decision === 'auto' && history.pause !== null && history.pause.asks.length > 0)
    return fail('conflict', 'The rules need the missing scores. Enter them, or choose Continue.');
  if (act === 'hand_written') return editRefusal(input, stored);
  if (input.decision === 'stop' && ended)
    return fail('conflict', `The run has ended already (${run.convergenceReason}).`);
  return input.decision === 'accept' ? acceptRefusal(decidedVersion(input, stored), history) : null;
}

/** Returns the reason a decision does not belong to the current pause of the run, or null. */
function pauseRefusal({ decision, pauseId }: DecisionInput, history: History): Result<never> | null {
  if (pauseId !== undefined && pauseId !== history.pause?.pauseId) return staleOf(pauseId, history);
  if (history.pause !== null && pauseId === undefined)
    return fail(
      'conflict',
      'The run waits for a decision. Send its pauseId, so that you decide on what you saw.',
      'pauseId',
    );
  if (history.pause !== null) return null;
  if (decision === 'score') return fail('conflict', 'The run does not wait for a score. Override one to change it.');
  return decisionKind(decision).needsPause ? fail('conflict', 'The run does not wait for a decision.') : null;
}

function acceptRefusal(wanted: number | null, history: History): Result<never> | null {
  const last = history.decisions.findLast(
    ({ decision }) => !['score', 'score_change'].includes(decisionKind(decision).act),
  );
  if (history.pause === null && last?.decision === 'accept' && last.version === wanted)
    return fail(
      'conflict',
      `Version ${wanted} was already accepted by ${last.actor ?? last.by} on ${formatMoment(last.at)}. Nothing was changed.`,
      'version',
    );
  if (history.versions.some(({ number, outputDropped }) => number === wanted && outputDropped))
    return fail(
      'conflict',
      `The text of version ${wanted} was not kept when the run ended, so it cannot be accepted.`,
      'version',
    );
  return history.versions.length === 0 ? fail('conflict', 'The run has no version yet that could be accepted.') : null;
}

function versionsOf({ versions }: History): string {
  return versions.length === 0 ? 'no versions yet' : `versions 0 to ${versions.length - 1}`;
}

function staleOf(pauseId: string, history: History): Result<never> {
  const made = history.decisions.findLast((decision) => decision.pauseId === pauseId);
  if (made === undefined) return fail('conflict', 'The run does not wait at this pause. Load it again.', 'pauseId');
  return fail(
    'conflict',
    `This pause was decided already: ${made.decision} by ${made.actor ?? made.by}, ${formatMoment(made.at)}.`,
    'pauseId',
  );
}

type WebhookDecisionInput = Pick<DecisionInput, 'decision' | 'pauseId' | 'guidance' | 'reason' | 'toolArguments'>;

/**
 * Returns the reason a webhook may not make a decision that a person could make, or null. A webhook answers only the pause it was sent. Its
 * text for models must not quote the reference it received.
 */
function webhookRefusal(
  { decision, pauseId, guidance, reason, toolArguments }: WebhookDecisionInput,
  { run, history }: Pick<StoredRun, 'run' | 'history'>,
): Result<never> | null {
  if (pauseId === undefined || pauseId !== history.pause?.pauseId)
    return fail('conflict', 'The run is no longer waiting at this pause.', 'pauseId');
  if (guidance !== undefined && quotesReference(guidance, run.reference))
    return fail('invalid', 'guidance quotes the reference, which models must not see.', 'guidance');
  if (history.pause.toolCall === null) return null;
  if (decisionKind(decision).act === 'score_change')
    return fail(
      'conflict',
      'An agent is waiting for permission to use a tool. This pause does not take a score.',
      'decision',
    );
  if (decision === 'refuse' && reason !== null && quotesReference(reason, run.reference))
    return fail('invalid', 'reason quotes the reference, which models must not see.', 'reason');
  if (toolArguments !== undefined && quotesReference(toolArguments, run.reference))
    return fail('invalid', 'toolArguments quotes the reference, which models must not see.', 'toolArguments');
  return null;
}
