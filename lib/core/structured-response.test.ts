import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { structuredResponse } from './responses.ts';

const schema = z.object({ score: z.number() });

describe('structuredResponse', () => {
  test.each<[string, string]>([
    ['bare JSON', '{"score": 0.5}'],
    ['surrounding white space', '\n {"score": 0.5}\n'],
    ['a code fence', '```json\n{"score": 0.5}\n```'],
    ['a code fence without a language', '```\n{"score": 0.5}\n```'],
    ['JSON within prose', 'Here it is: {"score": 0.5} I hope it helps.'],
    ['prose and a code fence', 'Sure!\n```json\n{"score": 0.5}\n```\nDone.'],
    ['prose with braces before the JSON', 'Use {braces} freely. {"score": 0.5}'],
    ['the last of several drafts', '{"score": 0.1}\nNo, rather:\n{"score": 0.5}'],
    ['a trailing comma', '{"score": 0.5,}'],
    ['a brace inside a string', '{"note": "a } b", "score": 0.5}'],
    ['an escaped quote', '{"note": "a \\" } b", "score": 0.5}'],
    ['unknown keys', '{"score": 0.5, "more": [1, 2]}'],
    ['a thinking block', '<think>maybe {"score": 0.9}?</think>\n{"score": 0.5}'],
    ['quotation marks in the prose', 'The "score follows: {"score": 0.5}'],
  ])('reads %s', (_name, text) => {
    expect(structuredResponse(text, schema)).toEqual({ ok: true, value: { score: 0.5 } });
  });

  test.each<[string, string, RegExp]>([
    ['empty', '', /no JSON/],
    ['prose', 'The score is 0.5', /no JSON/],
    ['truncated JSON', '{"score": 0.5', /no JSON/],
    ['a wrong type', '{"score": "high"}', /score: .*number/],
    ['a missing key', '{"points": 1}', /score/],
    ['a list', '[0.5]', /object/],
    ['a number', '0.5', /no JSON/],
  ])('rejects %s', (_name, text, reason) => {
    const read = structuredResponse(text, schema);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.reason).toMatch(reason);
  });

  test('parses hostile texts quickly', () => {
    const started = process.threadCpuUsage();
    for (const text of [
      '{'.repeat(300_000),
      '{}'.repeat(300_000),
      '```\n'.repeat(20_000),
      `\`\`\`${'\n'.repeat(50_000)}`,
      `{${' '.repeat(100_000)},`,
      '{"a":"'.repeat(100_000),
    ]) {
      expect(structuredResponse(text, schema).ok).toBe(false);
    }
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(3_000);
  });
});
