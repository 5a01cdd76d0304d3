import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type ArmName, writeArmName } from './arm-name.ts';
import { type FoundArm, findArm } from './find-arm.ts';

/** Arms with their versions filled in, the baseline first. */
export type ComparedArms = [FoundArm, ...FoundArm[]];

/** Finds the arms of a comparison, which may be named without versions, and puts the baseline before the others: the first where none is named. */
export async function findComparedArms(
  { database }: Pick<AppContext, 'database'>,
  names: readonly ArmName[],
  baseline: ArmName | null,
): Promise<Result<ComparedArms>> {
  const found = await Promise.all(names.map((name) => findArm(database, name)));
  const missing = names.find((_name, place) => found[place] === null);
  if (missing !== undefined)
    return fail('not_found', `There is no experiment ${writeArmName(missing)}; it may have been deleted.`, FIELD);
  const arms = found.filter((arm) => arm !== null);
  const tuning = arms.find(({ settings }) => settings.mode === 'tune');
  if (tuning !== undefined)
    return fail(
      'invalid',
      `“${tuning.experimentName}” tunes a prompt: its runs are over all cases at once, so they cannot be compared case by case. Its runs’ pages show what tuning gained.`,
      FIELD,
    );
  if (new Set(arms.map(nameOf)).size < arms.length)
    return fail(
      'invalid',
      'The same version of an experiment is named twice: an experiment without a version is its latest one.',
      FIELD,
    );
  const first = baseline === null ? arms[0] : arms.find((arm) => isNamed(arm, baseline));
  if (first === undefined)
    return fail('invalid', 'baseline must be one of the experiments that are compared.', 'baseline');
  return succeed([first, ...arms.filter((arm) => arm !== first)]);
}

const FIELD = 'experimentIds';

/** Whether a name, with or without a version, is that of an arm. */
export function isNamed(arm: Pick<FoundArm, 'experimentId' | 'version'>, name: ArmName): boolean {
  return name.experimentId === arm.experimentId && (name.version === null || name.version === arm.version);
}

/** `experimentId@version`. */
export function nameOf({ experimentId, version }: Pick<FoundArm, 'experimentId' | 'version'>): string {
  return writeArmName({ experimentId, version });
}
