import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { runsPython } from '#lib/core/criterion.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findSwitch, type InstallationSetting, writeSwitch } from './installation-settings.ts';

const inputSchema = z.strictObject({ on: z.boolean() });

/** Whether Python tests are turned on, and who said so when; null: nobody ever did, so they are off. */
export function getPythonSetting(context: AppContext): Promise<InstallationSetting<boolean> | null> {
  return findSwitch(context.database, 'python');
}

/** Turns Python tests on or off for the whole installation: `{on}`. Runs at work go by it from their next evaluation on. */
export async function updatePythonSetting(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<{ on: boolean }>> {
  const parsed = parseInput(inputSchema, input);
  if (!parsed.ok) return parsed;
  const { on } = parsed.value;
  await context.database.prisma.$transaction(async (transaction) => {
    await writeSwitch(transaction, { key: 'python', value: on, updatedBy: actor.name, now: context.now() });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'setting', id: 'python', name: 'Python tests' },
      change: { on },
    });
  });
  return succeed({ on });
}

/** Why a run of these settings over these cases cannot start: without Python one with Python tests could only end unscored. Null when it can. */
export async function refuseWithoutPython(
  context: AppContext,
  settings: ExperimentSettings,
  cases: readonly Pick<Case, 'criteria'>[] = [],
): Promise<Result<never> | null> {
  const position = settings.criteria.findIndex(runsPython);
  const ofCase = cases.flatMap(({ criteria }) => criteria?.add.find(runsPython) ?? [])[0];
  if ((position === -1 && ofCase === undefined) || (await getPythonSetting(context))?.value === true) return null;
  const name = (settings.criteria[position] ?? ofCase)?.name;
  return fail(
    'invalid',
    `The criterion "${name}" runs Python tests, but Python is turned off. Ask an owner to turn it on under Settings, or remove the criterion.`,
    position === -1 ? null : `criteria.${position}.evaluator`,
  );
}
