import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mapRow } from './case-mapping.ts';
import { type CaseMapping, caseMappingSchema } from './case-mapping-schema.ts';
import { answeredColumn } from './mapped-columns.ts';
import { textOf } from './text-of.ts';

const map = (row: Record<string, unknown>, mapping: CaseMapping, isTable = false, keepOthers = false) =>
  mapRow(row, { mapping, keepOthers }, isTable).value;

describe('mapRow', () => {
  test.each([
    ['the only argument of a function', { inputs: { question: 'Why?' } }, 'Why?'],
    ['an object with one member', { context: { author: 'Ada' } }, '{"author":"Ada"}'],
  ])('reads %s as the input', (_name, row, input) => {
    expect(map(row, { inputs: 'input', context: 'input' })).toEqual({ input });
  });

  describe('messages that end with an answer, as in fine-tuning files', () => {
    const asked = [
      { role: 'system', content: 'Be dry.' },
      { role: 'user', content: 'Capital of France?' },
    ];
    const answered = [...asked, { role: 'assistant', content: 'Paris.', weight: 1 }];

    test.each<[string, Record<string, unknown>, CaseMapping, boolean]>([
      ['a column of a case', { messages: answered }, {}, false],
      ['a mapped column', { messages: answered, tools: [] }, { messages: 'input', tools: 'ignore' }, false],
      ['a table', { messages: JSON.stringify(answered) }, {}, true],
      [
        'an answer in parts',
        { messages: [...asked, { role: 'assistant', content: [{ type: 'text', text: 'Paris.' }] }] },
        {},
        false,
      ],
    ])('makes the answer the reference: %s', (_name, row, mapping, isTable) => {
      expect(map(row, mapping, isTable)).toEqual({ input: asked, reference: 'Paris.' });
    });

    test.each<[CaseMapping, string | null]>([
      [{ messages: 'input', id: 'metadata' }, 'messages'],
      [{ conversations: 'input' }, 'conversations'],
      [{ messages: 'input', ideal: 'reference' }, null],
      [{ question: 'input', messages: 'metadata' }, null],
    ])('names the column whose answer becomes the reference: %j', (mapping, column) => {
      expect(answeredColumn(mapping)).toBe(column);
    });

    test.each<[string, Record<string, unknown>]>([
      ['a file with a reference', { messages: answered, reference: null }],
      ['an answer that calls a tool', { messages: [...asked, { ...answered[2], tool_calls: [{ id: 'a' }] }] }],
      ['an answer without a text', { messages: [...asked, { role: 'assistant', content: null }] }],
      ['only an answer', { messages: answered.slice(2) }],
      ['an input of Hone', { input: answered }],
    ])('keeps the messages: %s', (_name, row) => {
      expect(map(row, {})).toEqual('input' in row ? row : { ...row, input: row.messages, messages: undefined });
    });
  });

  describe('conversations of other tools', () => {
    const asked = { role: 'user', content: 'Why?' };
    const answered = { role: 'assistant', content: 'So.' };
    const shared = [
      { from: 'system', value: 'Be dry.' },
      { from: 'human', value: 'Why?' },
      { from: 'gpt', value: 'So.' },
    ];
    const chain = [
      { type: 'human', content: 'Why?', id: null },
      { type: 'ai', content: '', tool_calls: [{ name: 'find', args: { q: 1 }, id: 'a', type: 'tool_call' }] },
      { type: 'tool', content: '7', name: 'find', tool_call_id: 'a' },
      { type: 'human', data: { content: 'Why?' } },
    ];
    const serialized = (name: string, kwargs: Record<string, unknown>) => ({
      ...{ lc: 1, type: 'constructor', id: ['langchain', 'schema', 'messages', name] },
      kwargs,
    });
    const called = [{ id: 'a', function: { name: 'find', arguments: '{"q":1}' } }];
    const withToolUse = {
      input: [
        asked,
        { role: 'assistant', content: '', tool_calls: called },
        { role: 'tool', content: '7', name: undefined, tool_call_id: 'a' },
      ],
      reference: 'So.',
    };

    test.each<[string, Record<string, unknown>, CaseMapping, boolean, Record<string, unknown>]>([
      [
        'ShareGPT, whose last answer is the reference',
        { conversations: shared },
        { conversations: 'input' },
        false,
        { input: [{ role: 'system', content: 'Be dry.' }, asked], reference: 'So.' },
      ],
      [
        'ShareGPT in a table',
        { conversations: JSON.stringify(shared.slice(0, 2)) },
        { conversations: 'input' },
        true,
        { input: [{ role: 'system', content: 'Be dry.' }, asked] },
      ],
      ['ShareGPT as messages', { messages: shared.slice(1) }, {}, false, { input: [asked], reference: 'So.' }],
      [
        'LangSmith',
        { inputs: { messages: chain } },
        { 'inputs.messages': 'input' },
        false,
        {
          input: [
            asked,
            { role: 'assistant', content: '', tool_calls: called },
            { role: 'tool', content: '7', name: 'find', tool_call_id: 'a' },
            asked,
          ],
        },
      ],
      [
        'an answer of LangSmith next to a reference',
        {
          inputs: [
            { type: 'human', content: 'Why?' },
            { type: 'ai', content: 'So.' },
          ],
          answer: 'So',
        },
        { inputs: 'input', answer: 'reference' },
        false,
        { input: [asked, answered], reference: 'So' },
      ],
      [
        'constructors that LangChain serialized',
        {
          messages: [
            serialized('SystemMessage', { content: 'Be dry.', type: 'system' }),
            serialized('HumanMessage', { content: 'Why?' }),
            serialized('AIMessage', { content: '', tool_calls: [{ name: 'find', args: { q: 1 }, id: 'a' }] }),
            serialized('ToolMessage', { content: '7', name: 'find', tool_call_id: 'a', status: 'success' }),
            serialized('AIMessageChunk', { content: [{ type: 'text', text: 'So.' }], tool_calls: [] }),
          ],
        },
        {},
        false,
        {
          input: [
            { role: 'system', content: 'Be dry.' },
            asked,
            { role: 'assistant', content: '', tool_calls: called },
            { role: 'tool', content: '7', name: 'find', tool_call_id: 'a' },
          ],
          reference: 'So.',
        },
      ],
      [
        'calls and observations of ShareGPT',
        {
          conversations: [
            { from: 'human', value: 'Why?' },
            { from: 'function_call', value: '{"name": "find", "arguments": {"q": 1}}' },
            { from: 'observation', value: '7' },
            { from: 'gpt', value: 'So.' },
          ],
        },
        { conversations: 'input' },
        false,
        {
          input: [
            asked,
            {
              role: 'assistant',
              content: '',
              tool_calls: [{ id: 'call_1', function: { name: 'find', arguments: { q: 1 } } }],
            },
            { role: 'tool', content: '7', name: 'find', tool_call_id: 'call_1' },
          ],
          reference: 'So.',
        },
      ],
      [
        'an unknown sender of ShareGPT, which is reported',
        {
          conversations: [
            { from: 'human', value: 'Why?' },
            { from: 'narrator', value: 'x' },
          ],
        },
        { conversations: 'input' },
        false,
        { input: [asked, { role: 'narrator', content: 'x' }] },
      ],
      [
        'a span of OpenInference with flat keys',
        {
          'attributes.llm.input_messages': [
            { 'message.role': 'user', 'message.content': 'Why?' },
            {
              'message.role': 'assistant',
              'message.content': '',
              'message.tool_calls': [
                {
                  'tool_call.id': 'a',
                  'tool_call.function.name': 'find',
                  'tool_call.function.arguments': '{"q":1}',
                },
              ],
            },
            { 'message.role': 'tool', 'message.content': '7', 'message.tool_call_id': 'a' },
          ],
          'attributes.llm.output_messages': [
            { message: { finish_reason: 'stop' }, 'message.role': 'assistant', 'message.content': 'So.' },
          ],
        },
        { 'attributes.llm.input_messages': 'input', 'attributes.llm.output_messages': 'reference' },
        false,
        withToolUse,
      ],
      [
        'a span of OpenInference with nested keys',
        { llm: { input_messages: [{ message: { role: 'user', content: 'Why?' } }] } },
        { 'llm.input_messages': 'input' },
        false,
        { input: [asked] },
      ],
      [
        'a span of OpenTelemetry, with messages as JSON',
        {
          'attributes.gen_ai.input.messages': JSON.stringify([
            { role: 'user', parts: [{ type: 'text', content: 'Why?' }] },
            {
              role: 'assistant',
              parts: [
                { type: 'reasoning', content: 'Hm.' },
                { type: 'tool_call', id: 'a', name: 'find', arguments: { q: 1 } },
              ],
            },
            { role: 'tool', parts: [{ type: 'tool_call_response', id: 'a', response: '7' }] },
          ]),
          'attributes.gen_ai.output.messages': JSON.stringify([
            { role: 'assistant', parts: [{ type: 'text', content: 'So.' }], finish_reason: 'stop' },
          ]),
        },
        { 'attributes.gen_ai.input.messages': 'input', 'attributes.gen_ai.output.messages': 'reference' },
        false,
        withToolUse,
      ],
      [
        'two results and a reasoning in a conversation of OpenTelemetry',
        {
          messages: [
            { role: 'user', parts: [{ type: 'text', content: 'Why?' }] },
            { role: 'assistant', parts: [{ type: 'reasoning', content: 'Hm.' }] },
            {
              role: 'tool',
              parts: [
                { type: 'tool_call_response', id: 'a', response: '7' },
                { type: 'tool_call_response', id: 'b', response: { n: 8 } },
              ],
            },
          ],
        },
        { messages: 'input' },
        false,
        {
          input: [
            asked,
            { role: 'tool', content: '7', name: undefined, tool_call_id: 'a' },
            { role: 'tool', content: '{"n":8}', name: undefined, tool_call_id: 'b' },
          ],
        },
      ],
      [
        'calls in a conversation of Gemini',
        {
          contents: [
            { role: 'user', parts: [{ text: 'Why?' }] },
            { role: 'model', parts: [{ functionCall: { name: 'find', args: { q: 1 } } }] },
            { role: 'user', parts: [{ functionResponse: { name: 'find', response: { n: 7 } } }] },
          ],
        },
        { contents: 'input' },
        false,
        {
          input: [
            asked,
            { role: 'assistant', content: '', tool_calls: [{ ...called[0], id: 'find' }] },
            { role: 'tool', content: '{"n":7}', name: undefined, tool_call_id: 'find' },
          ],
        },
      ],
      [
        'a conversation of Gemini',
        {
          contents: [
            { role: 'user', parts: [{ text: 'Why?' }] },
            { role: 'model', parts: [{ text: 'So.' }] },
          ],
        },
        { contents: 'input' },
        false,
        { input: [asked, answered] },
      ],
      [
        'the inputs of a model in LangSmith',
        { inputs: { messages: [[{ type: 'human', content: 'Why?' }]] } },
        { 'inputs.messages': 'input' },
        false,
        { input: [asked] },
      ],
      [
        'inputs and outputs of LangSmith in a table',
        { inputs: JSON.stringify({ messages: [asked] }), outputs: JSON.stringify({ messages: [answered] }) },
        { inputs: 'input', outputs: 'reference' },
        true,
        { input: [asked], reference: 'So.' },
      ],
      [
        'not a list with an unknown sender',
        { turns: [...shared, { from: 'narrator', value: 'x' }] },
        { turns: 'input' },
        false,
        { input: JSON.stringify([...shared, { from: 'narrator', value: 'x' }]) },
      ],
    ])('%s', (_name, row, mapping, isTable, value) => {
      expect(map(row, mapping, isTable)).toEqual(value);
    });

    test.each<[string, unknown]>([
      ['messages', { messages: [answered] }],
      ['a whole conversation', { messages: [asked, answered] }],
      ['a message', { message: answered }],
      ['a list of messages', [answered]],
      ['a response of OpenAI', { choices: [{ index: 0, message: answered, finish_reason: 'stop' }] }],
      ['a message of LangChain', { output: { type: 'ai', data: { content: 'So.' } } }],
      [
        'a result of LangChain',
        { generations: [[{ text: 'So.', message: serialized('AIMessage', { content: 'So.' }) }]] },
      ],
    ])('makes the text of an answer the reference: %s', (_name, outputs) => {
      expect(map({ input: 'Why?', outputs }, { outputs: 'reference' })).toEqual({ input: 'Why?', reference: 'So.' });
    });

    test('reads a row without the object of the reference', () => {
      const mapping = { 'inputs.question': 'input', 'outputs.answer': 'reference' };
      expect(map({ inputs: { question: 'Why?' }, outputs: null }, mapping)).toEqual({ input: 'Why?' });
    });

    test('keeps an answer that calls a tool as JSON', () => {
      const outputs = { messages: [{ role: 'assistant', content: null, tool_calls: called }] };
      expect(map({ input: 'Why?', outputs }, { outputs: 'reference' }).reference).toBe(JSON.stringify(outputs));
    });
  });

  test.each<[string, Record<string, unknown>, CaseMapping, boolean, Record<string, unknown>]>([
    [
      'column names of another tool',
      { question: 'Why?', 'ideal answer': 'So', topic: 'logic, basics', id: '7', tone: 'dry', note: '' },
      {
        question: 'input',
        'ideal answer': 'reference',
        topic: 'tags',
        id: 'ignore',
        tone: 'variable.voice',
        note: 'metadata',
      },
      true,
      { input: 'Why?', reference: 'So', tags: ['logic', 'basics'], metadata: { voice: 'dry' } },
    ],
    [
      'several columns for one field',
      { instruction: 'Sum it up', input: 'A text', a: 'x', b: 'y|x' },
      { instruction: 'input', input: 'input', a: 'tags', b: 'tags' },
      true,
      { input: 'Sum it up\n\nA text', tags: ['x', 'y'] },
    ],
    [
      'names of splits in other tools',
      { question: 'Why?', split: 'test', Split: 'dev', 'meta.split': 'training', topic: 'test' },
      { question: 'input', split: 'tags', Split: 'tags', 'meta.split': 'tags', topic: 'tags' },
      true,
      { input: 'Why?', tags: ['held_out', 'validation', 'train', 'test'] },
    ],
    [
      'properties of objects and list items',
      { vars: { question: 'Why?', lang: 'de' }, answers: { text: ['So'] }, other: { a: 1 } },
      { 'vars.question': 'input', 'vars.lang': 'variable.lang', 'answers.text': 'reference', other: 'metadata' },
      false,
      { input: 'Why?', reference: 'So', metadata: { lang: 'de', other: { a: 1 } } },
    ],
    [
      'several answers as a list, each once',
      { q: 'Where?', answers: { text: ['Paris', 'in Paris', 'Paris'], answer_start: [3, 0, 3] } },
      { q: 'input', 'answers.text': 'reference', 'answers.answer_start': 'ignore' },
      false,
      { input: 'Where?', reference: '["Paris","in Paris"]' },
    ],
    [
      'equal answers as one text',
      { q: 'Where?', answers: { text: ['Paris', 'Paris'] } },
      { q: 'input', 'answers.text': 'reference' },
      false,
      { input: 'Where?', reference: 'Paris' },
    ],
    [
      'a list of answers in the column of the reference',
      { input: 'Where?', reference: ['Paris', 'in Paris'] },
      {},
      false,
      { input: 'Where?', reference: '["Paris","in Paris"]' },
    ],
    [
      'no reference if the list of answers is empty',
      { q: 'Where?', answers: { text: [] } },
      { q: 'input', 'answers.text': 'reference' },
      false,
      { input: 'Where?', reference: null },
    ],
    [
      'other lists as JSON',
      { q: 'Which?', expected: ['a', 'b'] },
      { q: 'input', expected: 'reference' },
      false,
      { input: 'Which?', reference: '["a","b"]' },
    ],
    [
      'the first answer of several columns of promptfoo as reference, the rest as metadata',
      { q: 'Where?', __expected1: 'llm-rubric: short', __expected2: 'equals: Paris', __expected3: 'contains: P' },
      { q: 'input', __expected1: 'reference', __expected2: 'reference', __expected3: 'reference' },
      true,
      {
        ...{ input: 'Where?', reference: 'Paris' },
        metadata: { __expected1: 'llm-rubric: short', __expected3: 'contains: P' },
      },
    ],
    [
      'numbers and booleans as text, except in a column with the field name',
      { q: 7, answer: true },
      { q: 'input', answer: 'reference' },
      false,
      { input: '7', reference: 'true' },
    ],
    ['an invalid value under its column name', { input: 7 }, { input: 'input' }, false, { input: 7 }],
    [
      'a field that another column is mapped to',
      { input: 'old', question: 'new' },
      { question: 'input' },
      false,
      { input: 'new', metadata: { input: 'old' } },
    ],
    [
      'the columns of a Hone export',
      { input: 'a', reference: '', tags: 'x, y; z', 'metadata.level': 'easy', criteria: '[1]' },
      {},
      true,
      { input: 'a', reference: null, tags: ['x, y', 'z'], metadata: { level: 'easy' }, criteria: [1] },
    ],
    [
      'metadata of the case before kept columns',
      { input: 'a', metadata: { level: 1 }, level: 2, plan: 'pro' },
      {},
      false,
      { input: 'a', metadata: { level: 1, plan: 'pro' } },
    ],
    [
      'messages in a column of another name',
      { body: { messages: [{ role: 'user', content: 'Hi' }] }, tools: [] },
      { 'body.messages': 'input' },
      false,
      { input: [{ role: 'user', content: 'Hi' }], metadata: { tools: [] } },
    ],
    [
      'messages in an object in a column of another name',
      { request: { messages: [{ role: 'user', content: 'Hi' }] } },
      { request: 'input' },
      false,
      { input: [{ role: 'user', content: 'Hi' }] },
    ],
    [
      'a list with unknown roles in a column of another name as text',
      {
        chat: [
          { role: 'customer', content: 'Hi' },
          { role: 'agent', content: 'Yo' },
        ],
      },
      { chat: 'input' },
      false,
      { input: '[{"role":"customer","content":"Hi"},{"role":"agent","content":"Yo"}]' },
    ],
    [
      'null as missing tags and metadata',
      { input: 'a', tags: null, metadata: null },
      { input: 'input', tags: 'tags', metadata: 'metadata' },
      false,
      { input: 'a' },
    ],
    [
      'null as missing tags and metadata without a mapping',
      { input: 'a', tags: null, metadata: null },
      {},
      false,
      { input: 'a' },
    ],
    [
      'messages in a cell',
      { input: '[{"role": "developer", "content": "a"}]' },
      {},
      true,
      { input: [{ role: 'developer', content: 'a' }] },
    ],
    [
      'a cell with JSON with unknown roles',
      { input: '[{"role": "admin", "content": "a"}]' },
      {},
      true,
      { input: '[{"role": "admin", "content": "a"}]' },
    ],
    [
      'a cell with JSON with roles but no content',
      { input: '[{"role": "user", "name": "Ada"}]' },
      {},
      true,
      { input: '[{"role": "user", "name": "Ada"}]' },
    ],
  ])('%s', (_name, row, mapping, isTable, expected) => {
    expect(map(row, mapping, isTable, true)).toEqual(expected);
  });

  test.each([
    ['Paris', 'Paris'],
    ['equals: Paris', 'Paris'],
    ['contains:Paris', 'Paris'],
    ['icontains: Paris', 'Paris'],
    ['starts-with: Paris', 'Paris'],
    ['similar: The capital is Paris', 'The capital is Paris'],
    ['similar(0.8): The capital\nis Paris', 'The capital\nis Paris'],
    ['levenshtein(5): Paris', 'Paris'],
    ['Note: Paris', 'Note: Paris'],
    ['contains Paris', 'contains Paris'],
  ])('reads the text %j of promptfoo as reference %j', (cell, reference) => {
    const row = { question: 'Where?', __expected: cell };
    expect(map(row, { question: 'input', __expected: 'reference' }, true)).toEqual({ input: 'Where?', reference });
  });

  test.each([
    'not-contains: Paris',
    'llm-rubric: is polite',
    'grade: is polite',
    'javascript: output.length > 3',
    'fn: true',
    'python: len(output) > 3',
    'file://check.js',
    'regex: ^P',
    'contains-any: Paris,London',
    'is-json',
    'not-is-json',
    'is-valid-openai-tools-call',
    'latency(500)',
  ])('keeps the check %j of promptfoo as metadata', (cell) => {
    const row = { question: 'Where?', __expected: cell };
    expect(map(row, { question: 'input', __expected: 'reference' }, true)).toEqual({
      input: 'Where?',
      reference: null,
      metadata: { __expected: cell },
    });
  });

  test('returns the source column of each part', () => {
    const { columns } = mapRow({ q: '', a: 'x' }, { mapping: { q: 'input', a: 'reference' }, keepOthers: false }, true);
    expect(Object.fromEntries(columns)).toEqual({ input: 'q', reference: 'a' });
  });

  const name = fc.oneof(fc.constantFrom('input', 'tags', 'metadata', '__proto__', 'a.b'), fc.string({ maxLength: 6 }));
  const target = fc.constantFrom('input', 'reference', 'tags', 'metadata', 'ignore', 'variable.x');

  test('never throws, leaves the row unchanged and returns only parts of a case if others are kept', () => {
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.jsonValue()),
        fc.dictionary(name, target),
        fc.boolean(),
        (row, mapping, isTable) => {
          const before = JSON.stringify(row);
          const { value } = mapRow(row, { mapping, keepOthers: true }, isTable);
          expect(JSON.stringify(row)).toBe(before);
          for (const key of Object.keys(value))
            expect(['input', 'reference', 'tags', 'metadata', 'criteria']).toContain(key);
        },
      ),
    );
  });

  test('keeps every cell of a table that is not ignored', () => {
    const cell = fc.stringMatching(/^[a-z]{1,5}$/);
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^c[0-9]$/), fc.tuple(cell, target)), (columns) => {
        const row = Object.fromEntries(Object.entries(columns).map(([key, [text]]) => [key, text]));
        const mapping = Object.fromEntries(Object.entries(columns).map(([key, [, to]]) => [key, to]));
        const text = JSON.stringify(map(row, mapping, true));
        const variables = Object.values(columns).filter(([, to]) => to === 'variable.x');
        for (const [key, [value, to]] of Object.entries(columns))
          if (to !== 'ignore' && !(to === 'variable.x' && variables.length > 1))
            expect([key, text]).toEqual([key, expect.stringContaining(value)]);
      }),
    );
  });

  test('an identity mapping reads a table as no mapping does', () => {
    const row = fc.record({ input: fc.string(), reference: fc.string(), tags: fc.string(), 'metadata.a': fc.string() });
    const own = { input: 'input', reference: 'reference', tags: 'tags', 'metadata.a': 'metadata' };
    fc.assert(
      fc.property(row, (cells) => {
        expect(map(cells, own, true)).toEqual(map(cells, {}, true));
      }),
    );
  });
});

describe('mapping validation', () => {
  test.each<[unknown, boolean]>([
    [{ q: 'input', a: 'variable.tone-2' }, true],
    [{ q: 'question' }, false],
    [{ q: 'variable.' }, false],
    [{ q: 'variable.two words' }, false],
    [Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`c${at}`, 'ignore'])), false],
    ['input', false],
  ])('%j is valid: %s', (mapping, isValid) => {
    expect(caseMappingSchema.safeParse(mapping).success).toBe(isValid);
  });
});

test('reads the first column of a table with criteria that is not empty', () => {
  const row = { input: 'q', one: '', other: '{"others": "off"}' };
  const mapping = { one: 'criteria', other: 'criteria' };
  expect(map(row, mapping, true)).toEqual({ input: 'q', criteria: { others: 'off' } });
});

test('returns an empty text for a value nested too deep to serialize', () => {
  expect(textOf(JSON.parse(`${'['.repeat(20_000)}1${']'.repeat(20_000)}`))).toBe('1');
  expect(textOf(JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`))).toBe('');
});
