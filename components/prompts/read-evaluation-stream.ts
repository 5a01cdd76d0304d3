import { readLines } from '#components/api/read-lines.ts';
import type { EvaluationEvent } from '#lib/prompts/evaluation-schema.ts';

/** Yields the events of an evaluation as they arrive. */
export function readEvaluationStream(body: ReadableStream<Uint8Array>): AsyncGenerator<EvaluationEvent, void> {
  return readLines(body);
}
