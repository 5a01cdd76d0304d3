import { type Comparison, isNoticeable } from '#lib/compare/schema.ts';
import { formatList, formatNumberOf } from '#lib/format.ts';
import { writeP } from '#lib/statistics/write-chance.ts';
import { armLetter } from './compare-address.ts';
import { differenceLabel, intervalLabel, verdictTitle } from './labels.ts';

type ReadComparison = Pick<Comparison, 'effort' | 'cut'> & { arms: readonly { mode: string }[] };

/** Returns sentences about differences in effort. Empty if all arms had the same limits and similar spending. */
export function effortLabel({ effort, arms, cut }: ReadComparison): string[] {
  const versions = effort.arms.map(({ mostVersions }) => mostVersions);
  const noun = arms.every(({ mode }) => mode === 'retry') ? 'attempt' : 'version';
  const byCap = Map.groupBy(
    versions.map((cap, index) => ({ cap, letter: armLetter(index) })),
    ({ cap }) => cap,
  );
  const caps = [...byCap].map(
    ([cap, same]) => `${formatList(same.map(({ letter }) => letter))} may use ${formatNumberOf(cap, noun)}`,
  );
  const budgets = effort.arms.flatMap(({ hasOtherBudget }, index) => (hasOtherBudget ? [armLetter(index)] : []));
  const spent = effort.arms.flatMap(({ spent: times, spentIn }, index) =>
    times === null || spentIn === null || !isNoticeable(times)
      ? []
      : [
          `A run of ${armLetter(index)} ${spentIn === 'cost' ? 'cost' : 'took'} ${timesLabel(times)} ${spentIn === 'cost' ? 'as much as one of A' : 'as many tokens as one of A'}.`,
        ],
  );
  return [
    ...(byCap.size > 1 ? [`${caps.join(', ')}.`] : []),
    ...(budgets.length > 0
      ? [`${formatList(budgets)} ${budgets.length === 1 ? 'has' : 'have'} another budget than A.`]
      : []),
    ...spent,
    ...(cut === null ? [] : cutLabel(cut, versions, noun)),
  ];
}

/** Returns the results after all runs are cut to the lowest limit of any arm. Only for arms affected by the cut. */
function cutLabel({ versions, against }: NonNullable<Comparison['cut']>, caps: number[], noun: string): string[] {
  const words = against.flatMap((result, index) => {
    const isCut = caps[index + 1] !== versions || caps[0] !== versions;
    if (!isCut || result.difference === null) return [];
    const title = verdictTitle(result.verdict, 'A');
    const p = result.pHolm ?? result.p;
    return [
      `${armLetter(index + 1)} has ${differenceLabel(result.metric, result.difference)} on A${intervalLabel(result)}${p === null ? '' : `, ${writeP(p)}`}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    ];
  });
  return words.length === 0 ? [] : [`With every run cut to ${formatNumberOf(versions, noun)}, ${words.join('; ')}.`];
}

function timesLabel(times: number): string {
  return times < 1 ? `${Math.round(times * 100)}%` : `${times.toFixed(1)} times`;
}
