import { expect, test } from 'vitest';
import type { EvaluationEvent } from '#lib/prompts/evaluation-schema.ts';
import { readLines } from './read-lines.ts';

const begin: EvaluationEvent = { type: 'begin', cells: 2, known: 1, calls: 1, skipped: [] };
const text: EvaluationEvent = { type: 'text', text: 0, model: 0, position: 3, piece: '“Größe”\n' };
const bytes = new TextEncoder().encode(`${JSON.stringify(begin)}\n\n${JSON.stringify(text)}\n`);

async function readInPieces(size: number): Promise<EvaluationEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const events: EvaluationEvent[] = [];
  for await (const event of readLines<EvaluationEvent>(body)) events.push(event);
  return events;
}

test.each([1, 7, 10_000])('reassembles events that arrive %i bytes at a time', async (size) => {
  expect(await readInPieces(size)).toEqual([begin, text]);
});

test('leaving the loop cancels the stream', async () => {
  let reason: unknown = null;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes),
    cancel: (why) => {
      reason = why ?? 'left';
    },
  });
  for await (const _event of readLines(body)) break;
  expect(reason).toBe('left');
});
