import type { TunedVersion } from '#lib/statistics/tuning-summary.ts';

/** A candidate in the drawn tree. The line to its first parent runs in its own lane, or in the lane to its left if `turns` is set. */
export type LineageRow = {
  version: TunedVersion;
  /** Generations since the original prompt, starting at 0. */
  depth: number;
  lane: number;
  turns: boolean;
  /** Row indexes of the candidate and its first parent. Null for a prompt without a parent. */
  row: number;
  parentRow: number | null;
  /** Row indexes of its other parents, if prompts were merged. */
  otherParentRows: number[];
  firstChild: number | null;
  isOnWay: boolean;
};

/**
 * Returns the candidates as a tree, each below its first parent. The child that leads to the `best` prompt, or else has the most
 * descendants, stays in its parent's lane and comes last. Other children open a lane to the right, so that deep trees need few lanes.
 */
export function lineageRows(versions: readonly TunedVersion[], best: number | null): LineageRow[] {
  const byNumber = new Map(versions.map((version) => [version.number, version]));
  const parentOf = ({ number, parents }: TunedVersion) => {
    const [parent] = parents;
    return parent !== undefined && parent < number && byNumber.has(parent) ? parent : null;
  };
  const childrenOf = Map.groupBy(versions, parentOf);
  const sizes = subtreeSizes(versions, parentOf);
  const way = new Set<number>();
  for (let number = best; number !== null; ) {
    const version = byNumber.get(number);
    if (version !== undefined) way.add(number);
    number = version === undefined ? null : parentOf(version);
  }
  const weight = ({ number }: TunedVersion) => (way.has(number) ? versions.length : 0) + (sizes.get(number) ?? 0);
  const rows: LineageRow[] = [];
  const rowOf = new Map<number, number>();
  // Iterative, because the tree can be as deep as the run is long.
  const open = (childrenOf.get(null) ?? [])
    .toReversed()
    .map((version) => ({ version, depth: 0, lane: 0, turns: false }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { version, depth, lane } = next;
    const children = childrenOf.get(version.number) ?? [];
    const main = children.reduce<TunedVersion | undefined>(
      (most, child) => (most !== undefined && weight(most) >= weight(child) ? most : child),
      undefined,
    );
    const sides = children.filter((child) => child !== main);
    const parent = parentOf(version);
    rowOf.set(version.number, rows.length);
    rows.push({
      ...next,
      row: rows.length,
      parentRow: parent === null ? null : (rowOf.get(parent) ?? null),
      otherParentRows: [],
      firstChild: children[0]?.number ?? null,
      isOnWay: way.has(version.number),
    });
    if (main !== undefined) open.push({ version: main, depth: depth + 1, lane, turns: false });
    for (const child of sides.toReversed())
      open.push({ version: child, depth: depth + 1, lane: lane + 1, turns: true });
  }
  return rows.map((row) => ({
    ...row,
    otherParentRows: row.version.parents.slice(1).flatMap((other) => rowOf.get(other) ?? []),
  }));
}

/** Returns the number of candidates in the subtree of each, including itself, by candidate number. */
function subtreeSizes(
  versions: readonly TunedVersion[],
  parentOf: (version: TunedVersion) => number | null,
): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const version of versions.toReversed()) {
    const parent = parentOf(version);
    const size = (sizes.get(version.number) ?? 0) + 1;
    sizes.set(version.number, size);
    if (parent !== null) sizes.set(parent, (sizes.get(parent) ?? 0) + size);
  }
  return sizes;
}

/** A line from a merged candidate to another of its parents, in a separate column to the right of all lanes. Columns start at 0. */
type MergeLine = { from: LineageRow; to: LineageRow; column: number };

/** Returns the merge lines in the fewest columns without overlap. */
function computeMergeLines(rows: readonly LineageRow[]): MergeLine[] {
  const ends: number[] = [];
  return rows
    .flatMap((to) => to.otherParentRows.flatMap((row) => rows[row] ?? []).map((from) => ({ from, to })))
    .toSorted((one, other) => Math.min(one.from.row, one.to.row) - Math.min(other.from.row, other.to.row))
    .map(({ from, to }) => {
      const begins = Math.min(from.row, to.row);
      const free = ends.findIndex((end) => end < begins);
      const column = free === -1 ? ends.length : free;
      ends[column] = Math.max(from.row, to.row);
      return { from, to, column };
    });
}

/** The lines drawn next to one row, from its top to its bottom. */
export type RowLines = {
  /** Lanes of earlier candidates whose lines continue below this row. */
  passing: { lane: number; isOnWay: boolean }[];
  /** Set if the row's own lane continues to its main child. */
  below: { isOnWay: boolean } | null;
  merges: { column: number; part: 'passing' | 'begins' | 'ends'; isSecondParent: boolean }[];
};

/** Returns the lines drawn next to each row. */
export function linesOfRows(rows: readonly LineageRow[]): RowLines[] {
  const lines = rows.map((): RowLines => ({ passing: [], below: null, merges: [] }));
  for (const { row, parentRow, lane, turns, isOnWay } of rows) {
    if (parentRow === null || turns) continue;
    const parent = lines[parentRow];
    if (parent !== undefined) parent.below = { isOnWay };
    for (const between of lines.slice(parentRow + 1, row)) between.passing.push({ lane, isOnWay });
  }
  for (const { from, to, column } of computeMergeLines(rows)) {
    const [first, last] = from.row < to.row ? [from, to] : [to, from];
    lines[first.row]?.merges.push({ column, part: 'begins', isSecondParent: first === from });
    lines[last.row]?.merges.push({ column, part: 'ends', isSecondParent: last === from });
    for (const between of lines.slice(first.row + 1, last.row))
      between.merges.push({ column, part: 'passing', isSecondParent: false });
  }
  return lines;
}
