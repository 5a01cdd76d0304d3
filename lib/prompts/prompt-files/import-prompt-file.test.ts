import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { problemsOf } from '#lib/core/problem.ts';
import { takeExamples } from '#lib/core/prompts/worked-examples.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { writeDspyProgram } from '../dspy-export.ts';
import { findPrompt, findPromptVersion } from '../queries.ts';
import { importTunedFile, readTunedFile } from './import-prompt-file.ts';

/** Files written by the real packages, named by package version. */
const recorded = (name: string) => readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8');
const lines = (...texts: string[]) => texts.join('\n');

describe('a result of GEPA', () => {
  test.each(['gepa-0.0.4', 'gepa-0.1.4'])('%s has one version per candidate, the best one last', (file) => {
    const { versions } = unwrap(readTunedFile(recorded(file)));
    expect(versions.map(({ text, message, parent }) => [text, message, parent])).toEqual([
      ['Sort the mail.', 'GEPA candidate 0: score 0 on 6 validation cases', null],
      ['Sort the mail. Mails may be about billing.', 'GEPA candidate 1: score 0.3333 on 6 validation cases', 0],
      [expect.stringContaining('about sales.'), 'GEPA candidate 2: score 0.6667 on 6 validation cases', 1],
      [expect.stringContaining('about bug.'), 'GEPA candidate 3: score 1 on 6 validation cases, the best', 2],
    ]);
  });

  test('several texts become components', () => {
    const { versions } = unwrap(readTunedFile(recorded('gepa-0.1.4-components')));
    expect(versions[0]?.text).toBe(
      lines('{{component "planner"}}', 'Plan the answer.', '{{component "writer"}}', 'Write the answer.'),
    );
  });

  test('the best candidate is last even if it has children, and a merge lists its parents', () => {
    const result = {
      candidates: ['a', 'b', 'c'].map((text) => ({ prompt: text })),
      parents: [[null], [0], [1, 0]],
      val_aggregate_scores: [0.1, 0.9, null],
    };
    const { versions } = unwrap(readTunedFile(JSON.stringify(result)));
    expect(versions.map(({ text, message, parent }) => [text, message, parent])).toEqual([
      ['a', 'GEPA candidate 0: score 0.1', null],
      ['c', 'GEPA candidate 2: no score, merged from candidates 1 and 0', 2],
      ['b', 'GEPA candidate 1: score 0.9, the best', 0],
    ]);
  });
});

describe('a program of DSPy', () => {
  test('the input fields of a single predictor become variables, and the prompt ends with its output field', () => {
    const { versions } = unwrap(readTunedFile(recorded('dspy-3.4.1-predict')));
    expect(versions.map(({ text }) => text)).toEqual([
      lines(
        'Sort the support mail by what it is about.',
        '',
        'Mail: {{input}}',
        'Tone: {{metadata.tone}}',
        'Label: (billing, bug or other)',
      ),
    ]);
  });

  test('several predictors become components with their demos', () => {
    const { versions } = unwrap(readTunedFile(recorded('dspy-3.4.1-program')));
    const [text = ''] = versions.map((version) => version.text);
    expect(text.match(/^\{\{component .*$/gm)).toEqual([
      '{{component "plan"}}',
      '{{component "write"}}',
      '{{component "tools_0"}}',
    ]);
    expect(takeExamples(text).examples).toEqual([
      { question: '2+2?', reasoning: 'It is short.', plan: 'Say four.' },
      { question: 'Capital of France?', reasoning: 'Easy.', plan: 'Say Paris.' },
    ]);
  });

  test('output fields can be given, and parts that were not imported are listed', () => {
    const program = {
      signature: {
        instructions: 'Route it.',
        fields: ['Mail', 'Team', 'Due Date'].map((name) => ({ prefix: `${name}:`, description: '' })),
      },
      demos: [
        { mail: 'Hi', team: 'sales', due_date: 3 },
        { mail: '{{input}}', team: 'sales' },
      ],
      lm: { model: 'openai/x' },
    };
    const { versions, notTaken } = unwrap(readTunedFile(JSON.stringify(program), ['team', 'due_date']));
    const { text, examples } = takeExamples(versions[0]?.text ?? '');
    expect(text).toBe(lines('Route it.', '', 'Mail: {{input}}', 'Answer with these fields: team, due_date.'));
    expect(examples).toEqual([{ input: 'Hi', team: 'sales', due_date: '3' }]);
    expect(notTaken).toEqual(['self.demos.1: the field "input" contains {{', expect.stringMatching(/^lm: /)]);
  });

  test.each([
    [
      'a field named input is the input',
      ['Context', 'Input', 'Answer'],
      { context: 'c', input: 'i', answer: 'a' },
      ['Context: {{metadata.context}}', 'Input: {{input}}', 'Answer:'],
      { context: 'c', input: 'i', output: 'a' },
    ],
    [
      'an input field named output keeps its name',
      ['Question', 'Output', 'Answer'],
      { question: 'q', output: 'o', answer: 'a' },
      ['Question: {{input}}', 'Output: {{metadata.output}}', 'Answer:'],
      { input: 'q', output: 'o', answer: 'a' },
    ],
  ])('%s', (_name, names, demo, form, example) => {
    const fields = names.map((name) => ({ prefix: `${name}:`, description: '' }));
    const file = JSON.stringify({ signature: { instructions: 'Do it.', fields }, demos: [demo] });
    const { text, examples } = takeExamples(unwrap(readTunedFile(file)).versions[0]?.text ?? '');
    expect(text).toBe(lines('Do it.', '', ...form));
    expect(examples).toEqual([example]);
  });

  test('a predictor named candidates belongs to a DSPy program', () => {
    const fields = [
      { prefix: 'A:', description: '' },
      { prefix: 'B:', description: '' },
    ];
    const file = JSON.stringify({ candidates: { signature: { instructions: 'Do it.', fields } } });
    expect(unwrap(readTunedFile(file)).format).toBe('dspy');
  });

  test('instructions with many spaces are parsed quickly', { timeout: 2_000 }, () => {
    const fields = [
      { prefix: 'A:', description: '' },
      { prefix: 'B:', description: '' },
    ];
    const instructions = `produce the fields ${' '.repeat(48_000)}x`;
    expect(readTunedFile(JSON.stringify({ signature: { instructions, fields } })).ok).toBe(true);
  });

  test('an exported prompt is imported with its examples', () => {
    const examples = '<examples>\n<example>\n<input>\na\n</input>\n<output>\nb\n</output>\n</example>\n</examples>';
    const file = JSON.stringify(writeDspyProgram(`Sort it.\n\n${examples}`, 'predict'));
    expect(unwrap(readTunedFile(file)).versions[0]?.text).toBe(`Sort it.\n\n${examples}\n\nInput: {{input}}\nOutput:`);
  });
});

describe('readTunedFile refuses', () => {
  const gepa = (changes: object) =>
    JSON.stringify({ candidates: [{ p: 'a' }], parents: [[null]], val_aggregate_scores: [1], ...changes });
  test.each<[string, string, (string | null)[]]>([
    ['a pickle as text', '\ufffd\u0005\ufffd]\u0001', ['file']],
    ['a pickle of protocol 0', "(dp0\nS'traces'\n", ['file']],
    ['text that is not JSON', '{"candidates": [', ['file']],
    ['NaN', '{"candidates": [{"p": "a"}], "val_aggregate_scores": [NaN]}', ['file']],
    ['an object in neither format', '{"a": 1}', ['file']],
    ['a list', '[]', ['file']],
    ['no candidates', gepa({ candidates: [] }), ['file.candidates']],
    ['a candidate without texts', gepa({ candidates: [{}] }), ['file.candidates.0']],
    ['a text that is too long', gepa({ candidates: [{ p: 'a'.repeat(50_001) }] }), ['file.candidates.0.p']],
    [
      'too many candidates',
      gepa({ candidates: Array.from({ length: 1_001 }, () => ({ p: 'a' })) }),
      ['file.candidates'],
    ],
    ['a newer schema version', gepa({ validation_schema_version: 3 }), ['file.validation_schema_version']],
    [
      'lists of different lengths',
      gepa({ parents: [[0], [null]], val_aggregate_scores: [] }),
      ['file.parents', 'file.val_aggregate_scores', 'file.val_subscores', 'file.parents.0.0'],
    ],
    [
      'a component line in one of several texts',
      gepa({ candidates: [{ p: 'a\n{{component "q"}}\nb', q: 'c' }] }),
      ['file.candidates.0.p'],
    ],
    [
      'a component line in one of several predictors',
      JSON.stringify(
        Object.fromEntries(
          ['a', 'b'].map((name) => [
            name,
            { signature: { instructions: `{{component "${name}"}}`, fields: [{ prefix: 'A' }, { prefix: 'B' }] } },
          ]),
        ),
      ),
      ['file.a.signature.instructions', 'file.b.signature.instructions'],
    ],
    ['a text that contains the reference', gepa({ candidates: [{ p: '{{reference}}' }] }), ['file.candidates.0']],
    [
      'predictors without instructions',
      JSON.stringify({
        a: { signature: { fields: [] } },
        b: { signature: { instructions: 1, fields: [{ prefix: 'A' }, { prefix: 'B' }] } },
      }),
      ['file.a.signature.instructions', 'file.a.signature.fields', 'file.b.signature.instructions'],
    ],
    ['a depth that exhausts the stack', `{"candidates": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`, ['file']],
  ])('%s', (_name, file, fields) => {
    const read = readTunedFile(file);
    const problems = read.ok ? [] : problemsOf(read.problem);
    expect(problems.map(({ field }) => field)).toEqual(fields);
  });

  test('text in no format, with all formats that are read', () => {
    const read = readTunedFile('You answer questions.');
    const message = read.ok
      ? ''
      : problemsOf(read.problem)
          .map((problem) => problem.message)
          .join();
    for (const format of [
      'result.to_dict()',
      'program.save',
      'Langfuse',
      'LangSmith',
      'OpenAI',
      '.prompt.yml',
      '.prompty',
      '.prompt ',
    ])
      expect(message).toContain(format);
  });

  test('a pickle, with a remedy', () => {
    expect(readTunedFile('\u0080\u0005')).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('program.save("program.json")') },
    });
  });
});

describe('importTunedFile', () => {
  const db = useTestDatabase();
  const context = () => testContext(db.database());

  test('creates a prompt whose newest version is the best one, but not in a dry run', async () => {
    const input = { name: 'from/gepa', file: recorded('gepa-0.1.4') };
    const looked = unwrap(await importTunedFile(context(), TESTER, { ...input, dryRun: true }));
    expect(await findPrompt(db.database(), 'from/gepa')).toBeNull();
    expect(unwrap(await importTunedFile(context(), TESTER, input))).toEqual(looked);
    const prompt = await findPrompt(db.database(), 'from/gepa');
    expect(prompt?.versions.map(({ number, parent }) => [number, parent])).toEqual([
      [4, 3],
      [3, 2],
      [2, 1],
      [1, null],
    ]);
    const newest = await findPromptVersion(db.database().prisma, 'from/gepa', 'newest');
    expect(newest).toMatchObject({ number: 4, message: expect.stringContaining('the best') });
  });

  test('returns texts as they are stored, without U+0000', async () => {
    const file = JSON.stringify({ prompt: 'Sort\u0000 {{input}}', name: 'nul', type: 'text', version: 1 });
    const input = { name: 'from/nul', file };
    const looked = unwrap(await importTunedFile(context(), TESTER, { ...input, dryRun: true }));
    expect(looked.versions.map(({ text }) => text)).toEqual(['Sort\ufffd {{input}}']);
    expect(unwrap(await importTunedFile(context(), TESTER, input))).toEqual(looked);
    const stored = await findPromptVersion(db.database().prisma, 'from/nul', 'newest');
    expect(stored?.text).toBe('Sort\ufffd {{input}}');
  });

  test('the message lists all problems of the file', async () => {
    const file = '{"candidates": [{"p": 1}, {}], "parents": 2, "val_aggregate_scores": []}';
    expect(await importTunedFile(context(), TESTER, { name: 'wrong', file })).toMatchObject({
      ok: false,
      problem: {
        field: 'file',
        message:
          'file.candidates.0.p must be a text, got 1. file.candidates.1 must contain at least one text. file.parents must be a list, got 2.',
      },
    });
  });

  test('returns a conflict if the name is taken, and stores nothing', async () => {
    const input = { name: 'twice', file: recorded('dspy-3.4.1-predict') };
    unwrap(await importTunedFile(context(), TESTER, input));
    expect(await importTunedFile(context(), TESTER, input)).toMatchObject({
      ok: false,
      problem: { code: 'conflict', field: 'name' },
    });
    expect((await findPrompt(db.database(), 'twice'))?.versions).toHaveLength(1);
  });
});
