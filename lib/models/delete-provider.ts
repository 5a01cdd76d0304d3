import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { formatList, formatNumberOf } from '#lib/format.ts';
import { ENVIRONMENT_KINDS } from '#lib/providers/provider-kinds.ts';
import { deleteKeyState, deleteRefusedParameters } from './provider-state.ts';
import { listProviderUse, type ProviderUse } from './queries.ts';
import { deleteSavedResponses } from './saved-responses.ts';
import { deleteStoredProvider, findProvider } from './stored-provider.ts';

/**
 * Deletes a stored provider and its key. Refuses if experiments or prompts use it, and names them, unless `evenInUse` is set. In that case
 * their next run fails because the provider is missing.
 */
export async function deleteProvider(
  context: AppContext,
  actor: Actor,
  name: string,
  { evenInUse }: { evenInUse: boolean },
): Promise<Result<{ deleted: { providers: number } }>> {
  const missing = fail('not_found', `There is no stored provider named ${JSON.stringify(name)}.`);
  if ((await findProvider(context.database, name)) === null) return missing;
  const use = evenInUse || isInEnvironment(context, name) ? undefined : (await listProviderUse(context.database))[name];
  if (use !== undefined)
    return fail(
      'conflict',
      `The provider ${JSON.stringify(name)} is used by ${usersIn(use)}. Choose other models there first, or delete it with evenInUse=true: their next runs then fail and say that it is missing.`,
      'name',
    );
  return context.database.prisma.$transaction(async (transaction) => {
    if (!(await deleteStoredProvider(transaction, name))) return missing;
    await deleteSavedResponses(transaction, name);
    await deleteRefusedParameters(transaction, name);
    await deleteKeyState(transaction, name);
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'provider', name },
      change: { evenInUse },
    });
    return succeed({ deleted: { providers: 1 } });
  });
}

/** Without its row the provider still works with the environment's key, so no users are affected. */
function isInEnvironment({ environmentKeys }: AppContext, name: string): boolean {
  return ENVIRONMENT_KINDS.some((kind) => kind === name && environmentKeys[kind] !== undefined);
}

/** Maximum number of users named in a refusal. */
const NAMED = 5;

function usersIn({ experiments, prompts, named }: ProviderUse): string {
  const counts = [
    ...(experiments > 0 ? [formatNumberOf(experiments, 'experiment')] : []),
    ...(prompts > 0 ? [formatNumberOf(prompts, 'prompt')] : []),
  ];
  const shown = named.slice(0, NAMED).map(({ name }) => JSON.stringify(name));
  const rest = experiments + prompts - shown.length;
  return `${counts.join(' and ')}: ${formatList(rest > 0 ? [...shown, `${rest} more`] : shown)}`;
}
