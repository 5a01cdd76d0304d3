import { type Actor, personOf } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { packOptions } from '#lib/core/prompt-options.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { type PlaygroundRun, playgroundRunSchema } from './playground-schema.ts';

/** Runs that are kept of each prompt and person. */
export const KEPT_RUNS = 10;

/** The runs of the playground that a person made with a prompt, or with ones that were not saved (null), newest first. */
export async function listPlaygroundRuns(
  { database }: Pick<AppContext, 'database'>,
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

/** Keeps a run of the playground, and drops the oldest beyond the few that are kept. A prompt that was deleted meanwhile keeps nothing. */
export async function keepPlaygroundRun(
  { database }: Pick<AppContext, 'database'>,
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

/** Moves runs that a person made before a prompt was saved to that prompt. */
export async function claimPlaygroundRuns(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  promptName: string,
  runIds: readonly string[],
): Promise<void> {
  await database.prisma.playgroundRun.updateMany({
    where: { actorId: personOf(actor), promptName: null, id: { in: [...runIds] } },
    data: { promptName },
  });
}
