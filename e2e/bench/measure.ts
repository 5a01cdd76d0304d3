/** One measured value with the baseline it is compared to. */
export type Measure = {
  part: string;
  name: string;
  unit: 'ms' | 'commits' | 'rows' | 'KB' | 'MB';
  /** The median over the repeats, or the percentile in `name`. */
  value: number;
  /** The minimum for the same work, measured in the same run, or null. */
  floor: number | null;
  /** The median of the ratios of each repeat; null without a floor. */
  ratio: number | null;
  /** The target: maximum of the value or of the ratio. null if the measure is informational. */
  wanted: { of: 'value' | 'ratio'; atMost: number } | null;
  /** Results of the repeats: values, or ratios if the target is a ratio. */
  samples: number[];
};

/** Returns true if a measure meets its target, null if it has none. */
export function isMet({ value, ratio, wanted }: Measure): boolean | null {
  if (wanted === null) return null;
  const figure = wanted.of === 'value' ? value : ratio;
  return figure !== null && figure <= wanted.atMost;
}

/** Returns the value below which a share (0 to 1) of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}
