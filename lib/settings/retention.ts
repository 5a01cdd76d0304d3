import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext, TimedContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findSetting, LAST_PURGE, RETENTION_SETTING, writeSetting } from './installation-settings.ts';
import { countDue } from './purge.ts';
import { MAX_DUE_COUNT, type Purged, type RetentionView, retentionInputSchema, retentionSchema } from './schema.ts';

/** Returns the retention setting, the rows due under it, and the last purge. */
export async function getRetention({ database, now }: TimedContext): Promise<RetentionView> {
  const [setting, last] = await Promise.all([
    findSetting(database, RETENTION_SETTING),
    findSetting(database, LAST_PURGE),
  ]);
  const retention = setting?.value ?? retentionSchema.parse({});
  return {
    ...retention,
    updatedBy: setting?.updatedBy ?? null,
    updatedAt: setting?.updatedAt ?? null,
    due: await countDue(database, retention, now(), MAX_DUE_COUNT + 1),
    lastPurge: last && { at: last.updatedAt, ...last.value },
  };
}

/** Returns the rows that a retention setting would remove. Changes nothing. */
export async function previewRetention({ database, now }: TimedContext, input: unknown): Promise<Result<Purged>> {
  const parsed = parseInput(retentionSchema, input);
  return parsed.ok ? succeed(await countDue(database, parsed.value, now())) : parsed;
}

/** Sets all fields of the retention setting and returns its new state. Expired data is removed within a day. */
export async function updateRetention(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<RetentionView>> {
  const parsed = parseInput(retentionInputSchema, input);
  return parsed.ok ? changeRetention(context, actor, parsed.value) : parsed;
}

/** Changes only the fields in the input, so that the fields of a form that others change at the same time are kept. */
export async function changeRetention(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<RetentionView>> {
  const parsed = parseInput(retentionInputSchema.partial(), input);
  if (!parsed.ok) return parsed;
  await inTransaction(context.database, async (transaction) => {
    await lockUntilCommit(transaction, 'retention');
    const before = (await findSetting({ prisma: transaction }, RETENTION_SETTING))?.value ?? retentionSchema.parse({});
    const value = { ...before, ...parsed.value };
    await writeSetting(transaction, RETENTION_SETTING, { value, updatedBy: actor.name, updatedAt: context.now() });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'setting', id: 'retention', name: 'Retention' },
      change: Object.fromEntries(
        Object.entries(value).flatMap(([name, days]) => {
          const was = Object.entries(before).find(([other]) => other === name)?.[1] ?? null;
          return was === days ? [] : [[name, `${was ?? 'forever'} → ${days ?? 'forever'}`]];
        }),
      ),
    });
  });
  return succeed(await getRetention(context));
}
