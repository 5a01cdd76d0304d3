import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { getRetention } from './retention-settings.ts';
import { type RetentionView, retentionInputSchema, retentionSchema } from './schema.ts';
import { findRetention, writeRetention } from './stored-retention.ts';

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
