import { expect, test } from 'vitest';
import { historyOf, settingsOf } from '#lib/core/history-of.test-support.ts';
import type { ObservationRecord } from '#lib/core/run-record.ts';
import { toRunRecord } from '#lib/core/to-run-record.ts';
import { SHORT_TEXT, withShortTexts } from './schema.ts';

const AT = '2026-01-05T10:00:00.000Z';
const settings = settingsOf({ mode: 'retry' });

function observed(text: string): ObservationRecord | undefined {
  const observation = { version: 0, callId: '0.0', tool: 'http_get', status: 'ok' as const, text, durationMs: 1 };
  const history = { ...historyOf(settings, [0.4]), observations: [{ ...observation, createdAt: AT, step: 0 }] };
  const facts = {
    ...{ id: 'run', number: 1, experimentId: 'e', experimentVersion: 1, batchId: 'b', branchedFrom: null },
    ...{ case: { input: '', reference: null, tags: [], metadata: {} }, status: 'running' as const, ending: null },
    ...{ createdAt: AT, startedAt: AT, finishedAt: null, lastEvent: 0 },
  };
  return withShortTexts(toRunRecord(facts, history, settings)).observations[0];
}

test('truncates a long tool result and records its full length', () => {
  const text = `${'a'.repeat(SHORT_TEXT - 1)}😀 and more`;
  expect(observed(text)).toMatchObject({ length: text.length });
  expect(observed(text)?.text).toHaveLength(SHORT_TEXT);
  expect(observed(text)?.text.isWellFormed()).toBe(true);
  expect(observed('short')).toMatchObject({ text: 'short', length: 5 });
});
