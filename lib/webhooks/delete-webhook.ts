import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { webhookUse } from './webhook-use.ts';
import { deleteStoredWebhook } from './write-webhook.ts';

/** How many experiments a refusal names. */
const NAMED = 5;

/**
 * Deletes a webhook and its secret. One that experiments name is kept and they are told, unless `evenInUse`: their next runs then
 * leave its criteria unscored and say why, and wait for people where it was to decide. What was sent to it is deleted too.
 */
export async function deleteWebhook(
  context: AppContext,
  actor: Actor,
  name: string,
  { evenInUse }: { evenInUse: boolean },
): Promise<Result<{ deleted: { webhooks: number } }>> {
  const usedBy = evenInUse ? [] : ((await webhookUse(context.database))[name] ?? []);
  if (usedBy.length > 0) {
    const shown = usedBy.slice(0, NAMED).map((experiment) => JSON.stringify(experiment.name));
    const more = usedBy.length > NAMED ? ` and ${usedBy.length - NAMED} more` : '';
    return fail(
      'conflict',
      `The webhook ${JSON.stringify(name)} is used by ${usedBy.length === 1 ? 'an experiment' : `${usedBy.length} experiments`}: ${shown.join(', ')}${more}. Take it out of their settings first, or delete it with evenInUse=true: their runs then leave its criteria unscored, and its decisions to people.`,
      'name',
    );
  }
  return inTransaction(context.database, async (client) => {
    const deleted = await deleteStoredWebhook(client, name);
    if (!deleted) return fail('not_found', `There is no webhook named ${JSON.stringify(name)}.`);
    await recordChange(client, actor, {
      act: 'deleted',
      subject: { kind: 'webhook', name },
      change: { evenInUse },
    });
    return succeed({ deleted: { webhooks: 1 } });
  });
}
