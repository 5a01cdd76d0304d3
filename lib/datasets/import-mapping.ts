import type { Database } from '#lib/database/database.ts';
import { type CaseMapping, caseMappingSchema } from './case-mapping.ts';

/** What each column of the last import into a dataset was read as; null where no import needed that, or there is no such dataset. */
export async function findImportMapping(
  { prisma }: Pick<Database, 'prisma'>,
  datasetId: string,
): Promise<CaseMapping | null> {
  const row = await prisma.dataset.findUnique({ where: { id: datasetId }, select: { importMapping: true } });
  const parsed = caseMappingSchema.safeParse(row?.importMapping);
  return parsed.success ? parsed.data : null;
}
