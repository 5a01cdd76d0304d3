import type { Imported } from '#lib/runs/datasets/import-cases.ts';

/** What an import stored, as the API answers it. */
export function importedShape({ id, version, caseCount, report }: Imported) {
  return { id, version, caseCount, added: report.ready, leftOut: { wrong: report.wrong, same: report.same } };
}
