import { describe, expect, test } from 'vitest';
import { readReflection } from './lesson-form.ts';
import type { ReflectionKind } from './lesson-schema.ts';

const FAILURE = {
  whatHappened: 'A guide was asked for.',
  whatWentWrong: 'It had no steps.',
  why: 'No outline.',
  whatToDoDifferently: 'Outline first.',
  tacticalRule: 'Outline before you write.',
};

describe('readReflection', () => {
  test.each<{ name: string; kind: ReflectionKind; reply: string; text: string }>([
    {
      name: 'all five fields of a failure',
      kind: 'failure',
      reply: JSON.stringify(FAILURE),
      text: 'What happened: A guide was asked for.\nWhat went wrong: It had no steps.\nWhy: No outline.\nWhat to do differently: Outline first.\nTactical rule: Outline before you write.',
    },
    {
      name: 'a code block in prose, with names in snake_case and steps as a list; unknown fields are omitted',
      kind: 'success',
      reply:
        'Here it is:\n```json\n{"strategy": ["Outline", "2. Write"], "why_it_worked": "It was clear.", "mood": "good"}\n```',
      text: 'Strategy: 1. Outline\n2. Write\nWhy it worked: It was clear.',
    },
    {
      name: 'the rule is optional',
      kind: 'failure',
      reply: JSON.stringify({ ...FAILURE, tacticalRule: '' }),
      text: 'What happened: A guide was asked for.\nWhat went wrong: It had no steps.\nWhy: No outline.\nWhat to do differently: Outline first.',
    },
  ])('$name', ({ kind, reply, text }) => {
    expect(readReflection(kind, reply)).toMatchObject({ ok: true, text });
  });

  test('truncates long fields and the text', () => {
    const read = readReflection('partial', JSON.stringify({ ...FAILURE, whatHappened: 'a'.repeat(3_000) }));
    expect(read).toMatchObject({ ok: true, fields: { whatHappened: 'a'.repeat(2_000) } });
    expect(read.ok && read.text.length).toBe(2_000);
  });
});

test.each([
  { name: 'prose', reply: 'It went badly.', reason: 'no JSON object' },
  { name: 'an empty response', reply: '', reason: 'no JSON object' },
  { name: 'a field is missing', reply: '{"whatHappened": "x", "whatWentWrong": "y"}', reason: 'whatToDoDifferently' },
  { name: 'a field is empty', reply: JSON.stringify({ ...FAILURE, whatWentWrong: ' ' }), reason: 'whatWentWrong' },
  { name: 'a field is a number', reply: JSON.stringify({ ...FAILURE, whatHappened: 3 }), reason: 'whatHappened' },
  { name: 'a list of objects', reply: '[{"whatHappened": "x"}]', reason: '' },
])('rejects $name', ({ reply, reason }) => {
  const read = readReflection('partial', reply);
  expect(read.ok).toBe(false);
  if (!read.ok) expect(read.reason).toContain(reason);
});
