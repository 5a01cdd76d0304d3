import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { History, Version } from '#lib/core/history.ts';
import { withIssueIds } from '#lib/core/issues/identify-issues.ts';
import { foundIssueIds } from '#lib/core/issues/open-issues.ts';
import { ownValue } from '#lib/core/json-values.ts';
import { getPassThreshold, meetsThreshold } from '#lib/core/score-evaluation.ts';
import { type ScoredVersion, scoredVersions } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { normalizeExactly } from '#lib/core/text-values.ts';
import { judgedPairSchema, judgedPairs } from './judged-pairs.ts';

/** Version of the digest format. Increase it when the computation changes: digests with an older format are recomputed. */
export const DIGEST_FORMAT = 3;

const count = z.int().min(0);
const score = z.number().min(0).max(1).nullable();

/**
 * Digest of an ended run, used for all statistics over many runs. Based on the effective evaluation of each version, which is a person's if
 * there is one.
 */
export const runDigestSchema = z.object({
  format: count,
  /** Scores by version. Null if unscored. */
  scores: z.array(score),
  scoredVersions: count,
  firstScore: score.meta({ description: 'Of the first version that is scored.' }),
  bestScore: score,
  lastScore: score.meta({ description: 'Of the accepted version, otherwise of the last scored one.' }),
  /** Number of the first satisfactory version, or null if there is none. */
  solvedAt: count.nullable(),
  /** True if the version of `lastScore` is satisfactory. */
  lastSatisfactory: z.boolean(),
  /** Number of machine evaluations. `unscored` is the number of those that lack a score they should have. */
  evaluations: count,
  unscored: count,
  /** Issues in scored versions that the loop continued from. `issuesResolved` are no longer in the next scored version. */
  issuesNamed: count,
  issuesResolved: count,
  /**
   * Number of criteria below their threshold that have a next score. `checksCorrected` is the number of those that pass there.
   * `checksPassing` counts passing criteria, and `checksIntroduced` those of them that fail next.
   */
  checksFailing: count,
  checksCorrected: count,
  checksPassing: count,
  checksIntroduced: count,
  /** Number of unsatisfactory versions with a next version. `repeatedAnswers` of those next versions have the same answer. */
  retriesAfterFail: count,
  repeatedAnswers: count,
  judged: z.array(judgedPairSchema),
});
export type RunDigest = z.infer<typeof runDigestSchema>;

/**
 * Returns the digest of one run. "Next" is the next scored version in order of creation. Versions that a person wrote or merged are scored
 * like any other. They do not count for or against the loop in issues, checks and repeated answers.
 */
export function digestRun(history: History, settings: ExperimentSettings, ofCase: Pick<Case, 'reference'>): RunDigest {
  const scored = scoredVersions(history);
  const final = finalOf(history, scored);
  const steps = scored.flatMap((before, index) => {
    const after = scored[index + 1];
    return after === undefined || isByHand(after.version) ? [] : [{ before, after }];
  });
  const byNumber = new Map(scored.map((one) => [one.version.number, one.score]));
  return {
    format: DIGEST_FORMAT,
    scores: history.versions.map(({ number }) => byNumber.get(number) ?? null),
    scoredVersions: scored.length,
    firstScore: scored[0]?.score ?? null,
    bestScore: scored.length === 0 ? null : Math.max(...scored.map((one) => one.score)),
    lastScore: final?.score ?? null,
    solvedAt: scored.find(({ evaluation }) => evaluation.satisfactory)?.version.number ?? null,
    lastSatisfactory: final?.evaluation.satisfactory ?? false,
    ...evaluationCounts(history, settings),
    ...issueCounts(history, steps),
    ...checkCounts(steps, settings),
    ...repeatCounts(steps),
    judged: judgedPairs(history, settings, ofCase),
  };
}

type Step = { before: ScoredVersion; after: ScoredVersion };

function isByHand({ origin }: Version): boolean {
  return origin === 'edited' || origin === 'merged';
}

/** Returns the accepted version if the run did not continue after it, otherwise the last scored version. */
function finalOf(history: History, scored: ScoredVersion[]): ScoredVersion | null {
  const order = history.decisions.findLast(({ decision }) => decision === 'accept' || decision === 'resume');
  const accepted = order?.decision === 'accept' ? order.version : null;
  return scored.find(({ version }) => version.number === accepted) ?? scored.at(-1) ?? null;
}

/** Counts machine evaluations. A version that only waits for a person's score does not count as unscored. */
function evaluationCounts({ evaluations }: History, { criteria }: ExperimentSettings) {
  const byMachine = evaluations.filter(({ by }) => by === 'machine');
  const missing = criteria.filter(({ evaluator }) => evaluator !== 'human').map(({ name }) => name);
  const unscored = byMachine.filter(
    ({ status, criteriaScores }) =>
      status === 'partial' && missing.some((name) => ownValue(criteriaScores, name) === null),
  );
  return { evaluations: byMachine.length, unscored: unscored.length };
}

/** Counts named and resolved issues. Issues are compared by ID as in the ledger, so a reworded issue is not resolved. */
function issueCounts(history: History, steps: Step[]) {
  const identified = withIssueIds(history);
  let issuesNamed = 0;
  let issuesResolved = 0;
  for (const { before, after } of steps) {
    const named = foundIssueIds(identified, before.version.number);
    const left = foundIssueIds(identified, after.version.number);
    if (named === null || left === null) continue;
    issuesNamed += named.size;
    issuesResolved += [...named].filter((id) => !left.has(id)).length;
  }
  return { issuesNamed, issuesResolved };
}

/** Counts checks from one version to the next. A criterion without a threshold uses the overall one. */
function checkCounts(steps: Step[], settings: ExperimentSettings) {
  const counts = { checksFailing: 0, checksCorrected: 0, checksPassing: 0, checksIntroduced: 0 };
  for (const { before, after } of steps) {
    for (const criterion of settings.criteria) {
      const { name } = criterion;
      const bar = getPassThreshold(criterion, settings);
      const [was, is] = [
        ownValue(before.evaluation.criteriaScores, name),
        ownValue(after.evaluation.criteriaScores, name),
      ];
      if (was === null || is === null) continue;
      const passes = meetsThreshold(is, bar);
      if (meetsThreshold(was, bar)) {
        counts.checksPassing++;
        if (!passes) counts.checksIntroduced++;
      } else {
        counts.checksFailing++;
        if (passes) counts.checksCorrected++;
      }
    }
  }
  return counts;
}

function repeatCounts(steps: Step[]) {
  let retriesAfterFail = 0;
  let repeatedAnswers = 0;
  const normalized = new Map<number, string>();
  for (const { before, after } of steps) {
    if (before.evaluation.satisfactory || !hasAnswer(before) || !hasAnswer(after)) continue;
    retriesAfterFail++;
    if (answerOf(before, normalized) === answerOf(after, normalized)) repeatedAnswers++;
  }
  return { retriesAfterFail, repeatedAnswers };
}

/** Returns true if the version has an answer to compare. A text that was not kept has none. */
function hasAnswer({ version, evaluation }: ScoredVersion): boolean {
  return evaluation.answer !== null || !version.outputDropped;
}

/** Returns a version's answer as the repeated-answer rule compares it. Normalization of long texts is slow, so it is cached. */
function answerOf({ version, evaluation }: ScoredVersion, normalized: Map<number, string>): string {
  if (evaluation.answer !== null) return evaluation.answer;
  const known = normalized.get(version.number);
  if (known !== undefined) return known;
  const answer = normalizeExactly(version.output);
  normalized.set(version.number, answer);
  return answer;
}
