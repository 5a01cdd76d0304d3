import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findOpposite, findRepeat, REPEAT_SIMILARITY } from './find-repeat.ts';

const LESSON =
  'Upon reflecting on the incorrect answer, I realize that I should have given the full name of the person, including the middle name.';

test.each([
  ['the same text', LESSON, LESSON],
  ['case, punctuation and spaces', LESSON, `  ${LESSON.toUpperCase().replaceAll(',', ';').replaceAll(' ', '  ')}`],
  ['one word', LESSON, LESSON.replace(' middle', '')],
  [
    'word endings',
    'Check the units of every number before you answer.',
    'Checking the unit of every number before you answered.',
  ],
  ['another Unicode form', 'Don’t guess the year.', "Don't guess the year!"],
])('finds a duplicate that differs only in %s', (_name, one, other) => {
  expect(findRepeat(one, [{ id: 'other', text: other }])).toMatchObject({ id: 'other' });
});

test.each([
  [
    'a negation',
    'Always round the result to the nearest whole number.',
    'Never round the result to the nearest whole number.',
  ],
  [
    'a short negation',
    'Do answer with the full name of the person.',
    'Do not answer with the full name of the person.',
  ],
  ['a number', 'Use 3 examples in each section of the answer.', 'Use 5 examples in each section of the answer.'],
  [
    'a name',
    'Answer with the form "Finish[x]" as the last line.',
    'Answer with the form "Answer: x" as the last line.',
  ],
  [
    'a direction',
    'Round the result up to the next number, before adding.',
    'Round the result up to the next number, after adding.',
  ],
  ['the omitted part', `${LESSON} Give the surname, not the title.`, `${LESSON} Give the title, not the surname.`],
  ['all words', 'Check the units of each number.', 'Say who wrote the book.'],
  [
    'half of the words',
    'Check the units of each number.',
    'Check the units of each number, name the author, and give the year in full.',
  ],
])('finds no duplicate for texts that differ in %s', (_name, one, other) => {
  expect(findRepeat(one, [{ id: 'other', text: other }])).toBeNull();
});

test.each([
  ['always and never', 'Always answer in French.', 'Never answer in French.'],
  ['a command and a negation', 'Answer in French.', "Don't answer in French!"],
  ['avoiding', 'Avoid answering in French.', 'Must answer in French.'],
  ['with and without', 'Answer with a list of sources.', 'Answer without a list of sources.'],
  ['a direction', 'Check the units before adding.', 'Check the units after adding.'],
])('finds a lesson that may say the opposite: %s', (_name, one, other) => {
  for (const [text, known] of [
    [one, other],
    [other, one],
  ] as const) {
    expect(findOpposite(text, [{ id: 'other', text: known }])).toMatchObject({ id: 'other' });
    expect(findRepeat(text, [{ id: 'other', text: known }])).toBeNull();
  }
});

test.each([
  ['the same text', 'Never answer in French.', 'Never answer in French.'],
  ['another subject', 'Always answer in French.', 'Never answer in English.'],
  ['two negations', 'Never answer without sources.', 'Always answer with sources.'],
  ['another number', 'Always give 3 examples of it.', 'Never give 5 examples of it.'],
  ['another name', 'Always end with "Done" on a line.', 'Never end with "Ende" on a line.'],
  ['exchanged parts', `${LESSON} Give the surname, not the title.`, `${LESSON} Give the title, not the surname.`],
  ['other words', 'Always answer in French.', 'French answers are forbidden.'],
])('finds no opposite in %s', (_name, one, other) => {
  expect(findOpposite(one, [{ id: 'other', text: other }])).toBeNull();
});

test('returns the most similar lesson, or the first of equally similar ones', () => {
  const others = [
    { id: 'near', text: LESSON.replace(' middle', '') },
    { id: 'same', text: LESSON },
    { id: 'same too', text: LESSON },
    { id: 'far', text: 'Name the unit.' },
  ];
  expect(findRepeat(LESSON, others)).toEqual({ id: 'same', similarity: 1 });
  expect(findRepeat('Name the unit of every number.', [])).toBeNull();
});

test('similarity is symmetric, between the threshold and 1, and 1 for equal texts', () => {
  const text = fc
    .array(fc.constantFrom('check', 'the', 'unit', 'of', 'each', 'number', 'not', '3', '5', 'always', 'name'), {
      minLength: 1,
      maxLength: 12,
    })
    .map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const found = findRepeat(one, [{ id: 'x', text: other }]);
      expect(findRepeat(other, [{ id: 'x', text: one }])).toEqual(found);
      if (found !== null) {
        expect(found.similarity).toBeGreaterThanOrEqual(REPEAT_SIMILARITY);
        expect(found.similarity).toBeLessThanOrEqual(1);
      }
      expect(findRepeat(one, [{ id: 'x', text: one }])).toEqual({ id: 'x', similarity: 1 });
    }),
  );
});
