import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { readScoreText } from './read-judge-response.ts';

const ONE: ExperimentSettingsInput['criteria'] = [{ name: 'clarity', evaluator: 'llm' }];
const TWO: ExperimentSettingsInput['criteria'] = [...ONE, { name: 'edge_cases', evaluator: 'llm' }];

async function judged(replies: Parameters<typeof askScript>[0], criteria = ONE) {
  const script = askScript(replies);
  const outcome = await evaluateWith({
    settings: settingsWith(criteria),
    case: { input: 'Explain.', reference: null, tags: [], metadata: {} },
    output: 'The draft.',
    ask: script.ask,
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return { ...outcome.evaluation, calls: script.asked.length };
}

describe('accepts a score in plain text without a retry', () => {
  test.each<[string, string, number]>([
    ["the published evaluator's format", 'score: 0.9', 0.9],
    ['a reason before the score', 'The steps are clear, one is missing.\nScore: 0.6', 0.6],
    ['a JSON property', '{"score": 0.9}', 0.9],
    ['a JSON property among others', '{"reason": "Clear, and short.", "score": 0.9, "confidence": 0.4}', 0.9],
    ['JSON over several lines in a code fence', '```json\n{\n  "score": 0.9,\n  "reason": "Clear."\n}\n```', 0.9],
    ['a JSON line without braces', '"score": 0.9', 0.9],
    ['a ratio', 'Score = 9/10', 0.9],
    ['a percentage', 'Score: 85%', 0.85],
    ['the criterion name', 'Clarity: 0.7', 0.7],
    ['the criterion name and an equal score', 'Clarity: 0.7\nOverall score: 0.7', 0.7],
    ['a final score after others', 'Score: 0.4\nScore: 0.6\nFinal score: 0.5', 0.5],
    ['only a number', '0.7', 0.7],
  ])('%s', async (_name, text, score) => {
    expect(await judged([text])).toMatchObject({ overallScore: score, status: 'scored', calls: 1 });
  });

  test('reads all criteria by name', async () => {
    const text = 'clarity: 0.9 - short and plain\nEdge cases: 4/5';
    expect(await judged([text], TWO)).toMatchObject({ criteriaScores: { clarity: 0.9, edge_cases: 0.8 }, calls: 1 });
    expect(await judged(['{"clarity": 0.9, "edge_cases": 0.8}'], TWO)).toMatchObject({ overallScore: 0.85, calls: 1 });
  });

  test('keeps the other fields of a score', async () => {
    const text =
      '{"score": 0.4, "reason": "Vague.", "issues": ["no limit"], "suggestions": ["say 60"], "confidence": 0.3}';
    expect(await judged([text])).toMatchObject({
      reasons: { clarity: 'Vague.' },
      issues: [{ criterion: null, text: 'no limit' }],
      suggestions: ['say 60'],
      confidence: 0.3,
    });
  });
});

describe('retries an ambiguous response', () => {
  const USABLE = JSON.stringify({ criteria: ['clarity', 'edge_cases'].map((name) => ({ name, score: 0.5 })) });
  test.each<[string, string | { text: string; finishReason: string }, ExperimentSettingsInput['criteria']]>([
    ['no score', 'I like it.', ONE],
    ['two different scores', 'Score: 0.4\nScore: 0.6', ONE],
    ['two objects with different scores', '{"score": 0.4}\n{"score": 0.6}', ONE],
    ['a named score and a different unnamed one', 'clarity: 0.9\nOverall score: 0.4', ONE],
    ['two named scores and an unnamed one', 'clarity: 0.9\nclarity: 0.4\n\n0.5', ONE],
    ['a number without a scale', 'Score: 9', ONE],
    ['a range', 'Score: 0.8 - 0.9', ONE],
    ['an object for another criterion', '{"name": "tone", "score": 0.9}', ONE],
    ['a truncated response', { text: 'Score: 0.9', finishReason: 'length' }, ONE],
    ['one unnamed score for several criteria', 'Score: 0.9', TWO],
    ['a score for one of several criteria', 'clarity: 0.9\nAll fine.', TWO],
  ])('%s', async (_name, text, criteria) => {
    expect(await judged([text, USABLE], criteria)).toMatchObject({ overallScore: 0.5, calls: 2 });
  });
});

test('reads a long hostile response quickly', () => {
  const started = performance.now();
  for (const text of ['{'.repeat(100_000), '"score": '.repeat(20_000), ',"'.repeat(50_000), `${' '.repeat(100_000)}x`])
    expect(readScoreText(text, ['clarity'])).toBeNull();
  expect(performance.now() - started).toBeLessThan(3_000);
});
