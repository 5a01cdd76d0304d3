import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { clusteredShare, countByGroup } from './shares.ts';

const MIN_PICKS = 10;

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** Agreement of the judge with people who compared two versions blind. `picks` + `ties` + `equalScores` + `unscored` = `judgements`. */
export const judgeAgreementSchema = z.object({
  judgements: count.meta({ description: 'Several people on one pair count as several.' }),
  people: count,
  pairs: count,
  /** Number of pairs that more than one person judged. */
  sharedPairs: count,
  picks: count.meta({
    description: 'A person picked one of the two, and their scores differ (rounded to 6 decimals).',
  }),
  agreed: count.meta({ description: 'Picks of the version with the higher score.' }),
  interval: z.object({ low: share, share, high: share }).nullable().meta({
    description:
      'Share of picks that agreed, with its 95% interval (Wilson, over the effective number of picks). Null without picks.',
  }),
  ties: count.meta({ description: 'The person saw no difference, whatever the scores.' }),
  equalScores: count.meta({ description: 'The person picked one, but both have the same score.' }),
  unscored: count.meta({ description: 'The person picked one, but one of the two no longer has a score.' }),
  tooFewToTell: z.boolean().meta({ description: `Below ${MIN_PICKS} picks.` }),
});
export type JudgeAgreement = z.infer<typeof judgeAgreementSchema>;

/** One person's judgement of a pair: the judge's scores of the picked and the other version. Null for a tie. */
export type BlindJudgement = {
  person: string;
  pair: string;
  picked: { score: number | null; otherScore: number | null } | null;
};

/** Compares people's picks with the version the judge scored higher. Ties and equal scores are counted apart, never as half correct. */
export function judgeAgreement(judgements: readonly BlindJudgement[]): JudgeAgreement {
  const picked = judgements.flatMap(({ pair, picked: one }) => (one === null ? [] : [{ pair, ...one }]));
  const differences = picked.flatMap(({ pair, score, otherScore }) =>
    score === null || otherScore === null ? [] : [{ pair, by: roundTo6(score) - roundTo6(otherScore) }],
  );
  const picks = differences.filter(({ by }) => by !== 0);
  const isAgreed = ({ by }: { by: number }) => by > 0;
  const people = Map.groupBy(judgements, ({ pair }) => pair);
  return {
    judgements: judgements.length,
    people: new Set(judgements.map(({ person }) => person)).size,
    pairs: people.size,
    sharedPairs: [...people.values()].filter((ofPair) => new Set(ofPair.map(({ person }) => person)).size > 1).length,
    picks: picks.length,
    agreed: picks.filter(isAgreed).length,
    // Picks of several people on one pair are correlated.
    interval: clusteredShare(countByGroup(picks, ({ pair }) => pair, isAgreed)),
    ties: judgements.length - picked.length,
    equalScores: differences.length - picks.length,
    unscored: picked.length - differences.length,
    tooFewToTell: picks.length < MIN_PICKS,
  };
}
