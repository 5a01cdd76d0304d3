import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { History, Version } from '#lib/core/history.ts';
import { withIssueIds } from '#lib/core/issues/identify-issues.ts';
import { foundIssueIds } from '#lib/core/issues/open-issues.ts';
import { barOf, reaches } from '#lib/core/score-evaluation.ts';
import { type ScoredVersion, scoredVersions } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { normalizeAnswer } from '#lib/core/text-values.ts';
import { judgedPairSchema, judgedPairs } from './judged-pairs.ts';

/** Goes up when digests are worked out in another way: those of an older format are made anew. */
export const DIGEST_FORMAT = 2;

const count = z.int().min(0);
const score = z.number().min(0).max(1).nullable();

/** What an ended run comes to, for everything that is summed over many runs. All go by the evaluation that counts for the loop: a person's where there is one. */
export const runDigestSchema = z.object({
  format: count,
  /** By version: null where it is unscored. */
  scores: z.array(score),
  scoredVersions: count,
  firstScore: score.meta({ description: 'Of the first version that is scored.' }),
  bestScore: score,
  lastScore: score.meta({ description: 'Of the accepted version, otherwise of the last scored one.' }),
  /** The number of the first satisfactory version; null where none is. */
  solvedAt: count.nullable(),
  /** Whether the version of `lastScore` is satisfactory. */
  lastSatisfactory: z.boolean(),
  /** The machine's, and those of them where something that it was to score has no score. */
  evaluations: count,
  unscored: count,
  /** Issues named in a scored version that the loop made another of, and how many of them the next scored one no longer has. */
  issuesNamed: count,
  issuesResolved: count,
  /** Criteria below their threshold with a next score, and how many pass there; those that passed, and how many fail there. */
  checksFailing: count,
  checksCorrected: count,
  checksPassing: count,
  checksIntroduced: count,
  /** Versions that were not satisfactory and have a next one, and how many of those next ones give the same answer. */
  retriesAfterFail: count,
  repeatedAnswers: count,
  judged: z.array(judgedPairSchema),
});
export type RunDigest = z.infer<typeof runDigestSchema>;

/**
 * Sums one run up. "Next" is the next version that is scored, in the order they were made. What a person wrote or merged is the person's:
 * it is scored like any other, but counts neither for nor against the loop in issues, checks and repeats.
 */
export function digestRun(history: History, settings: ExperimentSettings, ofCase: Pick<Case, 'reference'>): RunDigest {
  const scored = scoredVersions(history);
  const final = finalOf(history, scored);
  const steps = scored.flatMap((before, place) => {
    const after = scored[place + 1];
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

/** An accepted version is final unless the run went on after it. */
function finalOf(history: History, scored: ScoredVersion[]): ScoredVersion | null {
  const order = history.decisions.findLast(({ decision }) => decision === 'accept' || decision === 'resume');
  const accepted = order?.decision === 'accept' ? order.version : null;
  return scored.find(({ version }) => version.number === accepted) ?? scored.at(-1) ?? null;
}

/** A version that only waits for a person's score is no failure of the machine. */
function evaluationCounts({ evaluations }: History, { criteria }: ExperimentSettings) {
  const byMachine = evaluations.filter(({ by }) => by === 'machine');
  const owed = criteria.filter(({ evaluator }) => evaluator !== 'human').map(({ name }) => name);
  const unscored = byMachine.filter(
    ({ status, criteriaScores }) => status === 'partial' && owed.some((name) => scoreIn(criteriaScores, name) === null),
  );
  return { evaluations: byMachine.length, unscored: unscored.length };
}

/** An issue in other words is not resolved: issues are told apart by their ids, as in the ledger. */
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

/** A criterion without a threshold of its own is held against the overall one. */
function checkCounts(steps: Step[], settings: ExperimentSettings) {
  const counts = { checksFailing: 0, checksCorrected: 0, checksPassing: 0, checksIntroduced: 0 };
  for (const { before, after } of steps) {
    for (const criterion of settings.criteria) {
      const { name } = criterion;
      const bar = barOf(criterion, settings);
      const [was, is] = [
        scoreIn(before.evaluation.criteriaScores, name),
        scoreIn(after.evaluation.criteriaScores, name),
      ];
      if (was === null || is === null) continue;
      const passes = reaches(is, bar);
      if (reaches(was, bar)) {
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

/** A text that was not kept is compared with nothing. */
function hasAnswer({ version, evaluation }: ScoredVersion): boolean {
  return evaluation.answer !== null || !version.outputDropped;
}

/** What the version answers, as the rule against repeated answers reads it. Long texts take their time: each is read once. */
function answerOf({ version, evaluation }: ScoredVersion, normalized: Map<number, string>): string {
  if (evaluation.answer !== null) return evaluation.answer;
  const known = normalized.get(version.number);
  if (known !== undefined) return known;
  const answer = normalizeAnswer(version.output);
  normalized.set(version.number, answer);
  return answer;
}

function scoreIn(scores: Record<string, number | null>, name: string): number | null {
  return Object.hasOwn(scores, name) ? (scores[name] ?? null) : null;
}
