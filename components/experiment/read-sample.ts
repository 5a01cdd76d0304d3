import { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** Output and case to test criteria with, shared by all criteria of the form. */
export type TrySample = { output: string; input: string; reference: string; metadata: string; earlier: string };
export const NO_SAMPLE: TrySample = { output: '', input: '', reference: '', metadata: '', earlier: '' };

const metadataSchema = z.record(z.string(), z.unknown());

/** Converts a sample to the request. Empty entries are omitted. Fails if the metadata is not a JSON object. */
export function readSample({
  output,
  input,
  reference,
  metadata,
  earlier,
}: TrySample): Result<Record<string, unknown>> {
  const read = readMetadata(metadata);
  if (!read.ok) return read;
  return succeed({
    output,
    earlier: earlier === '' ? null : earlier,
    case: { input, reference: reference === '' ? null : reference, metadata: read.value },
  });
}

function readMetadata(text: string): Result<Record<string, unknown>> {
  if (text.trim() === '') return succeed({});
  try {
    const parsed = metadataSchema.safeParse(JSON.parse(text));
    if (parsed.success) return succeed(parsed.data);
  } catch {
    // Reported below, like any value that is not an object.
  }
  return fail('invalid', 'The metadata must be one JSON object, such as { "tone": "dry" }.', 'case.metadata');
}
