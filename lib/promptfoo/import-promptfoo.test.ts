import { describe, expect, test, vi } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { Result } from '#lib/core/problem.ts';
import { findDataset } from '#lib/datasets/queries.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { findRun } from '#lib/runs/queries.ts';
import { TESTER, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { importPromptfoo } from './import-promptfoo.ts';
import { promptfooCases, readPromptfooConfig } from './promptfoo-config.ts';

const db = useTestDatabase();

async function take(config: string, more: object = {}) {
  return importPromptfoo(testContext(db.database()), TESTER, { config, ...more });
}

function granted<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

/** Based on the example at promptfoo.dev/docs/configuration/guide, with more assertion types. */
const CONFIG = `
description: Translations
prompts:
  - 'Translate the following to {{ language }}: {{query}}'
  - file://prompt2.txt
providers: [openai:chat:gpt-5-mini, ollama:llama3]
defaultTest:
  vars: {language: French}
  assert:
    - {type: not-icontains, value: as an AI, metric: No talk}
    - {type: llm-rubric, value: does not apologize, threshold: 0.9, weight: 2}
    - {type: latency, threshold: 5000}
tests:
  - vars: {query: 'Good morning (all)'}
    assert: [{type: icontains, value: bonjour}, {type: javascript, value: output.length < 20}]
  - description: number
    vars: {query: 42, language: [French, German]}
    metadata: {level: hard}
    assert: [{type: icontains, value: 42}]
`;

describe('a promptfoo configuration', () => {
  test('with images as data URLs becomes cases with files, and skips cases with unreadable images', async () => {
    const png =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const content = [
      { type: 'text', text: '{{question}}' },
      { type: 'image_url', image_url: { url: '{{picture}}' } },
    ];
    const config = JSON.stringify({
      prompts: [JSON.stringify([{ role: 'user', content }])],
      tests: [
        { vars: { question: 'What is it?', picture: png, tone: 'dry' } },
        { vars: { question: 'And this?', picture: 'data:image/png;base64,AAEC' } },
      ],
    });
    const before = await db.database().prisma.storedFile.count();
    const looked = granted(await take(config, { dryRun: true, experiment: true }));
    expect(looked).toMatchObject({
      ...{ prompt: '{{input}}', caseCount: 1 },
      notTaken: expect.arrayContaining([
        expect.stringContaining('case 2: picture is a file of an unsupported type. Supported: image/png'),
      ]),
    });
    expect(await db.database().prisma.storedFile.count()).toBe(before);
    const taken = granted(await take(config));
    const [first, ...others] = (await findDataset(db.database(), taken.datasetId ?? ''))?.cases ?? [];
    expect(first?.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'file', file: expect.stringMatching(/^[0-9a-f]{64}$/), mediaType: 'image/png' },
        ],
      },
    ]);
    expect(first?.metadata).toEqual({ tone: 'dry' });
    expect(others).toEqual([]);
    expect(await db.database().prisma.storedFile.count()).toBe(before + 1);
  });

  test('reads files only from variables, and only data URLs with a media type', async () => {
    const url = `data:text/plain,${encodeURIComponent('A note that only this test has.')}`;
    const config = JSON.stringify({
      prompts: ['Read {{note}} {{text}}: {{question}}'],
      tests: [
        { vars: { question: 'a', note: url, text: 'data: 1, 2' }, metadata: { source: url } },
        { vars: { question: 'b', note: 'A text.', text: 'data:,3' } },
      ],
    });
    const before = await db.database().prisma.auditEntry.count();
    const taken = granted(await take(config, { experiment: true }));
    expect(taken).toMatchObject({ prompt: 'Read {{metadata.note}} {{metadata.text}}: {{input}}', caseCount: 2 });
    const [first, second] = (await findDataset(db.database(), taken.datasetId ?? ''))?.cases ?? [];
    // The variable with the file is empty in the prompt.
    expect(first?.metadata).toEqual({ source: url, note: '', text: 'data: 1, 2' });
    expect(first?.messages?.[0]?.content).toMatchObject([{ text: 'a' }, { type: 'file', mediaType: 'text/plain' }]);
    expect(second).toMatchObject({ input: 'b', metadata: { note: 'A text.', text: 'data:,3' } });
    // The dataset and the experiment each get an audit entry, the file does not.
    expect(await db.database().prisma.auditEntry.count()).toBe(before + 2);
  });

  test('is refused if no case has readable files', async () => {
    const config = JSON.stringify({ prompts: ['{{q}}'], tests: [{ vars: { q: 'data:image/png;base64,AAEC' } }] });
    expect(await take(config)).toMatchObject({
      problem: { message: expect.stringContaining('case 1: the input is a file of an unsupported type') },
    });
  });

  test('numbers cases as in the configuration, even after a skipped case', async () => {
    const vars = [
      { q: 'a', picture: 'data:image/png;base64,AAEC' },
      { q: 'b'.repeat(200_001), picture: 'none' },
    ];
    const config = JSON.stringify({ prompts: ['{{q}}{{picture}}'], tests: vars.map((one) => ({ vars: one })) });
    expect(await take(config)).toMatchObject({
      problem: { message: 'case 2: input must be at most 200,000 characters, got 200,001. Nothing was stored.' },
    });
  });

  test.each([
    ['an image URL', { question: 'a' }, 'https://example.org/cat.png', true],
    ['a variable with an image URL', { question: 'a', picture: 'https://example.org/cat.png' }, '{{picture}}', true],
    ['a variable with a data URL', { question: 'a', picture: 'data:text/plain,Hi' }, '{{ picture }}', false],
    ['the input with a data URL', { picture: 'data:text/plain,Hi' }, '{{picture}}', false],
  ])('lists an image of the prompt that is not imported, except a data URL: %s', async (_name, vars, url, isListed) => {
    const content = [{ type: 'image_url', image_url: { url } }];
    const config = JSON.stringify({ prompts: [JSON.stringify([{ role: 'user', content }])], tests: [{ vars }] });
    const { notTaken } = granted(await take(config, { dryRun: true }));
    const listed = notTaken.filter((one) => one.startsWith('prompt'));
    expect(listed).toEqual(isListed ? ['prompt 1: an image or file that is not a variable with a data URL'] : []);
  });

  test('becomes cases with references and an experiment with its prompt, model and assertions', async () => {
    const taken = granted(await take(CONFIG, { experiment: true }));
    expect((await findDataset(db.database(), taken.datasetId ?? ''))?.cases).toEqual([
      {
        ...{ input: 'Good morning (all)', reference: 'bonjour', tags: [], metadata: { language: 'French' } },
        criteria: {
          ...{ others: 'on', change: {}, qualityThreshold: null },
          add: [expect.objectContaining({ name: 'javascript', evaluator: 'function', threshold: 0.01 })],
        },
      },
      ...['French', 'German'].map((language) => ({
        input: '42',
        reference: '42',
        tags: [],
        metadata: { level: 'hard', description: 'number', language },
      })),
    ]);
    const experiment = await findExperiment(db.database(), taken.experimentId ?? '');
    expect(experiment).toMatchObject({
      name: 'Translations',
      settings: {
        generator: { provider: 'practice' },
        prompts: { generate: 'Translate the following to {{metadata.language}}: {{input}}' },
        criteria: [
          { name: 'icontains', evaluator: 'reference', config: { match: 'contains', normalize: 'lower' } },
          { name: 'no_talk', evaluator: 'regex', config: { pattern: 'as an AI', flags: 'i', mustMatch: false } },
          { name: 'llm_rubric', evaluator: 'llm', weight: 2, threshold: 0.9, config: { rubric: 'does not apologize' } },
        ],
      },
    });
    expect(taken.notTaken).toEqual([
      'prompt 2: file://prompt2.txt is a file or a reference, which is not read',
      'provider ollama:llama3',
      'assert latency: Hone measures it and has budgets for it, but does not score it',
      'provider openai:gpt-5-mini: openai is not connected, so the experiment uses the practice model',
    ]);
  });

  test('lists files in lists of values instead of importing their paths', async () => {
    const config = `
prompts: ['Sum up {{document}}']
tests: [{vars: {document: ['A text.', 'file://a.txt', 'file://b.txt']}}]
`;
    expect(granted(await take(config, { dryRun: true }))).toMatchObject({
      ...{ caseCount: 1, first: [{ input: 'A text.' }] },
      notTaken: [
        'test 1: document is file://a.txt: files are not read',
        'test 1: document is file://b.txt: files are not read',
      ],
    });
  });

  test('skips a test whose variable is a file, before its lists are combined', async () => {
    const config = `
prompts: ['Sum up {{document}} in {{language}}']
tests:
  - vars: {document: 'file://a.txt', language: [French, German]}
  - vars: {document: A text., language: French}
`;
    expect(granted(await take(config, { dryRun: true }))).toMatchObject({
      ...{ caseCount: 1, first: [{ input: 'A text.' }] },
      notTaken: ['test 1: document is file://a.txt: files are not read'],
    });
  });

  test('names only providers that have an id', async () => {
    const config = `
prompts: ['Say {{q}}']
providers: [{label: fast}, {config: {temperature: 1}}, {'openai:gpt-5': {config: {temperature: 0}}}, {'ollama:llama3': }]
tests: [{vars: {q: one}}]
`;
    expect(granted(await take(config, { dryRun: true })).notTaken).toEqual([
      'provider without an id',
      'provider without an id',
      'provider ollama:llama3',
      expect.stringContaining('openai is not connected'),
    ]);
  });

  test('may have empty entries, as in a template that is not filled in', async () => {
    const config = `
description:
prompts: ['Say {{q}}']
providers:
  - openai:gpt-5-mini:
      config: {temperature: 0}
defaultTest:
  assert:
    # - type: latency
tests:
  - vars: {q: one}
    assert:
    options:
    threshold:
  - {vars: {q: two}, description: , assert: [{type: contains, value: two, metric: }]}
`;
    expect(granted(await take(config, { dryRun: true, experiment: true }))).toMatchObject({
      ...{ name: 'promptfoo', caseCount: 2, withReference: 1 },
      notTaken: [expect.stringContaining('provider openai:gpt-5-mini'), expect.stringContaining('without an imported')],
    });
  });

  test.each([
    ['the whole default', 'defaultTest: file://d.yaml', ['defaultTest file://d.yaml: files are not read']],
    ['its variables', 'defaultTest: {vars: file://v.yaml}', ['defaultTest: vars file://v.yaml: files are not read']],
    [
      'several files of variables',
      'defaultTest: {vars: [a.yaml, b.yaml]}',
      ['defaultTest: vars a.yaml, b.yaml: files are not read'],
    ],
    ['a variable', 'defaultTest: {vars: {c: file://c.txt}}', ['defaultTest: c is file://c.txt: files are not read']],
    [
      'an expected value',
      'defaultTest: {assert: [{type: equals, value: file://a.txt}]}',
      ['assert equals: its value is a file, which is not read'],
    ],
    [
      'a prompt and a model of judges',
      'defaultTest: {options: {rubricPrompt: file://r.txt, provider: file://p.yaml}}',
      [
        'defaultTest: rubricPrompt is file://r.txt: files are not read',
        'defaultTest: provider is file://p.yaml: files are not read',
      ],
    ],
    [
      'a function that combines scores',
      'defaultTest: {assertScoringFunction: file://s.js}',
      ['defaultTest: assertScoringFunction is file://s.js: files are not read'],
    ],
    [
      'a transformation',
      'defaultTest: {options: {transform: file://t.js}, assert: [{type: javascript, value: output > 1}]}',
      ['assert javascript: its test transforms the output with a file, which is not read'],
    ],
  ])('reports a file in defaultTest once and keeps the cases: %s', async (_name, defaults, notTaken) => {
    const config = `prompts: ['Say {{q}}']\n${defaults}\ntests:\n  - vars: {q: one}\n  - vars: {q: two}\n`;
    expect(granted(await take(config, { dryRun: true }))).toMatchObject({ caseCount: 2, notTaken });
  });

  test('a variable of a test replaces a file of the default', async () => {
    const config = `
prompts: ['{{c}}: {{q}}']
defaultTest: {vars: {c: file://c.txt}}
tests:
  - vars: {q: one, c: context}
  - vars: [more.yaml]
`;
    expect(granted(await take(config, { dryRun: true }))).toMatchObject({
      caseCount: 1,
      notTaken: ['defaultTest: c is file://c.txt: files are not read', 'test 2: vars more.yaml: files are not read'],
    });
  });

  test('merges the entries of YAML merge keys into tests', async () => {
    const config = `
prompts: ['Say {{query}}']
defaults: &defaults
  vars: {query: Hello}
  assert: [{type: icontains, value: hello}]
tests:
  - *defaults
  - <<: *defaults
    vars: {query: Goodbye}
`;
    const taken = granted(await take(config));
    expect(taken).toMatchObject({ caseCount: 2, notTaken: [] });
    const { cases = [] } = (await findDataset(db.database(), taken.datasetId ?? '')) ?? {};
    expect(cases.map(({ input }) => input)).toEqual(['Hello', 'Goodbye']);
    expect(cases[1]?.criteria).toEqual(cases[0]?.criteria);
    expect(cases[1]?.criteria).not.toBeNull();
  });

  test('is refused with all of its faults', async () => {
    const config = `
prompts: ['Say {{q}}']
defaultTest: {threshold: high}
tests:
  - {vars: {q: one}, assert: [{value: x}]}
  - vars: {q: two}
  - {vars: [three], assert: {type: contains}}
`;
    const refused = await take(config);
    const message = refused.ok ? '' : refused.problem.message;
    for (const field of ['defaultTest.threshold', 'tests.0.assert.0.type', 'tests.2.vars', 'tests.2.assert'])
      expect(message).toContain(`${field} `);
  });

  test('stores nothing in a dry run', async () => {
    const before = await db.database().prisma.dataset.count();
    const looked = granted(await take(CONFIG, { dryRun: true, experiment: true, name: 'Mine' }));
    expect(looked).toMatchObject({ datasetId: null, experimentId: null, name: 'Mine', caseCount: 3, withReference: 3 });
    expect(await db.database().prisma.dataset.count()).toBe(before);
  });

  test('can be JSON with a chat prompt', async () => {
    const chat = JSON.stringify([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Answer: {{question}}' },
    ]);
    const config = JSON.stringify({
      prompts: [{ raw: chat, label: 'chat' }],
      tests: [
        { vars: { topic: 'a', question: 'What?' }, assert: [{ type: 'equals', value: 'This' }] },
        { vars: { topic: 'b', question: 'Who?' } },
      ],
    });
    const taken = granted(await take(config, { experiment: true }));
    expect(taken).toMatchObject({ name: 'promptfoo', inputVariable: 'question', withReference: 1 });
    expect(taken.notTaken).toEqual(['tests without an imported assertion: a judge scores whether the task is done']);
    expect(taken).toMatchObject({ withCriteria: 1, criteria: [{ name: 'answers_the_task' }] });
    expect((await findExperiment(db.database(), taken.experimentId ?? ''))?.settings).toMatchObject({
      generator: { instructions: 'Be short.' },
      prompts: { generate: 'Answer: {{input}}' },
    });
  });

  test.each([
    ['a prompt with logic', 'prompts: ["{% if a %}x{% endif %} {{a}}"]', /prompt 1: its template has logic/],
    ['a prompt with a filter', 'prompts: ["{{ a | upper }}"]', /prompt 1: its template has filters/],
    ['variables in a file', 'tests: [{vars: {a: "file://a.txt"}}, {vars: {a: 1}}]', /test 1: a is file:\/\/a.txt/],
    ['a pattern that no engine supports', 'defaultTest: {assert: [{type: regex, value: "(?<=a"}]}', /assert regex: /],
    [
      'an assertion of one test',
      'tests: [{vars: {a: 1}, assert: [{type: latency}]}, {vars: {a: 2}}]',
      /^assert latency: .* \(test 1\)$/,
    ],
    ['a test without a value', 'tests: [{vars: {b: 2}}, {vars: {a: 1, b: 2}}, {}]', /1 test without a value for b/],
  ])('reports %s as not imported', async (_name, part, words) => {
    const whole = part.startsWith('tests:') ? part : `${part}\ntests: [{vars: {a: 1}}]`;
    const looked = granted(await take(whole, { dryRun: true }));
    expect(looked.notTaken).toEqual(expect.arrayContaining([expect.stringMatching(words)]));
  });

  test.each([
    ['invalid YAML', 'prompts: [a\ntests: }', /^line \d+, column \d+: this is neither YAML nor JSON/],
    ['no tests', 'prompts: [a]', /There is no test/],
    ['tests that are not a list', 'tests: 7', /^tests does not match the promptfoo format/],
    ['YAML aliases that expand to gigabytes', bomb(), /neither YAML nor JSON.*alias/i],
    ['YAML merge keys that expand to gigabytes', mergeBomb(), /neither YAML nor JSON.*alias/i],
  ])('rejects %s', async (_name, config, message) => {
    expect(await take(config)).toMatchObject({ ok: false, problem: { message: expect.stringMatching(message) } });
  });
});

describe('a configuration that needs too much time or memory', () => {
  const tests = (count: number, test: object) => JSON.stringify({ tests: Array.from({ length: count }, () => test) });
  const many = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, value]));
  const digits = Array.from({ length: 10 }, (_, at) => String(at));

  test.each([
    ['assertions', `[${'{"type":"assert-set","assert":['.repeat(2_000)}${']}'.repeat(2_000)}]`],
    ['a template', `[{"value":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`],
  ])('refuses nesting deeper than 100 levels: %s', async (_name, assert) => {
    expect(
      await take(`{"prompts":["Say {{q}}"],"assertionTemplates":{},"tests":[{"assert":${assert}}]}`),
    ).toMatchObject({
      problem: { code: 'invalid', field: 'config', message: expect.stringContaining('nested deeper than 100 levels') },
    });
  });

  test('in YAML is parsed in a worker thread that is terminated after 10 s', async () => {
    // Shortens the limit, because the thread would use a processor all that time.
    const realTimeout = globalThis.setTimeout;
    const limits = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((work, ms) => realTimeout(work, ms === 10_000 ? 200 : ms));
    const startedAt = process.threadCpuUsage();
    const map = Array.from({ length: 80_000 }, (_, at) => `k${at}: v`).join('\n');
    expect(await take(map, { dryRun: true })).toMatchObject({
      ok: false,
      problem: { code: 'too_large', message: expect.stringMatching(/more than 10 s .* Send it as JSON/) },
    });
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(2_000);
    expect(limits).toHaveBeenCalledWith(expect.any(Function), 10_000);
  });

  test.each<[string, string]>([
    ['many combinations in many tests', tests(2_000, { vars: many(4, digits) })],
    ['combinations of many variables', tests(2, { vars: { ...many(5, digits), ...many(10_000, 1) } })],
    ['many variables', tests(1, { vars: many(20_000, 1) })],
    [
      'defaults repeated in each test',
      JSON.stringify({
        tests: Array.from({ length: 2_000 }, (_, at) => ({ vars: { q: at } })),
        defaultTest: { assert: Array.from({ length: 2_000 }, () => ({ type: 'is-json' })), metadata: many(2_000, 1) },
      }),
    ],
    // The limit counts CPU time. The timeout is longer, because other tests use the same processors.
  ])('is truncated: %s', { timeout: 120_000 }, async (_name, config) => {
    const startedAt = process.threadCpuUsage();
    await take(config, { dryRun: true });
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(12_000);
  });
});

describe('a configuration with very many cases', () => {
  const words = (count: number, long = 0) => Array.from({ length: count }, (_, at) => `${at}${'x'.repeat(long)}`);

  test.each<[string, object]>([
    ['combinations of two lists', { tests: [{ vars: { q: words(180), r: words(180) } }] }],
    [
      'combinations without a readable file',
      {
        tests: [
          ...words(20).map((q) => ({ vars: { q: words(300), r: words(300), document: `file://${q}` } })),
          { vars: { q: 'one' } },
        ],
      },
    ],
    ['single tests', { tests: words(40_000).map((q) => ({ vars: { q } })) }],
    [
      'combinations with assertions',
      { tests: [{ vars: { q: words(120), r: words(120) }, assert: [{ type: 'contains', value: '{{q}} {{r}}' }] }] },
    ],
  ])('yields to the event loop: %s', async (_name, config) => {
    const { value, longestMs } = await longestTurn(() => take(JSON.stringify(config), { dryRun: true }));
    expect(value.ok).toBe(true);
    expect(longestMs).toBeLessThan(150);
  });

  test.each<[string, object]>([
    ['in its variables', { tests: [{ vars: { q: words(250, 5_000), r: words(250, 5_000) } }] }],
    [
      'in its default metadata',
      { defaultTest: { metadata: { long: words(1, 5_000) } }, tests: [{ vars: { q: words(20_000) } }] },
    ],
    [
      'in its assertions',
      {
        tests: [{ vars: { q: words(250), r: words(250) }, assert: [{ type: 'contains', value: words(1, 8_000)[0] }] }],
      },
    ],
  ])('is rejected with too many characters %s', async (_name, config) => {
    expect(await take(JSON.stringify(config))).toMatchObject({
      ok: false,
      problem: {
        code: 'too_large',
        field: 'config',
        message: expect.stringContaining('more than 50,000,000 characters'),
      },
    });
  });
});

test('combines only lists of texts, like promptfoo', async () => {
  const turns = [{ user: 'Who founded it?' }, { assistant: 'Ada' }];
  const config = JSON.stringify({ tests: [{ vars: { q: ['a', 'b'], turns, scores: [1, 2], none: [] } }] });
  const { cases } = granted(await promptfooCases(granted(await readPromptfooConfig(config))));
  expect(cases.map(({ vars }) => vars)).toEqual(['a', 'b'].map((q) => ({ q, turns, scores: [1, 2], none: [] })));
});

test('keeps all variables of the first cases if there are too many combinations', async () => {
  const words = Array.from({ length: 400 }, (_, at) => `w${at}`);
  const config = JSON.stringify({ tests: [{ vars: { q: words, r: words, language: 'French' } }] });
  const parsed = await promptfooCases(granted(await readPromptfooConfig(config)));
  const { cases, notTaken } = granted(parsed);
  expect([cases.length, notTaken]).toEqual([100_000, ['cases after the first 100,000']]);
  expect(cases.at(-1)?.vars).toEqual({ q: 'w249', r: 'w399', language: 'French' });
});

describe('assertions of single tests', () => {
  const PER_TEST = `
prompts: ['Say {{q}}']
defaultTest:
  assert: [{type: icontains, value: a}]
tests:
  - {vars: {q: one, who: Ada}, assert: [{type: contains, value: '{{who}}'}, {type: llm-rubric, value: 'greets {{who}}', weight: 3}]}
  - {vars: {q: two}, threshold: 0.5, assert: [{type: contains-all, value: [x, y]}]}
  - {vars: {q: three}, options: {disableDefaultAsserts: true}, assert: [{type: factuality, value: Paris}]}
`;

  test('become criteria of their cases, in addition to the shared ones', async () => {
    const taken = granted(await take(PER_TEST, { experiment: true }));
    expect(taken).toMatchObject({ caseCount: 3, withCriteria: 3, notTaken: [] });
    const cases = (await findDataset(db.database(), taken.datasetId ?? ''))?.cases ?? [];
    expect(cases.map(({ criteria }) => criteria?.add.map(({ name, weight }) => [name, weight]))).toEqual([
      [
        ['icontains', 1],
        ['contains', 1],
        ['llm_rubric', 3],
      ],
      [
        ['icontains', 1],
        ['contains_all', 1],
      ],
      [['factuality', 1]],
    ]);
    expect(cases[0]?.criteria?.add[2]).toMatchObject({
      evaluator: 'llm',
      config: { rubric: 'greets {{metadata.who}}' },
    });
    expect(cases[1]?.criteria).toMatchObject({
      qualityThreshold: 0.5,
      add: [{ threshold: null }, { threshold: null }],
    });
    expect(cases[2]).toMatchObject({
      reference: 'Paris',
      criteria: { add: [{ config: { rubric: expect.stringContaining('{{reference}}') } }] },
    });
  });

  test('all stay with the cases if no experiment is created', async () => {
    const config = 'tests: [{vars: {q: 1}, assert: [{type: is-json}]}, {vars: {q: 2}, assert: [{type: is-json}]}]';
    const alone = granted(await take(config, { dryRun: true }));
    expect(alone).toMatchObject({ withCriteria: 2, criteria: [] });
    const drafted = granted(await take(config, { dryRun: true, experiment: true }));
    expect(drafted).toMatchObject({ withCriteria: 0, criteria: [{ name: 'is_json', evaluator: 'json_schema' }] });
  });

  test('read a schema that is a text of YAML or JSON', async () => {
    const schema = 'type: object\n            required: [a]';
    const config = `
tests:
  - vars: {q: 1}
    assert:
      - type: is-json
        value: |
            ${schema}
      - {type: is-json, value: '{"type": "array"}'}
      - {type: is-json, value: 'no schema'}
`;
    const drafted = granted(await take(config, { dryRun: true, experiment: true }));
    const made = { evaluator: 'json_schema', description: 'The output is JSON of the right form.' };
    expect(drafted.criteria).toMatchObject([made, made]);
    expect(drafted.notTaken).toEqual([expect.stringContaining('its schema is no object')]);
  });

  test('score the runs of the drafted experiment', async () => {
    const context = testContext(db.database());
    const config = `
prompts: ['{{q}}']
tests:
  - {vars: {q: Write a guide to code reviews}, assert: [{type: javascript, value: output.length > 20 && context.vars.q.startsWith('Write')}]}
  - {vars: {q: Write a guide to tea}, assert: [{type: not-contains, value: 'e'}, {type: starts-with, value: zzz}], threshold: 0.4}
`;
    const { datasetId, experimentId } = granted(await importPromptfoo(context, TESTER, { config, experiment: true }));
    granted(await updateExperiment(context, TESTER, experimentId ?? '', { maxIterations: 0 }));
    const options = { idempotencyKey: null, watched: false };
    const started = await startBatch(context, TESTER, experimentId ?? '', { datasetId }, options);
    const evaluations = [];
    for (const runId of granted(started).runIds) {
      await performRun(testWorkerContext(context), runId);
      evaluations.push((await findRun(context.database, runId))?.record.versions[0]?.evaluations[0]);
    }
    expect(evaluations).toMatchObject([
      { criteriaScores: { javascript: 1 }, satisfactory: true },
      { criteriaScores: { not_contains: 0, starts_with: 0 }, satisfactory: false },
    ]);
  });

  test("with a pattern that Hone's regex engine does not support become functions", async () => {
    const config = 'tests: [{vars: {q: 1}, assert: [{type: regex, value: "(?<=a)b"}]}]';
    const taken = granted(await take(config, { dryRun: true, experiment: true }));
    expect(taken).toMatchObject({ notTaken: [], criteria: [{ name: 'regex', evaluator: 'function' }] });
  });

  test('can come from templates, and a prompt without variables becomes the input', async () => {
    const config = `
prompts: ['Hello! How are you?']
assertionTemplates: {kind: {type: llm-rubric, value: is kind}}
tests: [{assert: [{$ref: '#/assertionTemplates/kind'}]}, {assert: [{type: assert-set, assert: [{type: contains, value: fine}]}]}]
`;
    const taken = granted(await take(config, { dryRun: true, experiment: true }));
    expect(taken).toMatchObject({
      caseCount: 2,
      withCriteria: 2,
      prompt: null,
      first: [{ input: 'Hello! How are you?' }, {}],
    });
  });
});

/** Runs `work` and measures the longest time it blocked the event loop, in milliseconds of CPU time. */
async function longestTurn<Value>(work: () => Promise<Value>): Promise<{ value: Value; longestMs: number }> {
  let longestMs = 0;
  let isDone = false;
  let before = process.threadCpuUsage();
  const measure = () => {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(measure);
  };
  setImmediate(measure);
  const value = await work();
  isDone = true;
  await new Promise((resolve) => setImmediate(resolve));
  return { value, longestMs };
}

function bomb(): string {
  const lines = Array.from(
    { length: 9 },
    (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(', ')}]`,
  );
  return ['a0: &a0 [x, x, x]', ...lines, 'tests: *a9'].join('\n');
}

function mergeBomb(): string {
  const lines = Array.from({ length: 9 }, (_, at) => {
    const members = Array.from({ length: 8 }, (_each, key) => `k${at}${key}: *a${at}`);
    return `a${at + 1}: &a${at + 1} {<<: *a${at}, ${members.join(', ')}}`;
  });
  return ['a0: &a0 {x: x}', ...lines, 'tests: [{<<: *a9}]'].join('\n');
}

test('stores no dataset if the experiment cannot be stored', async () => {
  const { pool, prisma } = db.database();
  await pool.query(
    `CREATE FUNCTION fail_experiment() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no experiment'; END $$;
     CREATE TRIGGER experiments_fail BEFORE INSERT ON experiments FOR EACH ROW EXECUTE FUNCTION fail_experiment()`,
  );
  const before = await prisma.dataset.count();
  try {
    const config = 'prompts: ["Say {{query}}"]\ntests: [{vars: {query: hello}}]';
    await expect(importPromptfoo(testContext(db.database()), TESTER, { config, experiment: true })).rejects.toThrow();
  } finally {
    await pool.query('DROP TRIGGER experiments_fail ON experiments; DROP FUNCTION fail_experiment()');
  }
  expect(await prisma.dataset.count()).toBe(before);
});
