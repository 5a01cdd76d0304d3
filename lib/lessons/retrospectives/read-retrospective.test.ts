import { describe, expect, test } from 'vitest';
import { readRetrospective } from './retrospective-prompt.ts';

const WHOLE = {
  skills: [{ pattern: 'A guide on {topic}', strategy: 'Outline it', steps: ['Outline', 'Write'] }],
  failures: [{ pattern: 'A first draft', what_happened: 'No steps', instead: 'List them' }],
  policies: [{ tool: 'search', constraint: 'Once a question' }],
  observations: [{ statePattern: 'The score stays', meaning: 'Change the strategy' }],
  principles: ['Always outline.'],
  procedures: [{ goal: 'A guide', steps: '1. Outline\n2. Write' }],
  decisions: [{ what: 'Publish', alternatives: 'Wait', why: 'The date is fixed' }],
  preferences: ['Short sentences.'],
};

describe('lessons from every list of a retrospective', () => {
  test.each([
    { name: 'as JSON', reply: JSON.stringify(WHOLE) },
    {
      name: 'as a code block in text',
      reply: `I looked back.\n\`\`\`json\n${JSON.stringify(WHOLE)}\n\`\`\`\nThat is all.`,
    },
  ])('$name', ({ reply }) => {
    const read = readRetrospective(reply);
    if (!read.ok) throw new Error(read.reason);
    expect(read.value.leftOut).toBe(0);
    expect(read.value.lessons).toEqual([
      {
        kind: 'skill_card',
        fields: { pattern: 'A guide on {topic}', strategy: 'Outline it', steps: '1. Outline\n2. Write' },
        text: 'Pattern: A guide on {topic}\nStrategy: Outline it\nSteps: 1. Outline\n2. Write',
      },
      {
        kind: 'failure_pattern',
        fields: { pattern: 'A first draft', whatHappened: 'No steps', instead: 'List them' },
        text: 'Pattern: A first draft\nWhat happened: No steps\nInstead: List them',
      },
      {
        kind: 'tool_policy',
        fields: { tool: 'search', constraint: 'Once a question' },
        text: 'Tool: search\nConstraint: Once a question',
      },
      {
        kind: 'episodic_case',
        fields: { statePattern: 'The score stays', meaning: 'Change the strategy' },
        text: 'State: The score stays\nMeaning: Change the strategy',
      },
      { kind: 'principle', fields: {}, text: 'Always outline.' },
      {
        kind: 'procedure',
        fields: { goal: 'A guide', steps: '1. Outline\n2. Write' },
        text: 'Goal: A guide\nSteps: 1. Outline\n2. Write',
      },
      {
        kind: 'decision',
        fields: { what: 'Publish', alternatives: 'Wait', why: 'The date is fixed' },
        text: 'What was decided: Publish\nAlternatives: Wait\nWhy: The date is fixed',
      },
      { kind: 'user_preference', fields: {}, text: 'Short sentences.' },
    ]);
  });

  test('accepts empty lists as a valid response without lessons', () => {
    expect(readRetrospective('{"skills": [], "failures": []}')).toEqual({
      ok: true,
      value: { lessons: [], leftOut: 0 },
    });
  });

  test.each([
    ['missing', { what_happened: 'No steps', instead: 'List them' }],
    ['empty', { pattern: ' ', whatHappened: 'No steps', instead: 'List them' }],
    ['not a text', { pattern: 3, whatHappened: 'No steps', instead: 'List them' }],
  ])('uses what happened as the pattern of a failure if the pattern is %s', (_name, failure) => {
    const read = readRetrospective(JSON.stringify({ skills: [], failures: [failure] }));
    const fields = { pattern: 'No steps', whatHappened: 'No steps', instead: 'List them' };
    expect(read).toMatchObject({ ok: true, value: { leftOut: 0, lessons: [{ kind: 'failure_pattern', fields }] } });
  });

  test('skips a failure without a pattern and a description', () => {
    const read = readRetrospective('{"failures": [{"instead": "List them"}], "principles": ["Always outline."]}');
    expect(read).toMatchObject({ ok: true, value: { leftOut: 1, lessons: [{ kind: 'principle' }] } });
  });

  test('skips and counts malformed entries and entries beyond five', () => {
    const skill = WHOLE.skills[0];
    const reply = JSON.stringify({
      skills: [skill, skill, skill, skill, skill, skill],
      policies: [{ tool: 'search' }, 'x', 3],
    });
    const read = readRetrospective(reply);
    expect(read.ok && read.value.lessons.length).toBe(5);
    expect(read.ok && read.value.leftOut).toBe(4);
  });
});

test.each([
  { name: 'prose', reply: 'All went well.', reason: 'no JSON object' },
  { name: 'an object without any list', reply: '{"verdict": "fine"}', reason: 'skills' },
  { name: 'a value that is not a list', reply: '{"skills": "many"}', reason: 'skills' },
  {
    name: 'only malformed entries',
    reply: '{"skills": [{"pattern": ""}], "principles": [""]}',
    reason: 'none of its 2 entries',
  },
  { name: 'an invalid code block', reply: '```json\n{"skills": [\n```', reason: 'no JSON object' },
])('rejects $name', ({ reply, reason }) => {
  const read = readRetrospective(reply);
  expect(read.ok).toBe(false);
  if (!read.ok) expect(read.reason).toContain(reason);
});
