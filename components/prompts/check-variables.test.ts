import { expect, test } from 'vitest';
import { checkVariables, variableNotes } from './check-variables.ts';

const cases = [
  { position: 0, fields: ['tone'] },
  { position: 1, fields: [] },
  { position: 2, fields: ['tone', 'name'] },
];
const none = Array.from({ length: 8 }, (_, position) => ({ position, fields: [] }));

test.each([
  ['a variable filled in by every case', 'Mail: {{input}}', cases, [[true, 'Available in all 3 cases']]],
  ['one case', 'Mail: {{input}}', cases.slice(0, 1), [[true, 'Available in the case']]],
  ['no dataset', 'Mail: {{input}}', [], []],
  [
    'a field that two cases lack',
    '{{input}} {{ metadata.name }}',
    cases,
    [[false, '{{metadata.name}} is missing in 2 cases (1 and 2) of 3. It is sent unchanged there.']],
  ],
  [
    'a field that many cases lack',
    '{{input}} {{metadata.name}}',
    [...none, { position: 8, fields: ['name'] }],
    [[false, '{{metadata.name}} is missing in 8 cases (1, 2, 3, 4, 5 and 3 more) of 9. It is sent unchanged there.']],
  ],
  [
    'a field that all cases lack',
    '{{input}} {{metadata.name}}',
    none,
    [[false, '{{metadata.name}} is missing in all 8 cases. It is sent unchanged there.']],
  ],
  [
    'a field that the only case lacks',
    '{{input}} {{metadata.name}}',
    none.slice(0, 1),
    [[false, '{{metadata.name}} is missing in the case. It is sent unchanged there.']],
  ],
  [
    'an unknown variable next to a known one',
    '{{input}} {{question}}',
    cases,
    [[false, '{{question}} is not a known variable, so it is sent unchanged. Use {{input}} or {{metadata.name}}.']],
  ],
  [
    'no variables',
    'Answer the mail.',
    cases,
    [[true, 'Without a variable, the prompt is the system message, and the input follows as the user message.']],
  ],
])('%s', (_name, text, given, expected) => {
  const notes = variableNotes(checkVariables(text, given), given.length);
  expect(notes.map((note) => [note.isGood, note.text])).toEqual(expected);
});
