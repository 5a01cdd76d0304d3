import { readLines } from '#components/api/read-lines.ts';
import type { EvaluationEvent } from '#lib/prompts/evaluation-schema.ts';

/** The events of an evaluation as they come. */
export function readEvaluationStream(body: ReadableStream<Uint8Array>): AsyncGenerator<EvaluationEvent, void> {
  return readLines(body);
}
