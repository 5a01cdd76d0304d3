import { defaultFilter } from 'cmdk';

export type MenuEntry = {
  /** Unique key within the menu. */
  value: string;
  name: string;
  /** Additional search terms, if the name is not enough. */
  find?: string;
  /** Minimum rank. Such an entry is shown for any search text. */
  least?: number;
  /** Factor applied to the rank. */
  weight?: number;
};

export type MenuGroup<Entry extends MenuEntry> = { heading: string; entries: readonly Entry[] };

/**
 * Returns the matching groups and entries, best first. Equal ranks keep their order. Empty groups are omitted. Without search text, nothing
 * changes.
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
