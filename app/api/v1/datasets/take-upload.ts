import type { Result } from '#lib/reflection/problem.ts';
import { type Imported, type ImportTarget, importCases } from '#lib/runs/datasets/import-cases.ts';
import type { ImportOptions } from '#lib/runs/datasets/import-options.ts';
import { UPLOAD_LIMIT_BYTES } from '#lib/runs/exchange/read-case-rows.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { mediaType, streamBody, unsupportedType } from '../read-body.ts';
import { UPLOAD_FORMATS } from './upload-format.ts';

/** Reads the cases of a request as they arrive, and stores them or, in a dry run, says what would be stored. */
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
  return streamBody(request, UPLOAD_LIMIT_BYTES, async (bytes) => {
    const pieces = bytes[Symbol.asyncIterator]();
    // What is refused in the middle is read to its end: who still sends would not see why.
    const kept = { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) };
    const imported = await importCases(workshop, actor, target, { format, bytes: kept }, options);
    let left = UPLOAD_LIMIT_BYTES;
    for (let piece = await pieces.next(); !piece.done && left > 0; piece = await pieces.next())
      left -= piece.value.byteLength;
    return imported;
  });
}
