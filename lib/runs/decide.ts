import { z } from 'zod';
import type { StoredRun } from '#lib/db/load-run.ts';
import { formatMoment } from '#lib/format.ts';
import type { History } from '#lib/reflection/history.ts';
import { overrideScore } from '#lib/reflection/override-score.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import type { StepResult } from '#lib/reflection/step.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { changeRun, type RunChange } from './change-run.ts';
import { afterScore, askedCriterion, changeByScore, scoreRefusal } from './decide-score.ts';
import { parseInput } from './parse-input.ts';
import type { Workshop } from './workshop.ts';

const score = z
  .number({ error: 'must be a number from 0 to 1' })
  .min(0, { error: 'must be a number from 0 to 1' })
  .max(1, { error: 'must be a number from 0 to 1' });

/** A verdict (accept, continue, stop), a score that the run waits for, or the act of overriding a score. */
export const decisionInputSchema = z.strictObject({
  decision: z.enum(['accept', 'continue', 'stop', 'score', 'override'], {
    error: 'must be one of accept, continue, stop, score, override',
  }),
  pauseId: z.uuid({ error: 'must be the id of the pause, as the run shows it' }).optional(),
  version: z
    .int({ error: 'must be the number of a version' })
    .min(0, { error: 'must be the number of a version' })
    .optional(),
  score: score.optional(),
  criterion: z.string().optional(),
  reason: z.string().max(2_000, { error: 'must be at most 2,000 characters' }).nullable().default(null),
});
export type DecisionInput = z.infer<typeof decisionInputSchema>;
export type DecisionRecord = RunRecord['decisions'][number];

/**
 * Takes a person's decision on a run. A verdict on a waiting run must name its pause, and only the first one counts: the second
 * is told who decided what. `accept` and `override` also work on ended runs. A `score` answers a pause that asks for scores; the
 * last one ends it. An override is a second evaluation beside the machine's; it ends a pause only where it leaves nothing to ask.
 */
export async function decide(
  workshop: Workshop,
  actor: Actor,
  runId: string,
  input: unknown,
): Promise<Result<{ decision: DecisionRecord }>> {
  const parsed = parseInput(decisionInputSchema, input);
  if (!parsed.ok) return parsed;
  const result = await changeRun(workshop, runId, (stored) => changeOf(parsed.value, stored, actor, workshop.now()));
  if (!result.ok) return result;
  const decision = result.value.history.decisions.at(-1);
  if (decision === undefined) throw new Error('a change by decision left no decision');
  const { step: _step, ...record } = decision;
  return succeed({ decision: record });
}

function changeOf(input: DecisionInput, stored: StoredRun, actor: Actor, now: Date): Result<RunChange> {
  const refusal = refusalOf(input, stored);
  if (refusal !== null) return refusal;
  const { history } = stored;
  const version = versionOf(input, stored);
  const iteration = history.versions.find((candidate) => candidate.number === version)?.iteration ?? 0;
  const decision: History['decisions'][number] = {
    hook: history.pause?.hook ?? 'onReflection',
    version,
    iteration,
    decision: input.decision,
    by: 'person',
    actor: actor.name,
    reason: input.reason,
    score: input.decision === 'override' || input.decision === 'score' ? (input.score ?? null) : null,
    criterion: input.decision === 'score' ? askedCriterion(input, history) : (input.criterion ?? null),
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
    case 'accept':
    case 'continue':
    case 'stop':
      return succeed({
        history: { ...decided, pause: null },
        results: [{ type: 'decision', decision }],
        verdict: true,
      });
  }
}

/** What a decision speaks of: `continue` and `stop` of the last version, `score` of the one that waits for it, `accept` and `override` of any. */
function versionOf(input: DecisionInput, { run, history }: Pick<StoredRun, 'run' | 'history'>): number | null {
  const last = history.versions.at(-1)?.number ?? null;
  if (input.decision === 'continue' || input.decision === 'stop') return last;
  const ended = input.decision === 'accept' ? run.final_version : null;
  return input.version ?? history.pause?.version ?? ended ?? last;
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

function refusalOf(input: DecisionInput, { run, history, settings }: StoredRun): Result<never> | null {
  const ended = run.status === 'finished' || run.status === 'failed' || run.status === 'stopped';
  if (input.version !== undefined && !history.versions.some((version) => version.number === input.version)) {
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
  if (input.decision === 'continue' && history.pause === null)
    return fail('conflict', 'The run does not wait for a decision.');
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
