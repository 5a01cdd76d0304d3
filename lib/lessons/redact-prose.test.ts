import { expect, test } from 'vitest';
import { INNOCENT_TEXTS } from './innocent-texts.test-support.ts';
import { HARMLESS_SENTENCES, SENSITIVE_SENTENCES } from './prose-texts.test-support.ts';
import { redactLesson } from './redact-lesson.ts';
import { screenLesson } from './screen-lesson.ts';

test.each(SENSITIVE_SENTENCES)('redacted or held: $name', async ({ text, hides }) => {
  const { text: kept } = await redactLesson(text);
  const isRedacted = !kept.includes(hides);
  expect(isRedacted || screenLesson(kept).length > 0, kept).toBe(true);
});

test('the table holds at least 60 sentences, and each really holds what it hides', () => {
  expect(SENSITIVE_SENTENCES.length).toBeGreaterThanOrEqual(60);
  for (const { text, hides } of SENSITIVE_SENTENCES) expect(text).toContain(hides);
});

test.each(['born on ', 'Anna Berg ', '1 Oak ', 'rue de la ', 'Mr. ', 'Calle '])(
  '100 KB of "%s" take less than four seconds to screen',
  (piece) => {
    const startedAt = process.threadCpuUsage();
    screenLesson(piece.repeat(Math.ceil(100_000 / piece.length)));
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(4_000);
  },
);

test('of more than 200 harmless sentences at most two are redacted or held', async () => {
  const sentences = [...HARMLESS_SENTENCES, ...INNOCENT_TEXTS];
  expect(sentences.length).toBeGreaterThanOrEqual(200);
  const touched: string[] = [];
  for (const text of sentences) {
    const redacted = (await redactLesson(text)).text;
    if (redacted !== text || screenLesson(text).length > 0) touched.push(redacted);
  }
  expect(touched.length, touched.join('\n')).toBeLessThanOrEqual(2);
});
