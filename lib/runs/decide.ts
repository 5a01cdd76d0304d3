import type { StoredRun } from '#lib/db/load-run.ts';
import { formatMoment } from '#lib/format.ts';
import type { DecidedBy, Decision, History, Seen } from '#lib/reflection/history.ts';
import { overrideScore } from '#lib/reflection/override-score.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import { scoreOf } from '#lib/reflection/scored-versions.ts';
import type { StepResult } from '#lib/reflection/step.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { changeRun, type RunChange } from './change-run.ts';
import { changeByEdit, editRefusal } from './decide-edit.ts';
import { afterScore, askedCriterion, changeByScore, scoreRefusal } from './decide-score.ts';
import { type DecisionInput, decisionInputSchema, fieldRefusal } from './decision-input.ts';
import { parseInput } from './parse-input.ts';
import type { Workshop } from './workshop.ts';

export type DecisionRecord = RunRecord['decisions'][number];

/** Who decides: a person, or a webhook by its name. */
export type Decider = { by: Exclude<DecidedBy, 'policy' | 'code'>; name: string };

/**
 * Takes a decision on a run. What is said to a waiting run must name its pause, and only the first verdict counts: the second
 * is told who decided what. `accept` and `override` also work on ended runs. A `score` answers a pause that asks for scores; the
 * last one ends it. A version by hand (`edit`, `merge`) is scored, and then the run waits again. An override is a second
 * evaluation beside the machine's; it ends a pause only where it leaves nothing to ask.
 */
export async function decide(
  workshop: Workshop,
  actor: Actor,
  runId: string,
  input: unknown,
): Promise<Result<{ decision: DecisionRecord }>> {
  return decideAs(workshop, { by: 'person', name: actor.name }, runId, input);
}

/** The same for whoever may decide. */
export async function decideAs(
  workshop: Workshop,
  decider: Decider,
  runId: string,
  input: unknown,
): Promise<Result<{ decision: DecisionRecord }>> {
  const parsed = parseInput(decisionInputSchema, input);
  if (!parsed.ok) return parsed;
  const incomplete = fieldRefusal(parsed.value);
  if (incomplete !== null) return incomplete;
  const result = await changeRun(workshop, runId, (stored) => changeOf(parsed.value, stored, decider, workshop.now()));
  if (!result.ok) return result;
  const decision = result.value.history.decisions.at(-1);
  if (decision === undefined) throw new Error('a change by decision left no decision');
  const { step: _step, ...record } = decision;
  return succeed({ decision: record });
}

function changeOf(input: DecisionInput, stored: StoredRun, { by, name }: Decider, now: Date): Result<RunChange> {
  const refusal = refusalOf(input, stored);
  if (refusal !== null) return refusal;
  const { history } = stored;
  const version = versionOf(input, stored);
  const decision: Decision = {
    hook: history.pause?.hook ?? 'onReflection',
    version,
    iteration: iterationOf(input, history, version),
    decision: input.decision,
    by,
    actor: name,
    reason: input.reason,
    score: input.decision === 'override' || input.decision === 'score' ? (input.score ?? null) : null,
    criterion: input.decision === 'score' ? askedCriterion(input, history) : (input.criterion ?? null),
    guidance: input.guidance || null,
    seen: seenOf(stored, version),
    pauseId: input.decision === 'override' ? null : (history.pause?.pauseId ?? null),
    at: now.toISOString(),
    step: history.step,
  };
  const decided = { ...history, decisions: [...history.decisions, decision] };
  switch (input.decision) {
    case 'score':
      return succeed(changeByScore(stored, decided, decision));
    case 'override':
      return override(input, stored, decided, decision, now);
    case 'edit':
    case 'merge':
      return succeed(changeByEdit(input, stored, decision));
    case 'accept':
    case 'continue':
    case 'revise':
    case 'revert':
    case 'auto':
    case 'stop':
      return succeed({
        history: { ...decided, pause: null },
        results: [{ type: 'decision', decision }],
        verdict: true,
      });
  }
}

/**
 * What a decision speaks of: `continue`, `auto` and `stop` of the last version, `score` of the one that waits for it, `edit` and
 * `merge` of the one they make, all others of any.
 */
function versionOf(input: DecisionInput, { run, history }: Pick<StoredRun, 'run' | 'history'>): number | null {
  const last = history.versions.at(-1)?.number ?? null;
  switch (input.decision) {
    case 'continue':
    case 'auto':
    case 'stop':
      return last;
    case 'edit':
    case 'merge':
      return history.versions.length;
    case 'accept':
      return input.version ?? history.pause?.version ?? run.final_version ?? last;
    case 'revise':
    case 'revert':
    case 'score':
    case 'override':
      return input.version ?? history.pause?.version ?? last;
  }
}

/** When in the loop it was said: what it speaks of may be an earlier version. */
function iterationOf({ decision }: DecisionInput, { versions }: History, version: number | null): number {
  const isOfTheLast = decision === 'revise' || decision === 'revert' || decision === 'edit' || decision === 'merge';
  const said = isOfTheLast ? versions.at(-1) : versions.find(({ number }) => number === version);
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
      : overrideScore(decided, settings, { version, score: input.score ?? 0, criterion, actor, reason }, now);
  if (evaluation === null)
    return fail('conflict', 'This version was not evaluated yet, so there is no score to override.', 'version');
  const scored = { ...decided, evaluations: [...decided.evaluations, evaluation] };
  const results: StepResult[] = [
    { type: 'evaluation', evaluation },
    { type: 'decision', decision },
  ];
  return succeed(afterScore(scored, settings, results));
}

/** Verdicts and acts that answer a pause; `accept`, `stop` and `override` are also taken without one. */
const NEEDS_A_PAUSE: DecisionInput['decision'][] = ['continue', 'revise', 'revert', 'auto', 'edit', 'merge'];

function refusalOf(input: DecisionInput, stored: StoredRun): Result<never> | null {
  const { run, history, settings } = stored;
  const ended = run.status === 'finished' || run.status === 'failed' || run.status === 'stopped';
  if (input.version !== undefined && history.versions[input.version] === undefined) {
    return fail(
      'invalid',
      `version ${input.version} does not exist: the run has versions 0 to ${history.versions.length - 1}.`,
      'version',
    );
  }
  if (input.decision === 'override') {
    if (input.score === undefined) return fail('invalid', 'score must be a number from 0 to 1', 'score');
    if (input.criterion !== undefined && !settings.criteria.some((criterion) => criterion.name === input.criterion)) {
      return fail(
        'invalid',
        `criterion must be one of ${settings.criteria.map((criterion) => criterion.name).join(', ')}`,
        'criterion',
      );
    }
    return null;
  }
  if (input.pauseId !== undefined && input.pauseId !== history.pause?.pauseId) return staleOf(input.pauseId, history);
  if (input.decision === 'score' && history.pause === null)
    return fail('conflict', 'The run does not wait for a score. Override one to change it.');
  if (history.pause !== null && input.pauseId === undefined)
    return fail(
      'conflict',
      'The run waits for a decision: name its pauseId, so that nobody decides on something they did not see.',
      'pauseId',
    );
  if (input.decision === 'score') return scoreRefusal(input, history);
  if (history.pause === null && NEEDS_A_PAUSE.includes(input.decision))
    return fail('conflict', 'The run does not wait for a decision.');
  if (input.decision === 'revert' && settings.mode === 'retry')
    return fail('conflict', 'Each attempt of this run starts afresh: there is no version to go back to.', 'decision');
  if (input.decision === 'revert' && input.version === history.versions.at(-1)?.number)
    return fail('invalid', `version ${input.version} is the last one already: continue, or revise it.`, 'version');
  if (input.decision === 'auto' && history.pause !== null && history.pause.asks.length > 0)
    return fail('conflict', 'The rules cannot go on without the scores that are asked for. Give them, or continue.');
  if (input.decision === 'edit' || input.decision === 'merge') return editRefusal(input, stored);
  if (input.decision === 'stop' && ended)
    return fail('conflict', `The run has ended already (${run.convergence_reason}).`);
  const wanted = input.decision === 'accept' ? versionOf(input, { run, history }) : null;
  if (history.versions.some(({ number, outputDropped }) => number === wanted && outputDropped))
    return fail(
      'conflict',
      `The text of version ${wanted} was not kept when the run ended, so it cannot be accepted.`,
      'version',
    );
  if (input.decision === 'accept' && history.versions.length === 0)
    return fail('conflict', 'The run has no version yet that could be accepted.');
  return null;
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
