import { describe, expect, test } from 'vitest';
import { FLAWS, flawsConcerning, flawsIn, mentionedFlaws } from './flaws.ts';
import { taskTerms } from './task-terms.ts';

const TASKS = [
  'Explain our rate limits to a new user',
  'Write a function that parses ISO dates',
  'Why is the sky blue?',
  'List things to do on holiday',
  'Compare PostgreSQL and MySQL for a small team',
  '',
];
const tasks = TASKS.map((task) => [task, taskTerms(task)] as const);

describe.each(FLAWS.map((flaw) => [flaw.id, flaw] as const))('%s', (_id, flaw) => {
  test.each(tasks)('is absent from its good form and present in its flawed form: %s', (_task, words) => {
    const rest = FLAWS.filter((other) => other !== flaw).map((other) => other.good(words));
    const good = [...(flaw.id === 'no_opening' ? [] : [rest.shift() ?? '']), flaw.good(words)].join('\n\n');
    expect(flaw.find(good, words)).toBeNull();
    expect(flaw.find(flaw.flawed(words) || 'Word', words)).not.toBeNull();
  });

  test.each(tasks)('is fixed in any text that has it, and only once: %s', (_task, words) => {
    const texts = [
      flaw.flawed(words) || 'A plain sentence stands here.',
      'THIS IS ALL WRONG!! Obviously, various stuff somehow matters, I think. It is so. It is so.',
      `${'one and two '.repeat(25)}. Perhaps.`,
    ];
    for (const text of texts) {
      const fixed = flaw.fix(text, words);
      expect(flaw.find(fixed, words)).toBeNull();
    }
  });

  test('is the only flaw its issue, suggestion and advice refer to', () => {
    for (const remark of [flaw.issue('some words'), flaw.suggestion, `Next time, ${flaw.advice}.`]) {
      expect(mentionedFlaws(remark).map(({ id }) => id)).toEqual([flaw.id]);
    }
  });
});

test('finds all flaws in a text that has them all, and none in a text without flaws', () => {
  const words = taskTerms('Explain our rate limits to a new user');
  const opening = FLAWS.filter(({ id }) => id === 'no_opening');
  const ordered = [...opening, ...FLAWS.filter((flaw) => !opening.includes(flaw))];
  const worst = ordered.map((flaw) => flaw.flawed(words)).join(' ');
  expect(flawsIn(worst, words).map(({ flaw }) => flaw.id)).toEqual(FLAWS.map(({ id }) => id));
  const best = ordered.map((flaw) => flaw.good(words)).join('\n\n');
  expect(flawsIn(best, words)).toEqual([]);
});

describe('flawsConcerning', () => {
  test.each(
    'correctness efficiency readability edge_cases clarity coherence completeness tone accuracy depth relevance objectivity logical_validity'.split(
      ' ',
    ),
  )('has fixed flaws for the criterion %s', (name) => {
    const concerned = flawsConcerning(name, '');
    expect(concerned.length).toBeGreaterThanOrEqual(3);
    expect(concerned).toEqual(flawsConcerning(name, 'whatever stands here about examples'));
  });

  test('normalizes criterion names', () => {
    expect(flawsConcerning('Edge cases', '')).toEqual(flawsConcerning('edge_cases', ''));
  });

  test('uses the description of an unknown criterion', () => {
    expect(flawsConcerning('usefulness', 'does it give an example?').map(({ id }) => id)).toEqual(['no_example']);
  });

  test('returns the same four flaws for an unknown criterion without a usable description', () => {
    expect(flawsConcerning('zing', '')).toHaveLength(4);
    expect(flawsConcerning('zing', '')).toEqual(flawsConcerning('zing', ''));
    expect(flawsConcerning('zing', '')).not.toEqual(flawsConcerning('zang', ''));
  });
});
