import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext, TimedContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { changeFields, findSetting, LAST_PURGE, RETENTION_SETTING } from './installation-settings.ts';
import { countDue } from './purge.ts';
import { MAX_DUE_COUNT } from './purged-rows.ts';
import { type Purged, type RetentionView, retentionInputSchema, retentionSchema } from './schema.ts';

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

/**
 * Sets the retention setting and returns its new state. Expired data is removed within a day. `isPartial`: omitted fields are kept.
 */
export async function updateRetention(
  context: AppContext,
  actor: Actor,
  input: unknown,
  { isPartial = false } = {},
): Promise<Result<RetentionView>> {
  const parsed = parseInput(isPartial ? retentionInputSchema.partial() : retentionInputSchema, input);
  if (!parsed.ok) return parsed;
  await changeFields(context, actor, { setting: RETENTION_SETTING, fields: parsed.value }, (after, before) => ({
    subject: { kind: 'setting', id: 'retention', name: 'Retention' },
    change: Object.fromEntries(
      Object.entries(after).flatMap(([name, days]) => {
        const was = Object.entries(before).find(([other]) => other === name)?.[1] ?? null;
        return was === days ? [] : [[name, `${was ?? 'forever'} → ${days ?? 'forever'}`]];
      }),
    ),
  }));
  return succeed(await getRetention(context));
}
