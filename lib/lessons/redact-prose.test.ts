import { expect, test } from 'vitest';
import { redactLesson } from './redact-lesson.ts';
import { screenLesson } from './screen-lesson.ts';
import { INNOCENT_TEXTS } from './test-texts/innocent-texts.test-support.ts';
import {
  HARMLESS_SENTENCES,
  MORE_HARMLESS_SENTENCES,
  MORE_SENSITIVE_SENTENCES,
  SENSITIVE_SENTENCES,
} from './test-texts/prose-texts.test-support.ts';

test.each(SENSITIVE_SENTENCES)('redacts or holds $name', async ({ text, hides }) => {
  const { text: kept } = await redactLesson(text);
  const isRedacted = !kept.includes(hides);
  expect(isRedacted || screenLesson(kept).length > 0, kept).toBe(true);
});

test('the table has at least 60 sentences, each containing its sensitive text', () => {
  expect(SENSITIVE_SENTENCES.length).toBeGreaterThanOrEqual(60);
  for (const { text, hides } of SENSITIVE_SENTENCES) expect(text).toContain(hides);
});

test.each([
  'born on ',
  'Anna Berg ',
  '1 Oak ',
  'rue de la ',
  'Mr. ',
  'Calle ',
  '1 March 1980 ',
  'lives at 1 A',
  '* 1.1.',
])('screens 100 KB of "%s" in less than four seconds of CPU time', (piece) => {
  const startedAt = process.threadCpuUsage();
  screenLesson(piece.repeat(Math.ceil(100_000 / piece.length)));
  expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(4_000);
});

test('redacts or holds at least 95% of more than 200 sensitive sentences', async () => {
  const sentences = [...SENSITIVE_SENTENCES, ...MORE_SENSITIVE_SENTENCES];
  expect(sentences.length).toBeGreaterThanOrEqual(200);
  const kept: string[] = [];
  for (const { text, hides } of sentences) {
    expect(text).toContain(hides);
    const redacted = (await redactLesson(text)).text;
    if (redacted.includes(hides) && screenLesson(redacted).length === 0) kept.push(redacted);
  }
  expect(kept.length, kept.join('\n')).toBeLessThanOrEqual(sentences.length * 0.05);
});

test('redacts or holds at most 1% of more than 500 harmless sentences', async () => {
  const sentences = [...HARMLESS_SENTENCES, ...INNOCENT_TEXTS, ...MORE_HARMLESS_SENTENCES];
  expect(sentences.length).toBeGreaterThanOrEqual(500);
  const touched: string[] = [];
  for (const text of sentences) {
    const redacted = (await redactLesson(text)).text;
    if (redacted !== text || screenLesson(text).length > 0) touched.push(redacted);
  }
  expect(touched.length, touched.join('\n')).toBeLessThanOrEqual(sentences.length * 0.01);
});

test('redacting a redacted text changes nothing', async () => {
  for (const { text } of [...SENSITIVE_SENTENCES, ...MORE_SENSITIVE_SENTENCES]) {
    const once = (await redactLesson(text)).text;
    expect(await redactLesson(once)).toEqual({ text: once, findings: [] });
  }
});

test.each([
  ['an encyclopedia article about an actor', 'Ed Oxenbould (born 1 June 2001) is an Australian actor.'],
  [
    'a year before a name',
    'From 1986 to 1995, Vallance taught. During 1944, Mary Poppins flew over 5,552 miles of road.',
  ],
])('does not hold %s', (_name, text) => {
  expect(screenLesson(text)).toEqual([]);
});

test('holds a patient described by nationality and date of birth', () => {
  expect(screenLesson('Maria Weber (born 12 March 1979) is a German patient.')).toEqual([
    { family: 'privacy_leak', rule: 'names a person with their date of birth', matched: 'born 12 March 1979' },
  ]);
});

test('a finding quotes the matched text verbatim', () => {
  const text = 'Madame Claire Dubreuil, née le 2 août 1954, est inscrite.';
  expect(screenLesson(text)[0]?.matched).toBe('née le 2 août 1954');
});
