import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { hostOf } from '#lib/models/host-of.ts';
import { addressProblem } from '#lib/outgoing/outgoing-address.ts';
import { webhookInputSchema } from './webhook-input.ts';
import { type ChangedWebhook, makeSecret, sealSecret, webhookView } from './webhook-view.ts';
import { insertWebhook } from './write-webhook.ts';

/** Stores a new webhook. A secret that is made here is in the answer, once; a given one never is. */
export async function saveWebhook(context: AppContext, actor: Actor, input: unknown): Promise<Result<ChangedWebhook>> {
  const parsed = parseInput(webhookInputSchema, input);
  if (!parsed.ok) return parsed;
  const { name, url, secret } = parsed.value;
  const refused = await addressProblem(url, context.addresses);
  if (refused !== null) return fail('invalid', `url ${refused}.`, 'url');
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
        `There is a webhook named ${JSON.stringify(name)} already. Change that one, or take another name.`,
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
