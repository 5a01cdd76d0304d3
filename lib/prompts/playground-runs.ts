import { type Actor, personOf } from '#lib/auth/actor.ts';
import type { DatabaseContext } from '#lib/context/app-context.ts';
import { packOptions } from '#lib/core/prompt-options.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { type PlaygroundRun, playgroundRunSchema } from './playground-schema.ts';

/** Number of runs kept per prompt and person. */
export const KEPT_RUNS = 10;

/** Returns a person's playground runs of a prompt, or of unsaved prompts (null), newest first. */
export async function listPlaygroundRuns(
  { database }: DatabaseContext,
  actor: Pick<Actor, 'id' | 'memberId'>,
  promptName: string | null,
): Promise<PlaygroundRun[]> {
  const rows = await database.prisma.playgroundRun.findMany({
    where: { actorId: personOf(actor), promptName },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: KEPT_RUNS,
  });
  return rows.flatMap(({ id, createdAt, request, answers }) => {
    const run = playgroundRunSchema.safeParse({
      ...(typeof request === 'object' && request !== null ? request : {}),
      ...{ id, createdAt: createdAt.toISOString(), answers },
    });
    return run.success ? [run.data] : [];
  });
}

/** Saves a playground run and deletes the oldest ones beyond the limit. Does nothing if the prompt was deleted meanwhile. */
export async function savePlaygroundRun(
  { database }: DatabaseContext,
  actor: Actor,
  promptName: string | null,
  { id, createdAt, answers, ...request }: PlaygroundRun,
): Promise<void> {
  const actorId = personOf(actor);
  await inTransaction(database, async (transaction) => {
    if (promptName !== null && (await transaction.prompt.count({ where: { name: promptName } })) === 0) return;
    await transaction.playgroundRun.create({
      data: {
        ...{ id, actorId, promptName, createdAt },
        ...{ request: { ...cleanJson(request), ...packOptions(cleanJson(request)) }, answers: cleanJson(answers) },
      },
    });
    const old = await transaction.playgroundRun.findMany({
      where: { actorId, promptName },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: KEPT_RUNS,
      select: { id: true },
    });
    await transaction.playgroundRun.deleteMany({ where: { id: { in: old.map((run) => run.id) } } });
  });
}

/** Assigns a person's runs from before a prompt was saved to that prompt. */
export async function claimPlaygroundRuns(
  { database }: DatabaseContext,
  actor: Actor,
  promptName: string,
  runIds: readonly string[],
): Promise<void> {
  await database.prisma.playgroundRun.updateMany({
    where: { actorId: personOf(actor), promptName: null, id: { in: [...runIds] } },
    data: { promptName },
  });
}
