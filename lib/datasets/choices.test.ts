import { expect, test } from 'vitest';
import { firstChoiceOf, mapRow } from './case-mapping.ts';
import { columnsOf, suggestMapping } from './suggest-mapping.ts';

type Row = Record<string, unknown>;

/** Maps rows as an import with a suggested mapping does, and returns input and reference of each. */
function imported(rows: Row[], isTable = false): unknown[] {
  const { mapping } = suggestMapping(columnsOf(rows), null, isTable);
  const reading = { mapping, keepOthers: true, firstChoice: firstChoiceOf(rows, mapping, isTable) };
  return rows.map((row) => {
    const { value } = mapRow(row, reading, isTable);
    return [value.input, value.reference];
  });
}

test.each<[string, Row[], boolean, [input: string, reference?: string][]]>([
  [
    'MMLU',
    [
      { question: '1 + 1?', subject: 'math', choices: ['1', '2', '3', '4'], answer: 1 },
      { question: '2 + 2?', subject: 'math', choices: ['1', '2', '3', '4'], answer: 3 },
    ],
    false,
    [
      ['1 + 1?\n\nA. 1\nB. 2\nC. 3\nD. 4', 'B'],
      ['2 + 2?\n\nA. 1\nB. 2\nC. 3\nD. 4', 'D'],
    ],
  ],
  [
    'MMLU as a table of pandas',
    [{ question: 'Which?', choices: "['coal' \"it's wind\"\n 'a, b']", answer: '1' }],
    true,
    [["Which?\n\nA. coal\nB. it's wind\nC. a, b", 'B']],
  ],
  [
    'MMLU as a table with columns',
    [{ question: 'Which?', A: 'coal', B: 'wind', C: 'gas', D: '', answer: 'C' }],
    true,
    [['Which?\n\nA. coal\nB. wind\nC. gas', 'C']],
  ],
  [
    'ARC with letters and numbers',
    [
      { question: 'Which?', choices: { text: ['coal', 'wind'], label: ['A', 'B'] }, answerKey: 'B' },
      { question: 'What?', choices: { text: ['coal', 'wind'], label: ['1', '2'] }, answerKey: '1' },
    ],
    false,
    [
      ['Which?\n\nA. coal\nB. wind', 'B'],
      ['What?\n\nA. coal\nB. wind', 'A'],
    ],
  ],
  [
    'HellaSwag',
    [{ ctx: 'A man sits.', endings: ['He runs.', 'He reads.'], label: '0' }],
    false,
    [['A man sits.\n\nA. He runs.\nB. He reads.', 'A']],
  ],
  [
    'WinoGrande, whose numbers begin at 1',
    [
      { sentence: 'Ann thanked Bea, as _ was kind.', option1: 'Ann', option2: 'Bea', answer: '2' },
      { sentence: 'Ann thanked Bea, as _ was glad.', option1: 'Ann', option2: 'Bea', answer: '1' },
    ],
    false,
    [
      ['Ann thanked Bea, as _ was kind.\n\nA. Ann\nB. Bea', 'B'],
      ['Ann thanked Bea, as _ was glad.\n\nA. Ann\nB. Bea', 'A'],
    ],
  ],
  [
    'GPQA, whose columns hold the right and the wrong answers, in a fixed order',
    [
      {
        ...{ 'Pre-Revision Question': 'Old?', 'Pre-Revision Incorrect Answer 1': 'old', Question: 'Which energy?' },
        ...{ 'Correct Answer': '4 eV', 'Incorrect Answer 1': '11 eV', 'Incorrect Answer 2': '8 eV' },
        ...{ 'Incorrect Answer 3': '9 eV', Explanation: 'Because', Subdomain: 'Physics' },
      },
      { Question: 'How many?', 'Correct Answer': '2', 'Incorrect Answer 1': '1', 'Incorrect Answer 2': '3' },
      { Question: 'Which?', 'Correct Answer': 'B', 'Incorrect Answer 1': 'A', 'Incorrect Answer 2': 'C' },
    ],
    true,
    [
      ['Which energy?\n\nA. 4 eV\nB. 9 eV\nC. 11 eV\nD. 8 eV', 'A'],
      ['How many?\n\nA. 3\nB. 1\nC. 2', 'C'],
      ['Which?\n\nA. A\nB. B\nC. C', 'B'],
    ],
  ],
  [
    'SciQ',
    [{ question: 'Which?', distractor1: 'coal', distractor2: 'gas', correct_answer: 'wind', support: 'It blows.' }],
    false,
    [['Which?\n\nIt blows.\n\nA. coal\nB. gas\nC. wind', 'C']],
  ],
  [
    'TruthfulQA, whose right choice is the first one',
    [
      {
        question: 'Which state is the smallest?',
        mc1_targets: { choices: ['Vatican', 'Nauru', 'Monaco'], labels: [1, 0, 0] },
        mc2_targets: { choices: ['Vatican', 'The Vatican', 'Nauru'], labels: [1, 1, 0] },
      },
    ],
    false,
    [['Which state is the smallest?\n\nA. Nauru\nB. Vatican\nC. Monaco', 'B']],
  ],
  [
    'TruthfulQA as `mc_task.json`, whose objects mark each choice',
    [
      {
        question: 'Which state is the smallest?',
        mc1_targets: { Vatican: 1, Nauru: 0, Monaco: 0 },
        mc2_targets: { Vatican: 1, 'The Vatican': 1, Nauru: 0 },
      },
      { question: 'Who came?', mc1_targets: { Ada: 1, Bea: 0 }, mc2_targets: { Ada: 1, Bea: 0 } },
    ],
    false,
    [
      ['Which state is the smallest?\n\nA. Nauru\nB. Vatican\nC. Monaco', 'B'],
      ['Who came?\n\nA. Ada\nB. Bea', 'A'],
    ],
  ],
  [
    'BIG-bench',
    [{ input: 'Which state is the smallest?', target_scores: { Vatican: 1, Nauru: 0, Monaco: 0 } }],
    false,
    [['Which state is the smallest?\n\nA. Nauru\nB. Vatican\nC. Monaco', 'B']],
  ],
  [
    'TruthfulQA with several right choices',
    [{ question: 'Which?', mc2_targets: { choices: ['Yes', 'Sure', 'No'], labels: [1, 1, 0] } }],
    false,
    [['Which?\n\nA. Yes\nB. Sure\nC. No', 'A, B']],
  ],
  [
    'MedMCQA',
    [{ question: 'Which?', opa: 'a', opb: 'b', opc: 'c', opd: 'd', cop: 2, exp: 'Because' }],
    false,
    [['Which?\n\nA. a\nB. b\nC. c\nD. d', 'C']],
  ],
  [
    'MedQA',
    [{ question: 'Which?', options: { A: 'rest', B: 'ice' }, answer_idx: 'B', answer: 'ice' }],
    false,
    [['Which?\n\nA. rest\nB. ice', 'B']],
  ],
  [
    'AQuA',
    [{ question: 'How many?', options: ['A)21', 'B)22.5'], rationale: 'So', correct: 'B' }],
    false,
    [['How many?\n\nA. 21\nB. 22.5', 'B']],
  ],
  [
    'QuAIL, whose answers are the choices',
    [{ context: 'Ada came.', question: 'Who?', answers: ['Ada', 'Bea'], correct_answer_id: 1 }],
    false,
    [['Ada came.\n\nWho?\n\nA. Ada\nB. Bea', 'B']],
  ],
  [
    'facts of MLflow, all of which are required',
    [{ inputs: { question: 'What?' }, expectations: { expected_facts: ['open', 'free'] } }],
    false,
    [['What?', 'open\nfree']],
  ],
  [
    'tests of promptfoo',
    [{ vars: { city: 'Paris' }, assert: [{ type: 'icontains', value: 'x' }] }],
    false,
    [['Paris', undefined]],
  ],
  [
    'CyberSecEval, with several right choices',
    [{ question_text: 'Which?', options: ['A) red', 'B) blue', 'C) green'], correct_answer: ['A', 'C'] }],
    false,
    [['Which?\n\nA. red\nB. blue\nC. green', 'A, C']],
  ],
  [
    'RACE, with an article',
    [{ article: 'Ada came.', question: 'Who?', options: ['Ada', 'Bea'], answer: 'A' }],
    false,
    [['Ada came.\n\nWho?\n\nA. Ada\nB. Bea', 'A']],
  ],
  [
    'BoolQ, with a passage',
    [{ question: 'Is it?', passage: 'It is.', answer: true }],
    false,
    [['Is it?\n\nIt is.', 'true']],
  ],
  [
    'a list of choices with a free answer',
    [{ question: 'Which?', choices: ['red', 'blue'], answer: 'Any of both' }],
    false,
    [['Which?', 'Any of both']],
  ],
  [
    'answers of two models',
    [{ question: 'Which?', answer_a: 'red', answer_b: 'blue', label: 'A' }],
    false,
    [['Which?', 'A']],
  ],
  [
    'several right answers next to one of them',
    [
      { question: 'Where?', answer: 'Paris', answers: ['Paris', 'Lutetia'] },
      { question: 'How many?', answer: '5', answers: ['5', 'five'] },
    ],
    false,
    [
      ['Where?', 'Paris'],
      ['How many?', '5'],
    ],
  ],
  [
    'numbers that are right answers in several ways',
    [{ question: 'How many?', answer: '5', answers: ['5', 'five'] }],
    false,
    [['How many?', '5']],
  ],
  [
    'answers of three people next to the right one',
    [{ question: 'Where?', answer: 'Paris', answer_1: 'Paris', answer_2: 'Rome', answer_3: 'Paris' }],
    true,
    [['Where?', 'Paris']],
  ],
  [
    'a quiz whose answers are the choices',
    [{ question: 'Where?', answers: ['Paris', 'Rome'], correct_answer: 'Rome' }],
    false,
    [['Where?\n\nA. Paris\nB. Rome', 'B']],
  ],
  ['operands', [{ question: 'a + b?', a: 1, b: 2, answer: '3' }], false, [['a + b?', '3']]],
  [
    'retrieved contexts, which a prompt gets as metadata',
    [{ question: 'Which?', context: '["One.", "Two."]', answer: 'red' }],
    true,
    [['Which?', 'red']],
  ],
])('%s', (_name, rows, isTable, expected) => {
  expect(imported(rows, isTable)).toEqual(expected);
});

const CHOSEN = { question: 'input', options: 'choices', answer: 'reference' };

test.each<[string, Row[], unknown[]]>([
  ['the text of a choice', [{ options: ['red', 'blue'], answer: 'blue' }], ['B']],
  ['numbers that are choices in every row', [{ options: ['3', '1'], answer: '1' }], ['B']],
  ['a number beyond the choices', [{ options: ['red', 'blue'], answer: 7 }], ['7']],
  ['a letter beyond the choices', [{ options: ['red', 'blue'], answer: 'D' }], ['D']],
  ['several letters', [{ options: ['red', 'blue', 'green'], answer: ['C', 'A'] }], ['A, C']],
  [
    'several texts of which one is no choice',
    [{ options: ['red', 'blue'], answer: ['red', 'lime'] }],
    ['["red","lime"]'],
  ],
  ['a letter in brackets', [{ options: ['red', 'blue'], answer: '(b)' }], ['B']],
  ['no answer', [{ options: ['red', 'blue'], answer: null }], [null]],
])('maps %s', (_name, rows, references) => {
  const whole = rows.map((row) => ({ question: 'Which?', ...row }));
  const reading = { mapping: CHOSEN, keepOthers: false, firstChoice: firstChoiceOf(whole, CHOSEN, false) };
  expect(whole.map((row) => mapRow(row, reading, false).value.reference)).toEqual(references);
});

test.each<[string, Row]>([
  ['a single choice', { question: 'Which?', options: ['red'], answer: 'red' }],
  ['messages', { question: [{ role: 'user', content: 'Which?' }], options: ['red', 'blue'], answer: 'red' }],
])('keeps choices next to %s as metadata', (_name, row) => {
  const { value } = mapRow(row, { mapping: CHOSEN, keepOthers: false }, false);
  expect(value).toMatchObject({ reference: 'red', metadata: { options: row.options } });
});

test('reads hostile lists quickly', () => {
  const startedAt = process.threadCpuUsage();
  for (const text of [`[${"'a' ".repeat(50_000)}x]`, `[${"'\\\\".repeat(100_000)}]`, `[${'"'.repeat(200_000)}]`])
    mapRow({ question: 'Which?', options: text, answer: 'A' }, { mapping: CHOSEN, keepOthers: false }, true);
  expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
});

test('the right answer is at each position equally often', () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ Question: `Which is number ${at}?`, 'Correct Answer': 'yes' },
    ...{ 'Incorrect Answer 1': 'no', 'Incorrect Answer 2': 'maybe', 'Incorrect Answer 3': 'never' },
  }));
  const letters = imported(rows, true).map((one) => String(Object(one)[1]));
  const counts = ['A', 'B', 'C', 'D'].map((letter) => letters.filter((one) => one === letter).length);
  // The standard deviation is 14.
  for (const count of counts) expect(Math.abs(count - 250)).toBeLessThan(56);
  expect(imported(rows.toReversed(), true).toReversed()).toEqual(imported(rows, true));
});
