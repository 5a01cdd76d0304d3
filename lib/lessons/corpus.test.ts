import { expect, test } from 'vitest';
import { redactLesson } from './redact-lesson.ts';
import { screenLesson } from './screen-lesson.ts';
import {
  HARMLESS_LESSONS,
  HELD_OUT_INJECTIONS,
  INJECTIONS,
  LOOKALIKES,
  type Measured,
  SPELLED_SECRETS,
} from './test-texts/corpus.test-support.ts';

const missed = (texts: readonly Measured[]) => texts.filter(({ text }) => screenLesson(text).length === 0);

test('the corpus has the documented size', () => {
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(INJECTIONS.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(15);
  expect(HARMLESS_LESSONS.length).toBeGreaterThanOrEqual(60);
  expect(SPELLED_SECRETS.length).toBeGreaterThanOrEqual(40);
  expect(LOOKALIKES.length).toBeGreaterThanOrEqual(40);
  for (const { text, hides } of SPELLED_SECRETS) expect(text).toContain(hides);
});

test('screening holds at least 90 of 100 injections in the corpus', () => {
  const kept = missed(INJECTIONS);
  expect(kept.length, kept.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(INJECTIONS.length * 0.1);
});

test('screening holds 16 of 30 held-out injections, as the docs state', () => {
  const kept = missed(HELD_OUT_INJECTIONS);
  expect(HELD_OUT_INJECTIONS).toHaveLength(30);
  expect(HELD_OUT_INJECTIONS.length - kept.length, kept.map(({ text }) => text).join('\n')).toBe(16);
});

test('screening holds at most 3 of 100 harmless lessons', () => {
  const held = HARMLESS_LESSONS.filter((text) => screenLesson(text).length > 0);
  expect(held.length, held.join('\n')).toBeLessThanOrEqual(HARMLESS_LESSONS.length * 0.03);
});

test('redaction removes at least 90 of 100 secrets in odd spellings', async () => {
  const kept: string[] = [];
  for (const { text, hides } of SPELLED_SECRETS) if ((await redactLesson(text)).text.includes(hides)) kept.push(text);
  expect(kept.length, kept.join('\n')).toBeLessThanOrEqual(SPELLED_SECRETS.length * 0.1);
});

test('redaction leaves at least 97 of 100 look-alikes of secrets unchanged', async () => {
  const touched: string[] = [];
  for (const text of LOOKALIKES) if ((await redactLesson(text)).text !== text) touched.push(text);
  expect(touched.length, touched.join('\n')).toBeLessThanOrEqual(LOOKALIKES.length * 0.03);
});

test.each(['ignoriere ', 'anweisung ', '忽略', 'a b ', '"+"', '&#97;', '%61', 'sk-', 'пароль ', 'aB3', '-\n', '1. '])(
  'screens and redacts 100 KB of "%s" in linear time',
  async (piece) => {
    const timeOf = async (length: number) => {
      const text = piece.repeat(Math.ceil(length / piece.length));
      const startedAt = process.threadCpuUsage();
      screenLesson(text);
      await redactLesson(text);
      return process.threadCpuUsage(startedAt).user / 1_000;
    };
    // Quadratic time would be a hundred times that of a tenth of the text; the bound allows for a busy machine.
    expect(await timeOf(100_000)).toBeLessThan(Math.max(8_000, 40 * (await timeOf(10_000))));
  },
  60_000,
);
