import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { hostOf } from '#lib/models/host-of.ts';
import { addressProblem } from '#lib/outgoing/outgoing-address.ts';
import { webhookPatchSchema } from './webhook-input.ts';
import { webhookUse } from './webhook-use.ts';
import { type ChangedWebhook, makeSecret, sealSecret, webhookView } from './webhook-view.ts';
import { changeWebhook } from './write-webhook.ts';

/** Changes the address of a webhook, its secret, or both. The secret itself is never sent, so a new address keeps it. */
export async function updateWebhook(
  context: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<ChangedWebhook>> {
  const parsed = parseInput(webhookPatchSchema, input);
  if (!parsed.ok) return parsed;
  const { url, newSecret } = parsed.value;
  const refused = url === undefined ? null : await addressProblem(url, context.addresses);
  if (refused !== null) return fail('invalid', `url ${refused}.`, 'url');
  const made = newSecret === true ? makeSecret() : null;
  const secret = made ?? parsed.value.secret;
  const change = {
    ...(url === undefined ? {} : { url }),
    ...(secret === undefined ? {} : { sealedSecret: sealSecret(context, name, secret) }),
  };
  const { database } = context;
  const changed = await database.prisma.$transaction(async (transaction) => {
    const stored = await changeWebhook(transaction, name, change, context.now());
    if (stored !== null)
      await recordChange(transaction, actor, {
        act: 'changed',
        subject: { kind: 'webhook', name },
        change: { address: hostOf(stored.url), newSecret: secret !== undefined },
      });
    return stored;
  });
  if (changed === null) return fail('not_found', `There is no webhook named ${JSON.stringify(name)}.`);
  return succeed({ ...webhookView(changed, (await webhookUse(database))[name] ?? []), secret: made });
}
