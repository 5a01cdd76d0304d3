import type { Comparison, ComparisonArm, SettingsDifference } from '#lib/compare/schema.ts';
import { formatNumberOf } from '#lib/format.ts';

/** What an arm is called beside the others: its version among versions of one experiment, else the experiment's name with it. */
export function armTitle(arm: ComparisonArm, arms: readonly ComparisonArm[]): string {
  return isOneExperiment(arms) ? `v${arm.version}` : arm.experimentName;
}

export function isOneExperiment(arms: readonly ComparisonArm[]): boolean {
  return new Set(arms.map(({ experimentId }) => experimentId)).size === 1;
}

/** What a setting is called in a sentence: `lessons.topK` → `lessons: top k`. */
export function settingLabel(setting: string): string {
  return setting
    .split('.')
    .map((part) => part.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    .join(': ');
}

/** A setting that differs: `max attempts 4 → 5`, or that it is another where the values are long. */
export function differenceLabel({ setting, before, after }: SettingsDifference): string {
  const name = settingLabel(setting);
  return before === null || after === null ? `other ${name}` : `${name} ${before} → ${after}`;
}

/** What a run of an arm may do at most: `retry, 4 attempts`. */
export function loopOfArm(arm: ComparisonArm, effort: Comparison['effort']['arms'][number] | undefined): string {
  const most = effort?.mostVersions ?? 1;
  return `${arm.mode}, ${formatNumberOf(most, arm.mode === 'retry' ? 'attempt' : 'version')}`;
}

/** How many runs of each case there are: `one run a case`, `3 runs a case`. */
export function runsLabel(arms: readonly ComparisonArm[]): string {
  const perCase = arms.flatMap(({ runs, cases }) => (cases === 0 ? [] : [runs / cases]));
  if (perCase.every((runs) => runs === 1)) return 'one run a case';
  const [lowest, highest] = [Math.min(...perCase), Math.max(...perCase)].map((runs) => Number(runs.toFixed(1)));
  return lowest === highest ? `${lowest} runs a case` : `${lowest} to ${highest} runs a case`;
}
