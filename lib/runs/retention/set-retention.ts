import { findRetention, writeRetention } from '#lib/db/retention-settings.ts';
import type { Result } from '#lib/reflection/problem.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { type RetentionView, retentionInputSchema, retentionSchema } from '#lib/reflection/retention.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';
import { viewRetention } from './view-retention.ts';

/** Sets how long things are kept; what is due goes within a day. Answers how it stands. */
export async function setRetention(workshop: Workshop, actor: Actor, input: unknown): Promise<Result<RetentionView>> {
  const parsed = parseInput(retentionInputSchema, input);
  if (!parsed.ok) return parsed;
  const { database } = workshop;
  const before = (await findRetention(database))?.value ?? retentionSchema.parse({});
  await database.prisma.$transaction(async (transaction) => {
    await writeRetention(transaction, { value: parsed.value, updatedBy: actor.name, now: workshop.now() });
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
  return succeed(await viewRetention(workshop));
}
