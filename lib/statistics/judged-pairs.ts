import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import { criterionDefinition, isJudgedByModel, waitsForPerson } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import type { Decision, Evaluation, History, Version } from '#lib/core/history.ts';
import { getPassThreshold, isSatisfactory, meetsThreshold, overallOf } from '#lib/core/score-evaluation.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/**
 * A judging model's verdict on a version with the ground truth, which comes from a person or from checks against a known correct answer.
 * `criterion`: null for the whole version, and if several checks form the truth together. `truth` is null if a person only accepted or
 * rejected. `sameModel`: true if the judge is the model that wrote the text.
 */
export const judgedPairSchema = z.object({
  version: z.int().min(0),
  by: z.enum(['person', 'check']),
  criterion: z.string().nullable(),
  judge: z.number().min(0).max(1),
  truth: z.number().min(0).max(1).nullable(),
  judgePass: z.boolean(),
  truthPass: z.boolean(),
  sameModel: z.boolean(),
});

export type JudgedPair = z.infer<typeof judgedPairSchema>;

/**
 * Returns all judgements of a model in a run that have a ground truth. Empty if no criterion is judged by a model.
 * A person's truth is a score: an override of the whole or a criterion, or a requested score. Without a score it is their verdict at a
 * pause: `accept` = good, `revise` = not good. A check's truth comes from tests or a comparison with the case's reference, for versions
 * that a model also judged.
 */
export function judgedPairs(
  history: History,
  settings: ExperimentSettings,
  ofCase: Pick<Case, 'reference'>,
): JudgedPair[] {
  const judges = settings.criteria.filter(isJudgedByModel);
  if (judges.length === 0) return [];
  const checks = settings.criteria.filter((criterion) => knowsTheAnswer(criterion, ofCase.reference !== null));
  return history.versions.flatMap((version) => {
    const machine = history.evaluations.findLast(
      (evaluation) => evaluation.by === 'machine' && evaluation.version === version.number,
    );
    // A score copied from an identical text is not an independent judgement.
    if (machine === undefined || (machine.copiedFrom ?? null) !== null) return [];
    return [
      ...byPeople(history, settings, judges, version, machine),
      ...byChecks(history, settings, judges, checks, version, machine),
    ];
  });
}

/** Returns true if a criterion is scored against a known correct answer, without a model. */
function knowsTheAnswer(criterion: Criterion, hasReference: boolean): boolean {
  const known = criterionDefinition(criterion.evaluator).knowsAnswer?.(criterion.config);
  return known === 'always' || (known === 'with_reference' && hasReference);
}

function byPeople(
  history: History,
  settings: ExperimentSettings,
  judges: Criterion[],
  version: Version,
  machine: Evaluation,
): JudgedPair[] {
  const decisions = history.decisions.filter((one) => one.by === 'person' && one.version === version.number);
  const restored = decisions.findLastIndex(({ decision }) => decision === 'restore');
  const scores = decisions.filter(
    ({ decision, score }, index) =>
      score !== null && (decision === 'score' || (decision === 'override' && index > restored)),
  );
  const latest = new Map(scores.map((one) => [one.criterion, one]));
  const pairs = [...latest.values()].flatMap((decision) => givenScore(decision, settings, judges, machine) ?? []);
  const verdict = latest.has(null)
    ? undefined
    : decisions.findLast(({ decision }) => decision === 'accept' || decision === 'revise');
  const whole = verdict === undefined ? null : wholePair(machine, null, verdict.decision === 'accept');
  return whole === null ? pairs : [...pairs, whole];
}

/**
 * Returns a person's score paired with the judge's score of the same thing: the whole, or the criterion. If only people score the
 * criterion, pairs it with everything the judge scored.
 */
function givenScore(
  { criterion: name, score }: Decision,
  settings: ExperimentSettings,
  judges: Criterion[],
  machine: Evaluation,
): JudgedPair | null {
  if (score === null) return null;
  if (name === null) return wholePair(machine, score, meetsThreshold(score, settings.qualityThreshold));
  const criterion = settings.criteria.find((one) => one.name === name);
  if (criterion === undefined) return null;
  const against = isJudgedByModel(criterion) ? [criterion] : waitsForPerson(criterion) ? judges : [];
  const judge = judgeSide(settings, against, machine, isJudgedByModel(criterion));
  if (judge === null) return null;
  return {
    ...judge,
    by: 'person',
    criterion: name,
    truth: score,
    truthPass: meetsThreshold(score, getPassThreshold(criterion, settings)),
  };
}

/** Returns the judge's verdict on the whole version paired with a person's. Null if the judge gave no full score. */
function wholePair(machine: Evaluation, truth: number | null, truthPass: boolean): JudgedPair | null {
  const { status, overallScore, satisfactory } = machine;
  if (status !== 'scored' || overallScore === null) return null;
  return { ...sides(machine, overallScore, satisfactory), by: 'person', criterion: null, truth, truthPass };
}

function byChecks(
  history: History,
  settings: ExperimentSettings,
  judges: Criterion[],
  checks: Criterion[],
  version: Version,
  machine: Evaluation,
): JudgedPair[] {
  // A person may have corrected a broken test, so the effective score is also the truth here.
  const scores = effectiveEvaluation(history, version.number)?.criteriaScores ?? machine.criteriaScores;
  const known = checks.map((check) => ({ score: scores[check.name] ?? null, bar: getPassThreshold(check, settings) }));
  const truth = overallOf({ criteria: checks.map(({ name }) => ({ name, weight: 1 })) }, scores);
  const judge = judgeSide(settings, judges, machine, false);
  if (truth === null || judge === null) return [];
  return [
    {
      ...judge,
      by: 'check',
      criterion: checks.length === 1 ? (checks[0]?.name ?? null) : null,
      truth,
      truthPass: known.every(({ score, bar }) => score !== null && meetsThreshold(score, bar)),
    },
  ];
}

/** Returns the judging model's overall verdict on these criteria. A single criterion is compared with its own threshold if it has one. */
function judgeSide(settings: ExperimentSettings, criteria: Criterion[], machine: Evaluation, isAlone: boolean) {
  const weights = criteria.some(({ weight }) => weight > 0) ? criteria : criteria.map((one) => ({ ...one, weight: 1 }));
  const judge = overallOf({ criteria: weights }, machine.criteriaScores);
  const [only] = criteria;
  const qualityThreshold = isAlone && only !== undefined ? getPassThreshold(only, settings) : settings.qualityThreshold;
  const pass = isSatisfactory({ qualityThreshold, criteria }, judge, machine.criteriaScores);
  return judge === null ? null : sides(machine, judge, pass);
}

function sides({ version, sameModelJudge }: Evaluation, judge: number, judgePass: boolean) {
  return { version, judge, judgePass, sameModel: sameModelJudge };
}
