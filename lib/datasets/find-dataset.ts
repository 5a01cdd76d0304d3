import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { Database } from '#lib/database/database.ts';
import { criteriaColumn } from './criteria-column.ts';

export type DatasetRow = {
  id: string;
  name: string;
  caseCount: number;
  latestVersion: number;
  /** Of the cases of the latest version; what is in none of the three is not divided. */
  train: number;
  validation: number;
  heldOut: number;
  withReference: number;
  createdAt: string;
  updatedAt: string;
};
const metadataColumn = z.record(z.string(), z.unknown());

/**
 * A dataset with the cases of its latest version, or of `version`, as they were then: from number `from` (0 = the first) on, at most
 * `limit`. Null when there is no such dataset; a version it never had holds no cases.
 */
export async function findDataset(
  database: Database,
  id: string,
  limit = 200,
  from = 0,
  version: number | null = null,
): Promise<(DatasetRow & { cases: Case[] }) | null> {
  const row = await database.prisma.dataset.findUnique({
    where: { id },
    include: {
      cases: {
        where:
          version === null
            ? { ended: null }
            : { since: { lte: version }, OR: [{ ended: null }, { ended: { gt: version } }] },
        orderBy: { position: 'asc' },
        skip: from,
        take: limit,
      },
    },
  });
  if (row === null) return null;
  const cases = row.cases.map(({ input, reference, tags, metadata, criteria }) => ({
    input,
    reference,
    tags,
    metadata: metadataColumn.parse(metadata),
    criteria: criteriaColumn.parse(criteria),
  }));
  return { ...datasetRowOf(row), cases };
}

/** A dataset as lists show it, out of its columns. */
export function datasetRowOf({
  id,
  name,
  caseCount,
  latestVersion,
  train,
  validation,
  heldOut,
  withReference,
  createdAt,
  updatedAt,
}: Omit<DatasetRow, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date }): DatasetRow {
  return {
    id,
    name,
    caseCount,
    latestVersion,
    train,
    validation,
    heldOut,
    withReference,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
