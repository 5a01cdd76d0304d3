import type { Actor } from '#lib/auth/actor.ts';
import { roleAllows } from '#lib/auth/role.ts';
import type { AppContext, TimedContext } from '#lib/context/app-context.ts';
import { listProviderUse, type ProviderUse } from '#lib/models/queries.ts';
import { findTarget, listStoredTargets, type StoredTarget } from '#lib/models/stored-provider.ts';
import type { TargetChoice, TargetView } from './schema.ts';

/** Time without a request after which a process counts as gone, in milliseconds. */
const WORKER_GONE_MS = 60_000;

/** Returns all targets by name. */
export async function listTargets(context: AppContext): Promise<TargetView[]> {
  const [targets, uses] = await Promise.all([listStoredTargets(context.database), listProviderUse(context.database)]);
  return Promise.all(targets.map((target) => viewOf(context, target, uses[target.name])));
}

export async function findTargetView(context: AppContext, name: string): Promise<TargetView | null> {
  const target = await findTarget(context.database, name);
  return target === null ? null : viewOf(context, target, (await listProviderUse(context.database))[name]);
}

/** Returns all targets by name, with the texts of their components. An app that Hone calls counts as connected. */
export async function listTargetChoices({ database, now }: TimedContext): Promise<TargetChoice[]> {
  const [targets, workers] = await Promise.all([
    listStoredTargets(database),
    database.prisma.targetWorker.groupBy({ by: 'target', where: { seenAt: { gt: deadSince(now) } } }),
  ]);
  const connected = new Set(workers.map(({ target }) => target));
  return targets.map(({ name, baseUrl, components }) => ({
    name,
    isConnected: baseUrl !== null || connected.has(name),
    components: Object.fromEntries(Object.entries(components).map(([key, { text }]) => [key, text])),
  }));
}

/** Returns true if a target is an app that connects to Hone, and no process of it has requested work recently. */
export async function isDisconnected({ database, now }: TimedContext, name: string) {
  const target = await findTarget(database, name);
  if (target === null || target.baseUrl !== null) return false;
  return (await database.prisma.targetWorker.count({ where: { target: name, seenAt: { gt: deadSince(now) } } })) === 0;
}

function deadSince(now: AppContext['now']): Date {
  return new Date(now().getTime() - WORKER_GONE_MS);
}

/** Returns a target as visible to a person. A URL may contain secrets, so only owners see all of it, and others its origin. */
export function shownTo({ role }: Pick<Actor, 'role'>, view: TargetView): TargetView {
  return roleAllows(role, 'owner') || view.url === null ? view : { ...view, url: new URL(view.url).origin };
}

async function viewOf(
  { database: { prisma }, now }: AppContext,
  { name, baseUrl, sealedKey, components, timeoutSeconds, maxConcurrency, createdAt, updatedAt }: StoredTarget,
  use: ProviderUse | undefined,
): Promise<TargetView> {
  const workers = await prisma.targetWorker.findMany({
    where: { target: name, seenAt: { gt: deadSince(now) } },
    orderBy: { seenAt: 'desc' },
    take: 100,
  });
  return {
    name,
    kind: baseUrl === null ? 'sdk' : 'http',
    url: baseUrl,
    hasSecret: sealedKey !== null,
    components,
    timeoutSeconds,
    maxConcurrency,
    workers: workers.map(({ worker, seenAt }) => ({ worker, seenAt: seenAt.toISOString() })),
    experiments: (use?.named ?? []).filter(({ kind }) => kind === 'experiment').map(({ id, name }) => ({ id, name })),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
