import { expect, test } from 'vitest';
import { SCORED_ELSEWHERE } from '#lib/runs/schema.ts';
import { awaitsPerson } from './awaits-person.ts';

const CRITERIA = [
  { name: 'quality', evaluator: 'llm' },
  { name: 'taste', evaluator: 'human' },
  { name: 'fit', evaluator: 'human' },
] as const;

test.each<[string, 'scored' | 'partial', Record<string, number | null>, string[]]>([
  ['all that people score', 'partial', { quality: 0.5, taste: null, fit: null }, ['taste', 'fit']],
  ['what is left of it', 'partial', { quality: 0.5, taste: 0.5, fit: null }, ['fit']],
  ['a score of 0 is a score', 'partial', { quality: 0, taste: 0, fit: null }, ['fit']],
  ['nothing, where the machine’s part failed', 'partial', { quality: null, taste: null, fit: null }, []],
  ['nothing, where it is whole', 'scored', { quality: 0.5, taste: 0.5, fit: 0.5 }, []],
  ['nothing, where a person overrode the whole', 'scored', { quality: 0.5, taste: null, fit: null }, []],
])('%s', (_name, status, criteriaScores, waits) => {
  expect(awaitsPerson({ status, criteriaScores }, [...CRITERIA])).toEqual(waits);
});

test('nobody is waited for where the runs were scored elsewhere', () => {
  const scored = { name: 'solved', evaluator: 'human', config: { question: SCORED_ELSEWHERE } } as const;
  expect(awaitsPerson({ status: 'partial', criteriaScores: { solved: null } }, [scored])).toEqual([]);
});
