import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { InstallationSetting } from './installation-settings.ts';
import { countDue } from './purge.ts';
import {
  MOST_DUE,
  type Purged,
  purgedSchema,
  type Retention,
  type RetentionView,
  retentionInputSchema,
  retentionSchema,
} from './schema.ts';

const SETTING = 'retention';
const LAST = 'last_purge';

const lastSchema = z.object({ by: z.string(), purged: purgedSchema });

/** How long things are kept, and who said so; never set: null, and all is kept. */
export async function findRetention({
  prisma,
}: Pick<Database, 'prisma'>): Promise<InstallationSetting<Retention> | null> {
  const row = await prisma.installationSetting.findUnique({ where: { key: SETTING } });
  if (row === null) return null;
  return {
    value: retentionSchema.parse(row.value),
    updatedBy: row.updatedBy,
    updatedAt: row.updatedAt.toISOString(),
  };
}

async function writeRetention(
  transaction: Prisma.TransactionClient,
  { value, updatedBy, now }: { value: Retention; updatedBy: string; now: Date },
): Promise<void> {
  const row = { value, updatedBy, updatedAt: now };
  await transaction.installationSetting.upsert({
    where: { key: SETTING },
    create: { key: SETTING, ...row },
    update: row,
  });
}

/** What was purged last, by whom and when. */
export async function findLastPurge({ prisma }: Pick<Database, 'prisma'>): Promise<RetentionView['lastPurge']> {
  const row = await prisma.installationSetting.findUnique({ where: { key: LAST } });
  return row === null ? null : { at: row.updatedAt.toISOString(), ...lastSchema.parse(row.value) };
}

export async function writeLastPurge(
  { prisma }: Pick<Database, 'prisma'>,
  { by, purged, now }: z.infer<typeof lastSchema> & { now: Date },
): Promise<void> {
  const row = { value: { by, purged }, updatedBy: by, updatedAt: now };
  await prisma.installationSetting.upsert({ where: { key: LAST }, create: { key: LAST, ...row }, update: row });
}

/** How long things are kept, what is due by that, and what was removed last. */
export async function getRetention({ database, now }: Pick<AppContext, 'database' | 'now'>): Promise<RetentionView> {
  const [setting, lastPurge] = await Promise.all([findRetention(database), findLastPurge(database)]);
  const retention = setting?.value ?? retentionSchema.parse({});
  return {
    ...retention,
    updatedBy: setting?.updatedBy ?? null,
    updatedAt: setting?.updatedAt ?? null,
    due: await countDue(database, retention, now(), MOST_DUE + 1),
    lastPurge,
  };
}

/** What would be removed if things were kept for so long: nothing is changed. */
export async function previewRetention(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  input: unknown,
): Promise<Result<Purged>> {
  const parsed = parseInput(retentionSchema, input);
  return parsed.ok ? succeed(await countDue(database, parsed.value, now())) : parsed;
}

/** Sets how long things are kept; what is due goes within a day. Answers how it stands. */
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
