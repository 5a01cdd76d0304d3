import type { Result } from '#lib/reflection/problem.ts';
import { type Imported, type ImportTarget, importCases } from '#lib/runs/datasets/import-cases.ts';
import type { ImportOptions } from '#lib/runs/datasets/import-options.ts';
import { UPLOAD_LIMIT_BYTES } from '#lib/runs/exchange/read-case-rows.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { mediaType, receiveBody, unsupportedType } from '../read-body.ts';
import { UPLOAD_FORMATS } from './upload-format.ts';

/** Receives the cases of a request, then stores them or, in a dry run, says what would be stored. */
export async function takeUpload(
  request: Request,
  actor: Actor,
  target: ImportTarget,
  options: ImportOptions,
): Promise<Result<Imported>> {
  const type = mediaType(request);
  const format = UPLOAD_FORMATS.get(type);
  if (format === undefined) return unsupportedType(type, [...UPLOAD_FORMATS.keys()]);
  const workshop = await getWorkshop();
  return receiveBody(request, { actor, limitBytes: UPLOAD_LIMIT_BYTES }, (bytes) =>
    importCases(workshop, actor, target, { format, bytes }, options),
  );
}
