import { expect, test } from 'vitest';
import { noAnswer } from '#lib/core/scripted-step.test-support.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { findByMeaning } from './find-by-meaning.ts';

const db = useTestDatabase();

test('sends a long input without half of a character', async () => {
  const asked: string[] = [];
  const find = findByMeaning(db.database(), { provider: 'p', model: 'm' }, async (_call, texts) => {
    asked.push(...texts);
    const outcome = noAnswer('unavailable');
    if (outcome.ok) throw new Error('an answer');
    return { ok: false, failure: outcome.failure, spend: NO_SPEND };
  });
  const input = `${'a'.repeat(1_999)}\u{1F600} and more`;
  const scope = { agent: null, without: [], block: '', pinned: [], taskType: null, tools: [] };
  await find({ ...scope, input, store: 'recall', topK: 1, tokenBudget: 100 }, []);
  expect(asked).toHaveLength(1);
  expect(asked.every((text) => text.isWellFormed())).toBe(true);
});
