import type { Actor } from '#lib/auth/actor.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { type Imported, type ImportTarget, importCases } from '#lib/datasets/import-cases.ts';
import type { ImportOptions } from '#lib/datasets/import-options.ts';
import { type CaseFormat, UPLOAD_LIMIT_BYTES } from '#lib/datasets/read-case-rows.ts';
import { mediaType, receiveBody, unsupportedType } from '#lib/http/read-body.ts';

/** Media types of case uploads. All are parsed as a stream. */
const FORMATS = new Map<string, CaseFormat>([
  ['application/json', 'json'],
  ['application/jsonl', 'jsonl'],
  ['application/x-ndjson', 'jsonl'],
  ['text/csv', 'csv'],
]);
/** Media types other than JSON. */
export const CASE_UPLOADS = [...FORMATS.keys()].slice(1);

/** Receives the cases of a request, then stores them. A dry run returns what would be stored. */
export async function receiveUpload(
  request: Request,
  actor: Actor,
  target: ImportTarget,
  options: ImportOptions,
): Promise<Result<Imported>> {
  const type = mediaType(request);
  const format = FORMATS.get(type);
  if (format === undefined) return unsupportedType(type, [...FORMATS.keys()]);
  const context = await getAppContext();
  return receiveBody(request, { actor, limitBytes: UPLOAD_LIMIT_BYTES }, (bytes) =>
    importCases(context, actor, target, { format, bytes }, options),
  );
}

/** Returns the API response for a completed import. Throws for a dry run. */
export function importedShape({ id, version, caseCount, report }: Imported) {
  if (id === null) throw new Error('a dry run stores nothing');
  return { id, version, caseCount, added: report.ready, leftOut: { wrong: report.wrong, same: report.same } };
}
