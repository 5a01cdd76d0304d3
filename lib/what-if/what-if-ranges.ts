import type { History } from '#lib/core/history.ts';
import { scoredVersions } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { scoreGain } from '#lib/core/stop-rules.ts';
import type { WhatIf } from './what-if.ts';
import type { WhatIfChanges } from './what-if-changes.ts';

/** A setting that can be varied along a scale. */
export type Scale = 'qualityThreshold' | 'patience' | 'improvementThreshold' | 'cap';
/** A range of a scale, including both ends, on which the run ends the same way. */
export type RailStretch = { from: number; to: number; outcome: WhatIf };

/** Maximum number of versions for which a rail is computed, because each value needs a complete replay. */
export const MAX_RAIL_VERSIONS = 12;

/**
 * Returns the outcomes of one setting over its whole scale, as ranges with the same outcome. Skips values between which nothing can change
 * (between two stored scores or two score increases).
 */
export function whatIfRail(
  scale: Scale,
  history: History,
  changed: ExperimentSettings,
  replay: (changes: WhatIfChanges) => WhatIf,
): RailStretch[] {
  const { values, highest, unit } = valuesOf(scale, history, changed);
  const stretches: RailStretch[] = [];
  values.forEach((from, index) => {
    const next = values[index + 1];
    const to = next === undefined ? highest : Math.round((next - unit) * 100) / 100;
    const outcome = replay({ [scale]: from });
    const before = stretches.at(-1);
    if (before !== undefined && isSame(before.outcome, outcome)) before.to = to;
    else stretches.push({ from, to, outcome });
  });
  return stretches;
}

function isSame(one: WhatIf, other: WhatIf): boolean {
  const reason = ({ end }: WhatIf) => (end.type === 'stops' ? end.reason : end.type);
  return one.last === other.last && one.returned === other.returned && reason(one) === reason(other);
}

/** Returns the values of a scale at which the outcome may change, in ascending order. */
function valuesOf(scale: Scale, history: History, settings: ExperimentSettings) {
  const scored = scoredVersions(history);
  switch (scale) {
    case 'patience':
      return { values: wholeNumbers(1, 10), highest: 10, unit: 1 };
    case 'cap': {
      const lowest = settings.mode === 'retry' ? 1 : 0;
      const highest = Math.min(50, history.versions.length + 1);
      return { values: wholeNumbers(lowest, Math.max(lowest, highest)), highest: Math.max(lowest, highest), unit: 1 };
    }
    case 'qualityThreshold':
      return hundredths(
        scored.flatMap(({ score, evaluation }) => [score, ...Object.values(evaluation.criteriaScores)]),
      );
    case 'improvementThreshold':
      return hundredths(
        scored.map((_, index) => scoreGain(scored.slice(0, index + 1), settings.convergence?.plateauIterations ?? 2)),
      );
  }
}

function wholeNumbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Returns the hundredths on both sides of each turning point, and both ends of the scale. */
function hundredths(turns: (number | null)[]) {
  const found = new Set([0, 100]);
  for (const turn of turns) {
    if (turn === null) continue;
    for (const hundredth of [Math.floor(turn * 100 + 1e-9), Math.floor(turn * 100 + 1e-9) + 1])
      if (hundredth >= 0 && hundredth <= 100) found.add(hundredth);
  }
  const values = [...found].sort((one, other) => one - other).map((hundredth) => hundredth / 100);
  return { values, highest: 1, unit: 0.01 };
}
