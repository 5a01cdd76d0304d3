import { defaultFilter } from 'cmdk';

export type MenuEntry = {
  /** Distinguishes it from all others of the menu. */
  value: string;
  name: string;
  /** The words it is found by, where its name is not enough. */
  find?: string;
  /** The least rank it has: it is shown whatever is typed. */
  least?: number;
  /** What its rank is multiplied by. */
  weight?: number;
};

export type MenuGroup<Entry extends MenuEntry> = { heading: string; entries: readonly Entry[] };

/**
 * The groups and entries that fit what was typed, the best first; those that fit equally well stay in their order. Groups without any
 * are left out. When nothing was typed, all stay as they are.
 */
export function rankGroups<Entry extends MenuEntry>(
  groups: readonly MenuGroup<Entry>[],
  typed: string,
): MenuGroup<Entry>[] {
  const filled = groups.filter(({ entries }) => entries.length > 0);
  if (typed === '') return filled;
  return filled
    .map(({ heading, entries }) => {
      const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry, typed) })).filter(({ rank }) => rank > 0);
      return { heading, ranked: ranked.toSorted((one, other) => other.rank - one.rank) };
    })
    .filter(({ ranked }) => ranked.length > 0)
    .toSorted((one, other) => (other.ranked[0]?.rank ?? 0) - (one.ranked[0]?.rank ?? 0))
    .map(({ heading, ranked }) => ({ heading, entries: ranked.map(({ entry }) => entry) }));
}

function rankOf({ name, find = '', least = 0, weight = 1 }: MenuEntry, typed: string): number {
  return Math.max(least, defaultFilter(name, typed), defaultFilter(find, typed)) * weight;
}
