import { mean } from 'simple-statistics';
import type { CaseCriteria } from '#lib/core/case.ts';
import { criteriaForCase } from '#lib/core/case-criteria.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { type Scoring, verdictOn } from './rescore-report.ts';

type Change = { before: number; after: number };

/** Effect of other weights and thresholds on stored scores. `n` is the number of evaluations that are fully scored both ways. */
export type ScoringEffect = {
  n: number;
  unscored: number;
  satisfactory: Change;
  overall: Change | null;
  runs: number;
  /** Number of runs with a satisfactory version. */
  runsSatisfied: Change;
  /** Number of runs for which another version would have the highest score. */
  runsWithOtherBest: number;
  /** Criteria without a score in any evaluation. Their effect is unknown. */
  unknownCriteria: string[];
};

/** The effective evaluation of a version, as stored. `isWhole`: true if a person gave the overall score directly. */
export type StoredScore = {
  run: number;
  version: number;
  overallScore: number | null;
  satisfactory: boolean;
  criteriaScores: Record<string, number | null>;
  isWhole: boolean;
  criteria?: CaseCriteria | undefined;
};

/** Returns the changes in stored verdicts from other weights and thresholds. Makes no model calls. */
export function scoringEffect(scores: readonly StoredScore[], changed: Scoring): ScoringEffect {
  const unknownCriteria = changed.criteria
    .map(({ name }) => name)
    .filter((name) => !scores.some(({ criteriaScores }) => typeof ownScore(criteriaScores, name) === 'number'));
  const judged = scores.flatMap((score) => {
    const after = verdictOn(score, score.isWhole, scoringOf(changed, score));
    return score.overallScore === null || after.overallScore === null
      ? []
      : [{ score, before: score.overallScore, after: after.overallScore, isSatisfactory: after.satisfactory }];
  });
  const runs = Map.groupBy(judged, ({ score }) => score.run);
  const countRuns = (holds: (versions: typeof judged) => boolean) => [...runs.values()].filter(holds).length;
  return {
    n: judged.length,
    unscored: scores.length - judged.length,
    satisfactory: {
      before: judged.filter(({ score }) => score.satisfactory).length,
      after: judged.filter(({ isSatisfactory }) => isSatisfactory).length,
    },
    overall:
      judged.length === 0
        ? null
        : { before: mean(judged.map(({ before }) => before)), after: mean(judged.map(({ after }) => after)) },
    runs: runs.size,
    runsSatisfied: {
      before: countRuns((versions) => versions.some(({ score }) => score.satisfactory)),
      after: countRuns((versions) => versions.some(({ isSatisfactory }) => isSatisfactory)),
    },
    runsWithOtherBest: countRuns(
      (versions) => bestOf(versions, ({ before }) => before) !== bestOf(versions, ({ after }) => after),
    ),
    unknownCriteria,
  };
}

/** Returns the scoring that applies to the case of a score. */
function scoringOf({ criteria, qualityThreshold }: Scoring, score: StoredScore): Scoring {
  return {
    criteria: criteriaForCase(criteria, score),
    qualityThreshold: score.criteria?.qualityThreshold ?? qualityThreshold,
  };
}

/** Returns the number of the version with the highest value. If values are equal, the later one. */
function bestOf<One extends { score: StoredScore }>(versions: One[], value: (one: One) => number): number | undefined {
  return versions.reduce<One | undefined>(
    (best, one) =>
      best === undefined ||
      roundTo6(value(one)) > roundTo6(value(best)) ||
      (roundTo6(value(one)) === roundTo6(value(best)) && one.score.version > best.score.version)
        ? one
        : best,
    undefined,
  )?.score.version;
}

function ownScore(scores: Record<string, number | null>, name: string): number | null | undefined {
  return Object.hasOwn(scores, name) ? scores[name] : undefined;
}
