import { z } from 'zod';
import type { Case } from '#lib/reflection/case.ts';
import type { Database } from './database.ts';

export type DatasetRow = { id: string; name: string; caseCount: number; createdAt: string };
const metadataColumn = z.record(z.string(), z.unknown());

/** A dataset with its cases from number `from` (0 = the first), at most `limit`; null when there is none. */
export async function findDataset(
  database: Database,
  id: string,
  limit = 200,
  from = 0,
): Promise<(DatasetRow & { cases: Case[] }) | null> {
  const row = await database.prisma.dataset.findUnique({
    where: { id },
    include: { cases: { where: { position: { gte: from } }, orderBy: { position: 'asc' }, take: limit } },
  });
  if (row === null) return null;
  const cases = row.cases.map(({ input, reference, tags, metadata }) => ({
    input,
    reference,
    tags,
    metadata: metadataColumn.parse(metadata),
  }));
  return { id, name: row.name, caseCount: row.caseCount, createdAt: row.createdAt.toISOString(), cases };
}
