import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
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
