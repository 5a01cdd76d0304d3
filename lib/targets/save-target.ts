import type { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { missingRole, roleAllows } from '#lib/auth/role.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, failAll, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { deleteSavedResponses } from '#lib/models/saved-responses.ts';
import { changedFields, findTarget, hasValues, hostOf, urlConflict } from '#lib/models/stored-provider.ts';
import { refuseUrl } from '#lib/outgoing/outgoing-address.ts';
import { PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { ENVIRONMENT_KINDS } from '#lib/providers/provider-kinds.ts';
import { sealKey } from '#lib/system/sealed-key.ts';
import { findTargetView } from './list-targets.ts';
import { type TargetView, targetNameSchema, targetSaveSchema } from './schema.ts';

/**
 * Adds or changes a target. Omitted fields do not change. Workers register at each start, so saving the same target again changes nothing.
 * Only an owner may set a URL. A changed URL deletes the secret, so that it is not sent to a host it was not meant for.
 */
export async function saveTarget(
  context: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<TargetView>> {
  const parsed = parseInput(targetSaveSchema, input);
  const refused = failAll([...nameProblems(name), ...(parsed.ok ? [] : [parsed.problem])]);
  if (refused !== null) return refused;
  if (!parsed.ok) return parsed;
  const stored = await findTarget(context.database, name);
  const problem = await refuse(context, actor, name, parsed.value, stored);
  if (problem !== null) return problem;
  const { kind, url, secret, seenUrl: _seenUrl, ...change } = parsed.value;
  const baseUrl = kind === 'sdk' ? null : url === undefined ? (stored?.baseUrl ?? null) : url;
  const isMoved = stored !== null && stored.baseUrl !== baseUrl;
  const now = context.now();
  // Only what the request changes is written, so that a secret that is saved at the same time is kept.
  const data = {
    ...change,
    ...((stored === null || isMoved) && { baseUrl }),
    ...((stored === null || isMoved || secret !== undefined) && {
      sealedKey: kind === 'sdk' || !secret ? null : sealKey(context.secret, name, secret),
    }),
  };
  if (stored !== null && hasValues(stored, data)) return viewOf(context, name);
  const saved = await context.database.prisma.$transaction(async (transaction) => {
    const isNew = stored === null && (await insertTarget(transaction, name, data, now));
    if (!isNew && !(await changeTarget(transaction, name, stored, { ...data, updatedAt: now }))) return false;
    if (isMoved) await deleteSavedResponses(transaction, name);
    await recordChange(transaction, actor, {
      act: isNew ? 'created' : 'changed',
      subject: { kind: 'target', name },
      change: { kind, address: hostOf(baseUrl), fields: changedFields(parsed.value) },
    });
    return true;
  });
  if (saved) return viewOf(context, name);
  const other = stored === null ? null : await findTarget(context.database, name);
  if (other !== null) return urlConflict(other.baseUrl);
  return fail('conflict', `There is a provider named ${JSON.stringify(name)} already. Choose another name.`, 'name');
}

function nameProblems(name: string): Problem[] {
  if (name === PRACTICE_PROVIDER.name || ENVIRONMENT_KINDS.some((kind) => kind === name))
    return [fail('invalid', `name must not be ${JSON.stringify(name)}: that is a provider.`, 'name').problem];
  const named = parseInput(targetNameSchema, name, ['name']);
  return named.ok ? [] : [named.problem];
}

type Data = Partial<
  { baseUrl: string | null; sealedKey: string | null } & Pick<
    TargetView,
    'components' | 'timeoutSeconds' | 'maxConcurrency'
  >
>;

async function insertTarget(
  transaction: Prisma.TransactionClient,
  name: string,
  data: Data,
  now: Date,
): Promise<boolean> {
  const row = { name, kind: 'target', components: {}, ...data, createdAt: now, updatedAt: now };
  const { count } = await transaction.provider.createMany({ data: [row], skipDuplicates: true });
  return count === 1;
}

/** Updates a target. Returns false if it does not exist, or its URL is no longer the one of `stored`. */
async function changeTarget(
  transaction: Prisma.TransactionClient,
  name: string,
  stored: StoredTarget,
  data: Data & { updatedAt: Date },
): Promise<boolean> {
  const where = { name, kind: 'target', ...(stored !== null && { baseUrl: stored.baseUrl }) };
  return (await transaction.provider.updateMany({ where, data })).count > 0;
}

type StoredTarget = Awaited<ReturnType<typeof findTarget>>;

async function refuse(
  { addresses }: AppContext,
  actor: Actor,
  name: string,
  { kind, url, secret, seenUrl }: z.output<typeof targetSaveSchema>,
  stored: StoredTarget,
) {
  if (stored !== null && (stored.baseUrl === null) !== (kind === 'sdk'))
    return fail(
      'conflict',
      `The target ${JSON.stringify(name)} ${stored.baseUrl === null ? 'connects to Hone' : 'is called at a URL'}. Choose another name, or delete it first.`,
      'kind',
    );
  // Saving would add a target again that someone else has deleted.
  if (seenUrl !== undefined && stored === null) return targetNotFound(name);
  if (kind === 'sdk') {
    const given = Object.entries({ url, secret, seenUrl }).flatMap(([field, value]) => (value ? [field] : []));
    return failAll(
      given.map((field) => fail('invalid', `${field} must be left out: the app connects to Hone.`, field).problem),
    );
  }
  if (!roleAllows(actor.role, 'owner')) return fail('forbidden', missingRole('owner', actor.role));
  if (url === null || (url === undefined && !stored?.baseUrl))
    return fail('invalid', 'url is needed: Hone calls the app there.', 'url');
  const refused = await refuseUrl(url, addresses);
  return (
    refused ??
    (stored !== null && seenUrl !== undefined && seenUrl !== stored.baseUrl ? urlConflict(stored.baseUrl) : null)
  );
}

async function viewOf(context: AppContext, name: string): Promise<Result<TargetView>> {
  const view = await findTargetView(context, name);
  return view === null ? targetNotFound(name) : succeed(view);
}

function targetNotFound(name: string): Result<never> {
  return fail('not_found', `There is no target named ${JSON.stringify(name)}.`);
}

/** Deletes a target. Fails with the name of an experiment that uses it, unless `evenInUse` is set. */
export async function deleteTarget(
  context: AppContext,
  actor: Actor,
  name: string,
  { evenInUse }: { evenInUse: boolean },
): Promise<Result<{ deleted: { targets: number } }>> {
  const view = await findTargetView(context, name);
  const missing = targetNotFound(name);
  if (view === null) return missing;
  const [first] = view.experiments;
  if (first !== undefined && !evenInUse)
    return fail(
      'conflict',
      `The target ${JSON.stringify(name)} is used by the experiment ${JSON.stringify(first.name)}${view.experiments.length > 1 ? ' and others' : ''}. Delete it with evenInUse=true: their next runs then fail and say that it is missing.`,
      'name',
    );
  return context.database.prisma.$transaction(async (transaction) => {
    const { count } = await transaction.provider.deleteMany({ where: { name, kind: 'target' } });
    if (count === 0) return missing;
    await deleteSavedResponses(transaction, name);
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'target', name },
      change: { evenInUse },
    });
    return succeed({ deleted: { targets: 1 } });
  });
}
