import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findLastPurge, findRetention, writeRetention } from './installation-settings.ts';
import { countDue } from './purge.ts';
import { MAX_DUE_COUNT, type Purged, type RetentionView, retentionInputSchema, retentionSchema } from './schema.ts';

/** Returns the retention setting, the rows due under it, and the last purge. */
export async function getRetention({ database, now }: Pick<AppContext, 'database' | 'now'>): Promise<RetentionView> {
  const [setting, lastPurge] = await Promise.all([findRetention(database), findLastPurge(database)]);
  const retention = setting?.value ?? retentionSchema.parse({});
  return {
    ...retention,
    updatedBy: setting?.updatedBy ?? null,
    updatedAt: setting?.updatedAt ?? null,
    due: await countDue(database, retention, now(), MAX_DUE_COUNT + 1),
    lastPurge,
  };
}

/** Returns the rows that a retention setting would remove. Changes nothing. */
export async function previewRetention(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  input: unknown,
): Promise<Result<Purged>> {
  const parsed = parseInput(retentionSchema, input);
  return parsed.ok ? succeed(await countDue(database, parsed.value, now())) : parsed;
}

/** Updates the retention setting and returns its new state. Expired data is removed within a day. */
export async function updateRetention(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<RetentionView>> {
  const parsed = parseInput(retentionInputSchema, input);
  if (!parsed.ok) return parsed;
  const { database } = context;
  const before = (await findRetention(database))?.value ?? retentionSchema.parse({});
  await database.prisma.$transaction(async (transaction) => {
    await writeRetention(transaction, { value: parsed.value, updatedBy: actor.name, now: context.now() });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'setting', id: 'retention', name: 'Retention' },
      change: Object.fromEntries(
        Object.entries(parsed.value).flatMap(([name, days]) => {
          const was = Object.entries(before).find(([other]) => other === name)?.[1] ?? null;
          return was === days ? [] : [[name, `${was ?? 'for ever'} → ${days ?? 'for ever'}`]];
        }),
      ),
    });
  });
  return succeed(await getRetention(context));
}
