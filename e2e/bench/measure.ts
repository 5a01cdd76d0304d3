/** One measured figure with the floor it is held against. */
export type Measure = {
  part: string;
  name: string;
  unit: 'ms' | 'commits' | 'rows' | 'KB' | 'MB';
  /** The median over the repeats, or the percentile that `name` says. */
  value: number;
  /** What the same work takes at the least, measured in the same run; null where there is none. */
  floor: number | null;
  /** The median of the ratios of each repeat; null without a floor. */
  ratio: number | null;
  /** The most it should be, and of which figure; null where it is only told. */
  wanted: { of: 'value' | 'ratio'; atMost: number } | null;
  /** What each repeat gave: values, or ratios where the wish is about the ratio. */
  samples: number[];
};

/** Whether a measure holds its wish; null where there is none. */
export function isMet({ value, ratio, wanted }: Measure): boolean | null {
  if (wanted === null) return null;
  const figure = wanted.of === 'value' ? value : ratio;
  return figure !== null && figure <= wanted.atMost;
}

/** The value below which a share (0 to 1) of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}
