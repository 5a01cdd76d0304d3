import { appendResult } from '#lib/core/append-result.ts';
import { withManualScore } from '#lib/core/code-decision.ts';
import { WAITS_FOR_A_PERSON } from '#lib/core/criterion.ts';
import { listMissingScores } from '#lib/core/decisions.ts';
import { editedVersion } from '#lib/core/edited-version.ts';
import type { Decision, Evaluation, History } from '#lib/core/history.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { StepResult } from '#lib/core/step.ts';
import { findTriggeredStopRules } from '#lib/core/stop-rules.ts';
import { quotesReference } from '#lib/evaluators/quotes-reference.ts';
import { formatMoment } from '#lib/format.ts';
import type { DecisionInput } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';
import type { RunChange } from './update-run.ts';

/** Returns the parents of a manual version: the edited version, or the two merged ones. */
export function parentsOf(input: DecisionInput, { history }: Pick<StoredRun, 'history'>): number[] {
  const edited = input.version ?? history.pause?.version;
  return input.decision === 'merge' ? (input.parents ?? []) : edited === undefined ? [] : [edited];
}

/** Adds a manual version: ends the pause and scores the version like any other. Then the run waits again. */
export function changeByEdit(input: DecisionInput, stored: StoredRun, decision: Decision): RunChange {
  const { history } = stored;
  const parents = parentsOf(input, stored);
  const version = editedVersion(history, { output: input.output ?? '', parents, at: decision.at });
  const made: StepResult = { type: 'version', version };
  const next = appendResult(history, made);
  return {
    history: { ...next, decisions: [...next.decisions, decision], pause: null },
    results: [made, { type: 'decision', decision }],
    verdict: true,
  };
}

/** Returns the reason why such a version cannot be created, or null. */
export function editRefusal(input: DecisionInput, stored: StoredRun): Result<never> | null {
  const { versions } = stored.history;
  const parents = parentsOf(input, stored);
  const field = input.decision === 'merge' ? 'parents' : 'version';
  const missing = parents.find((number) => versions[number] === undefined);
  if (missing !== undefined)
    return fail(
      'invalid',
      `version ${missing} does not exist: the run has versions 0 to ${versions.length - 1}.`,
      field,
    );
  const same = parents.find((number) => versions[number]?.output === input.output);
  if (same === undefined) return null;
  return fail('invalid', `output is word for word that of version ${same}. Accept it, or change the text.`, 'output');
}

/**
 * A person's score, from 0 to 1, for a criterion that waited for it. `mayRevealToModels` is true if their reason does not reveal the
 * reference.
 */
type GivenScore = {
  criterion: string;
  score: number;
  actor: string;
  reason: string | null;
  mayRevealToModels: boolean;
  at: string;
  step: number;
};

/** Applies a person's score to an evaluation, and adds their reason to its explanations and, unless it is secret, to its feedback. */
export function applyHumanScore(settings: ExperimentSettings, before: Evaluation, given: GivenScore): Evaluation {
  const { criterion, actor, reason, mayRevealToModels } = given;
  const explanation =
    reason === null || mayRevealToModels ? (reason ?? `Scored by ${actor}.`) : 'Their reason quotes the reference.';
  return {
    ...withManualScore(settings, before, given),
    reasons: { ...before.reasons, [criterion]: explanation },
    feedback:
      reason === null || !mayRevealToModels ? before.feedback : lines(before.feedback, `${criterion}: ${reason}`),
    detail: lines(withoutWaiting(before.detail, criterion), `${criterion}: ${reason ?? `scored by ${actor}`}`),
  };
}

function withoutWaiting(detail: string, criterion: string): string {
  return detail
    .split('\n')
    .filter((line) => line !== WAITS_FOR_A_PERSON && line !== `${criterion}: ${WAITS_FOR_A_PERSON}`)
    .join('\n');
}

function lines(...texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

/** Applies a person's score to a waiting run. `decided` already contains the decision. The last requested score lets the run continue. */
export function changeByScore(stored: StoredRun, decided: History, decision: Decision): RunChange {
  const { settings, run } = stored;
  const before = decision.version === null ? null : effectiveEvaluation(decided, decision.version);
  if (before === null || decision.score === null || decision.criterion === null || decision.actor === null)
    throw new Error('a score was accepted without a version, a criterion or a number');
  const evaluation = applyHumanScore(settings, before, {
    criterion: decision.criterion,
    score: decision.score,
    actor: decision.actor,
    reason: decision.reason,
    mayRevealToModels: decision.reason === null || !quotesReference(decision.reason, run.reference),
    at: decision.at,
    step: decided.step,
  });
  const scored = { ...decided, evaluations: [...decided.evaluations, evaluation] };
  return afterScore(scored, settings, [
    { type: 'evaluation', evaluation },
    { type: 'decision', decision },
  ]);
}

/** Updates the pause after a score is given or overridden. A pause that requested scores ends when none is left to request. */
export function afterScore(scored: History, settings: ExperimentSettings, results: StepResult[]): RunChange {
  const { pause } = scored;
  if (pause === null) return { history: scored, results, verdict: false };
  // Before an evaluation, the stop rules do not apply to the version, whatever the score of another version.
  if (pause.hook !== 'onReflection') return { history: scored, results, verdict: false };
  if (pause.asks.length === 0) {
    const wouldStopAs = findTriggeredStopRules(scored, settings)[0] ?? null;
    return { history: { ...scored, pause: { ...pause, wouldStopAs } }, results, verdict: false };
  }
  const asks = listMissingScores(scored, settings, pause.version);
  return asks.length === 0
    ? { history: { ...scored, pause: null }, results, verdict: true }
    : { history: { ...scored, pause: { ...pause, asks } }, results, verdict: false };
}

/** Returns the criterion that a score is for: the one named in the input, or the only one requested. Null if neither exists. */
export function askedCriterion(input: DecisionInput, { pause }: History): string | null {
  const [only, ...more] = pause?.asks ?? [];
  return input.criterion ?? (only !== undefined && more.length === 0 ? only.criterion : null);
}

/** Returns the reason a score cannot be accepted at this pause, or null. The caller has already checked the pause ID. */
export function scoreRefusal(input: DecisionInput, history: History): Result<never> | null {
  const { pause } = history;
  if (pause !== null && pause.hook !== 'onReflection')
    return fail(
      'conflict',
      `Version ${pause.version} waits for a review before it is scored, so there is no score to give yet.`,
    );
  if (pause === null || pause.asks.length === 0)
    return fail('conflict', 'The run waits for a decision, not for a score. To change a score, override it.');
  if (input.version !== undefined && input.version !== pause.version)
    return fail('invalid', `version must be ${pause.version}, the one that waits for a score.`, 'version');
  const criterion = askedCriterion(input, history);
  if (!pause.asks.some((question) => question.criterion === criterion)) {
    const given = history.decisions.findLast(
      (decision) => decision.pauseId === pause.pauseId && decision.criterion === criterion && criterion !== null,
    );
    if (given !== undefined)
      return fail(
        'conflict',
        `${criterion} was scored already: ${given.score} by ${given.actor ?? given.by}, ${formatMoment(given.at)}.`,
        'criterion',
      );
    const criteria = pause.asks.map((one) => one.criterion).join(', ');
    return fail('invalid', `criterion must be one that waits for a score: ${criteria}.`, 'criterion');
  }
  return input.score === undefined ? fail('invalid', 'score must be a number from 0 to 1', 'score') : null;
}
