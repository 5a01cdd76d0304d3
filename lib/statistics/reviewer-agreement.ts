import { z } from 'zod';
import { cohenKappa, kappaSchema, whyNoInterval, type YesNoCounts } from './calibration.ts';
import { wilsonInterval } from './intervals.ts';
import { clusteredShare, countByGroup } from './shares.ts';

/** Maximum number of listed pairs of people. Those with the most in common come first. */
const MAX_LISTED_PAIRS = 20;

/**
 * Minimum number of items for kappa: 2 k² for k categories, here two. From this number on, its standard error (see `cohenKappa`) is
 * accurate enough. Source: Cicchetti 1981, tested with three to ten categories. Two categories use the same formula.
 */
const MIN_COMMON_ITEMS = 8;

const count = z.int().min(0);
const share = z.number().min(0).max(1);

const agreementSchema = z.object({
  n: count.meta({ description: 'Comparisons of two people on the same thing, both with a clear answer.' }),
  same: count.meta({ description: 'Comparisons with the same answer from both.' }),
  interval: z.object({ low: share, share, high: share }).nullable().meta({
    description: 'Share of comparisons with the same answer, with its 95% interval (Wilson). Null without comparisons.',
  }),
  kappa: kappaSchema
    // A copy keeps the names of these types in the SDKs.
    .extend({})
    .nullable()
    .meta({
      description:
        'Cohen’s kappa with its 95% interval. `low` and `high` are null if the standard error is 0, because the interval would then look certain.',
    }),
  whyNoKappa: z
    .enum(['nothing', 'too_few', 'all_alike'])
    .nullable()
    .meta({
      description: `Why kappa is null: there is nothing to compare, there are fewer than ${MIN_COMMON_ITEMS} things, or all answers were the same.`,
    }),
  ties: count.meta({ description: 'Comparisons that are left out because one of the two saw no difference.' }),
});

type Agreement = z.infer<typeof agreementSchema>;

/** Agreement of people who judged the same items, for each pair and overall. */
export const reviewerAgreementSchema = agreementSchema.extend({
  people: count,
  things: count.meta({ description: 'Things that at least one person judged.' }),
  shared: count.meta({ description: 'Things that more than one person judged.' }),
  pairs: z.array(agreementSchema.extend({ first: z.string(), second: z.string() })).meta({
    description: `Pairs of people, those with the most comparisons first, at most ${MAX_LISTED_PAIRS}.`,
  }),
});
export type ReviewerAgreement = z.infer<typeof reviewerAgreementSchema>;

/** One person's judgement of one item. `person` is a unique ID, `name` the display name. */
export type Judgement = { thing: string; person: string; name: string; says: 'yes' | 'no' | 'tie' };

type Compared = { thing: string; first: Judgement; second: Judgement };

/**
 * Returns the agreement of people who judged the same items independently. An item judged by three people gives three correlated
 * comparisons, so the overall interval uses a smaller effective number (see `clusteredShare`). A person's last judgement of an item counts.
 * Kappa over several pairs counts each comparison in both directions, so that the order of people has no effect. For two people it is
 * Cohen's. It is returned from `MIN_COMMON_ITEMS` items on. Sources: Cohen 1960; Kish 1965 (effective number).
 */
export function reviewerAgreement(judgements: readonly Judgement[]): ReviewerAgreement {
  const byItem = Map.groupBy(judgements, ({ thing }) => thing);
  const compared = [...byItem.values()].flatMap(comparisonsOf);
  const pairs = [...Map.groupBy(compared, ({ first, second }) => `${first.person}\n${second.person}`).values()];
  const shown = pairs.map(ofPair).toSorted((one, other) => other.n - one.n || one.first.localeCompare(other.first));
  return {
    people: new Set(judgements.map(({ person }) => person)).size,
    things: byItem.size,
    shared: new Set(compared.map(({ thing }) => thing)).size,
    ...overall(compared, pairs.length),
    pairs: shown.slice(0, MAX_LISTED_PAIRS),
  };
}

function comparisonsOf(ofItem: readonly Judgement[]): Compared[] {
  const last = [...new Map(ofItem.map((one) => [one.person, one])).values()].toSorted((one, other) =>
    one.person < other.person ? -1 : 1,
  );
  return last.flatMap((first, index) => last.slice(index + 1).map((second) => ({ thing: first.thing, first, second })));
}

function ofPair(compared: Compared[]): ReviewerAgreement['pairs'][number] {
  const { counts, n, same, ties } = counted(compared);
  const [one] = compared;
  const names = { first: one?.first.name ?? '', second: one?.second.name ?? '' };
  return { ...names, n, same, ties, interval: wilsonInterval(same, n), ...kappaOf(counts, n) };
}

function overall(compared: Compared[], pairs: number): Agreement {
  const { clear, counts, n, same, ties } = counted(compared);
  const items = countByGroup(
    clear,
    ({ thing }) => thing,
    ({ first, second }) => first.says === second.says,
  );
  return { n, same, ties, interval: clusteredShare(items), ...kappaOf(counts, items.length, pairs > 1) };
}

/**
 * Returns kappa, or the reason there is none. `things`: effective number of independent judgements. `bothWays`: counts each comparison in
 * both directions. Otherwise all comparisons are by one pair of people, one per item.
 */
function kappaOf(
  { both, onlyFirst, onlySecond, neither }: YesNoCounts,
  things: number,
  bothWays = false,
): Pick<Agreement, 'kappa' | 'whyNoKappa'> {
  if (things < MIN_COMMON_ITEMS) return { kappa: null, whyNoKappa: things === 0 ? 'nothing' : 'too_few' };
  const parted = onlyFirst + onlySecond;
  const found = bothWays
    ? cohenKappa({ both: 2 * both, onlyFirst: parted, onlySecond: parted, neither: 2 * neither }, things)
    : cohenKappa({ both, onlyFirst, onlySecond, neither });
  if (found === null) return { kappa: null, whyNoKappa: 'all_alike' };
  return { kappa: { ...found, n: both + parted + neither }, whyNoKappa: null };
}

/** Returns a sentence that explains why kappa or its interval is missing. Null if both exist, or if there is nothing to compare. */
export function kappaNote({ kappa, whyNoKappa }: Pick<Agreement, 'kappa' | 'whyNoKappa'>): string | null {
  if (kappa !== null) return whyNoInterval(kappa);
  switch (whyNoKappa) {
    case 'too_few':
      return `Kappa needs at least ${MIN_COMMON_ITEMS} items that both judged.`;
    case 'all_alike':
      return 'There is no kappa, because all answers were the same. Whether they agree beyond chance is unknown.';
    default:
      return null;
  }
}

function counted(compared: readonly Compared[]) {
  const clear = compared.filter(({ first, second }) => first.says !== 'tie' && second.says !== 'tie');
  const of = (one: Judgement['says'], other: Judgement['says']) =>
    clear.filter(({ first, second }) => first.says === one && second.says === other).length;
  const counts: YesNoCounts = {
    both: of('yes', 'yes'),
    onlyFirst: of('yes', 'no'),
    onlySecond: of('no', 'yes'),
    neither: of('no', 'no'),
  };
  const n = clear.length;
  return { clear, counts, n, same: counts.both + counts.neither, ties: compared.length - n };
}
