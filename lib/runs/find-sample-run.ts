import type { Database } from '#lib/database/database.ts';

/** The newest sample experiment with `name` in its name and its newest finished run, if it has one; null where there is no such experiment. */
export async function findSampleRun(
  { prisma }: Pick<Database, 'prisma'>,
  name: string,
): Promise<{ experimentId: string; runId: string | null } | null> {
  const newestRun = {
    where: { status: 'finished' },
    select: { id: true },
    orderBy: { number: 'desc' },
    take: 1,
  } as const;
  const experiment = await prisma.experiment.findFirst({
    where: { sample: true, name: { contains: name, mode: 'insensitive' } },
    select: { id: true, runs: newestRun },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return experiment === null ? null : { experimentId: experiment.id, runId: experiment.runs[0]?.id ?? null };
}
