import type { TunedVersion } from '#lib/statistics/tuning-summary.ts';

export type LineageRow = { version: TunedVersion; depth: number };

/** Prompts in the order of a family tree: each under the first of its parents, the earlier before the later. Depth counts from 0. */
export function lineageRows(versions: readonly TunedVersion[]): LineageRow[] {
  const numbers = new Set(versions.map(({ number }) => number));
  const parentOf = ({ number, parents }: TunedVersion) => {
    const [parent] = parents;
    return parent !== undefined && parent < number && numbers.has(parent) ? parent : null;
  };
  const below = (parent: number | null, depth: number): LineageRow[] =>
    versions
      .filter((version) => parentOf(version) === parent)
      .flatMap((version) => [{ version, depth }, ...below(version.number, depth + 1)]);
  return below(null, 0);
}
