import { formatList, formatNumberOf } from '#lib/format.ts';
import type { JudgeAgreement } from '#lib/statistics/judge-agreement.ts';

/** How often the judge agrees: `agrees in 14 of 18 picks (78 %, 55 to 91 %)`; null where no pick can be compared. */
export function agreementLabel({ agreed, picks, interval }: JudgeAgreement): string | null {
  if (interval === null) return null;
  const percent = (share: number) => Math.round(share * 100);
  const bounds = `${percent(interval.share)} %, ${percent(interval.low)} to ${percent(interval.high)} %`;
  return `agrees in ${agreed} of ${formatNumberOf(picks, 'pick')} (${bounds})`;
}

/** What is to be known beside the share, a sentence each: what it does not count, whose judgements they are, whether it tells anything. */
export function agreementNotes(agreement: JudgeAgreement): string[] {
  const { picks, ties, equalScores, unscored, judgements, people, pairs, sharedPairs, tooFewToTell } = agreement;
  const apart = [
    ...(ties > 0 ? [formatNumberOf(ties, 'tie')] : []),
    ...(equalScores > 0 ? [`${formatNumberOf(equalScores, 'pick')} between equal scores`] : []),
    ...(unscored > 0 ? [`${formatNumberOf(unscored, 'pick')} without scores`] : []),
  ];
  return [
    ...(tooFewToTell && picks > 0 ? [`With fewer than 10 picks nothing can be told yet.`] : []),
    ...(apart.length > 0 ? [`Counted apart: ${formatList(apart)}.`] : []),
    ...(sharedPairs > 0
      ? [
          `${formatNumberOf(judgements, 'judgement')} of ${formatNumberOf(pairs, 'pair')} by ${formatNumberOf(people, 'person', 'people')}: each judgement counts, also of ${formatNumberOf(sharedPairs, 'pair')} that more than one judged.`,
        ]
      : []),
  ];
}
