import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { type Transaction, tryInTransaction } from '#lib/database/transactions.ts';
import { formatNames, formatNumberOf } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { hasValues, hostOf } from '#lib/models/stored-provider.ts';
import { refuseUrl } from '#lib/outgoing/outgoing-address.ts';
import {
  type ChangedWebhook,
  findWebhook,
  makeSecret,
  type StoredWebhook,
  sealSecret,
  webhookNotFound,
  webhookUse,
  webhookView,
} from './queries.ts';

const url = z
  .string({ error: 'must be an address such as https://example.com/hook' })
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(2_000, { error: 'must be at most 2,000 characters' });
const secret = z
  .string({ error: 'must be a text of 16 to 200 characters' })
  .min(16, { error: 'must be 16 to 200 characters long, so that nobody guesses it' })
  .max(200, { error: 'must be 16 to 200 characters long' });

/** Input for a new webhook. Without a secret, one is generated. */
export const webhookInputSchema = z.strictObject({
  name: nameSchema.regex(/^[a-z0-9][a-z0-9._-]*$/i, {
    error: 'must be made of letters, digits, dots, dashes and underscores',
  }),
  url,
  secret: secret.nullable().default(null),
});

/** Input for changing a webhook. Omitted fields do not change. `newSecret` generates a secret and invalidates the old one. */
export const webhookPatchSchema = z
  .strictObject({ url: url.optional(), secret: secret.optional(), newSecret: z.boolean().optional() })
  .refine((patch) => patch.secret === undefined || patch.newSecret !== true, {
    path: ['newSecret'],
    error: 'must be left out if a secret is given',
  });

/** Stores a new webhook. Returns false if the name is taken. */
async function insertWebhook(transaction: Transaction, webhook: StoredWebhook): Promise<boolean> {
  const { count } = await transaction.webhook.createMany({ data: [webhook], skipDuplicates: true });
  return count === 1;
}

/** Updates a webhook and returns it. Null if it does not exist. */
async function changeWebhook(
  transaction: Transaction,
  name: string,
  change: Partial<Pick<StoredWebhook, 'url' | 'sealedSecret'>>,
  now: Date,
): Promise<StoredWebhook | null> {
  const data = { ...change, updatedAt: now };
  const [row] = await transaction.webhook.updateManyAndReturn({ where: { name }, data });
  return row ?? null;
}

/** Deletes a webhook and its deliveries. Returns false if it does not exist. */
async function deleteStoredWebhook(transaction: Transaction, name: string): Promise<boolean> {
  await transaction.webhookDelivery.deleteMany({ where: { webhook: name } });
  return (await transaction.webhook.deleteMany({ where: { name } })).count === 1;
}

/** Stores a new webhook. The response contains a generated secret once, but never a given one. */
export async function saveWebhook(context: AppContext, actor: Actor, input: unknown): Promise<Result<ChangedWebhook>> {
  const parsed = parseInput(webhookInputSchema, input);
  if (!parsed.ok) return parsed;
  const { name, url, secret } = parsed.value;
  const refused = await refuseUrl(url, context.addresses);
  if (refused !== null) return refused;
  const made = secret === null ? makeSecret() : null;
  const now = context.now();
  const webhook = {
    name,
    url,
    sealedSecret: sealSecret(context, name, made ?? secret ?? ''),
    createdAt: now,
    updatedAt: now,
  };
  return context.database.prisma.$transaction(async (transaction): Promise<Result<ChangedWebhook>> => {
    if (!(await insertWebhook(transaction, webhook)))
      return fail(
        'conflict',
        `There is a webhook named ${JSON.stringify(name)} already. Change that one, or choose another name.`,
        'name',
      );
    await recordChange(transaction, actor, {
      act: 'created',
      subject: { kind: 'webhook', name },
      change: { address: hostOf(url) },
    });
    return succeed({ ...webhookView(webhook, []), secret: made });
  });
}

/**
 * Changes the URL of a webhook, its secret, or both. The secret itself is never sent, so it is kept when the URL changes. An update without
 * changes writes nothing.
 */
export async function updateWebhook(
  context: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<ChangedWebhook>> {
  const parsed = parseInput(webhookPatchSchema, input);
  if (!parsed.ok) return parsed;
  const { url, newSecret } = parsed.value;
  const refused = await refuseUrl(url, context.addresses);
  if (refused !== null) return refused;
  const made = newSecret === true ? makeSecret() : null;
  const secret = made ?? parsed.value.secret;
  const change = {
    ...(url === undefined ? {} : { url }),
    ...(secret === undefined ? {} : { sealedSecret: sealSecret(context, name, secret) }),
  };
  const { database } = context;
  const stored = await findWebhook(database, name);
  const changed =
    stored === null || hasValues(stored, change)
      ? stored
      : await database.prisma.$transaction(async (transaction) => {
          const after = await changeWebhook(transaction, name, change, context.now());
          if (after !== null)
            await recordChange(transaction, actor, {
              act: 'changed',
              subject: { kind: 'webhook', name },
              change: { address: hostOf(after.url), newSecret: secret !== undefined },
            });
          return after;
        });
  if (changed === null) return webhookNotFound(name);
  return succeed({ ...webhookView(changed, (await webhookUse(database))[name] ?? []), secret: made });
}

/**
 * Deletes a webhook, its secret and its deliveries. Fails with the names of experiments that use it, unless `evenInUse` is set. Their next
 * runs then leave its criteria unscored with a reason, and wait for people if the webhook was to decide.
 */
export async function deleteWebhook(
  context: AppContext,
  actor: Actor,
  name: string,
  { evenInUse }: { evenInUse: boolean },
): Promise<Result<{ deleted: { webhooks: number } }>> {
  const usedBy = evenInUse ? [] : ((await webhookUse(context.database))[name] ?? []);
  if (usedBy.length > 0) {
    return fail(
      'conflict',
      `The webhook ${JSON.stringify(name)} is used by ${formatNumberOf(usedBy.length, 'experiment')}: ${formatNames(usedBy.map((experiment) => experiment.name))}. Remove it from their settings first, or delete it with evenInUse=true: their runs then leave its criteria unscored, and its decisions to people.`,
      'name',
    );
  }
  return tryInTransaction(context.database, async (transaction): Promise<Result<{ deleted: { webhooks: number } }>> => {
    if (!(await deleteStoredWebhook(transaction, name))) return webhookNotFound(name);
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'webhook', name },
      change: { evenInUse },
    });
    return succeed({ deleted: { webhooks: 1 } });
  });
}
