import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseMappingSchema } from './case-mapping-schema.ts';
import { columnsOf, isInputByLength, suggestMapping, variableName } from './suggest-mapping.ts';

const table = (head: string, ...cells: string[]) => {
  const names = head.split(',');
  return columnsOf([Object.fromEntries(names.map((name, at) => [name, cells[at] ?? 'x']))]);
};
const guess = (head: string) => suggestMapping(table(head), null, true).mapping;

describe('suggestMapping', () => {
  test.each<[string, string, Record<string, string>]>([
    ['GSM8K', 'question,answer', { question: 'input', answer: 'reference' }],
    [
      'TruthfulQA',
      'Type,Category,Question,Best Answer,Correct Answers,Incorrect Answers,Source',
      {
        Type: 'metadata',
        Category: 'tags',
        Question: 'input',
        'Best Answer': 'reference',
        'Correct Answers': 'metadata',
        'Incorrect Answers': 'metadata',
        Source: 'metadata',
      },
    ],
    ['promptfoo', 'message,language,__expected', { message: 'input', language: 'metadata', __expected: 'reference' }],
    [
      'promptfoo with several checks',
      'message,__expected1,__expected2,output',
      { message: 'input', __expected1: 'reference', __expected2: 'reference', output: 'metadata' },
    ],
    [
      'MMLU',
      ',question,subject,choices,answer',
      { '': 'ignore', question: 'input', subject: 'tags', choices: 'choices', answer: 'reference' },
    ],
    ['ShareGPT', 'id,text_source,conversations', { id: 'metadata', text_source: 'metadata', conversations: 'input' }],
    ['OpenAI evals', 'input,ideal', { input: 'input', ideal: 'reference' }],
    [
      'a support desk',
      'Ticket Text,Ideal Answer,topic',
      { 'Ticket Text': 'input', 'Ideal Answer': 'reference', topic: 'tags' },
    ],
    [
      'labelled tickets',
      'ticket_text,expected_category,channel',
      { ticket_text: 'input', expected_category: 'reference', channel: 'metadata' },
    ],
  ])('%s', (_name, head, expected) => {
    expect(guess(head)).toEqual(expected);
  });

  test('adds the input and output of spans of another instrumentation to those of the last import', () => {
    const remembered = { 'attributes.input.value': 'input', 'attributes.output.value': 'reference' } as const;
    const columns = columnsOf([
      { attributes: { 'input.value': 'Why?', 'output.value': 'So.' } },
      { attributes: { 'gen_ai.input.messages': 'When?', 'gen_ai.output.messages': 'Now.' } },
    ]);
    expect(suggestMapping(columns, remembered, false).mapping).toEqual({
      ...remembered,
      'attributes.gen_ai.input.messages': 'input',
      'attributes.gen_ai.output.messages': 'reference',
    });
  });

  test('lists the inputs of different functions as one column, also if they have an object named like an input', () => {
    const columns = columnsOf([{ inputs: { ticket: { a: 1 } } }, { inputs: { query: 'Why?' } }]);
    expect(columns.map(({ name }) => name)).toEqual(['inputs']);
  });

  test('maps the column with the longest values to the input as a guess if no name matches', () => {
    const guessed = suggestMapping(table('frage,antwort', 'Wie lange gilt ein Cursor?', '10'), null, true).mapping;
    expect(guessed).toEqual({ frage: 'input', antwort: 'metadata' });
    expect(isInputByLength(guessed)).toBe(true);
    expect(isInputByLength(guess('question,answer'))).toBe(false);
    expect(isInputByLength({ frage: 'metadata' })).toBe(false);
  });

  test('maps a text named criteria to metadata', () => {
    const columns = columnsOf([{ input: 'Prove it.', criteria: 'The response is a proof.', level: 'hard' }]);
    expect(suggestMapping(columns, null, false).mapping).toMatchObject({ input: 'input', criteria: 'metadata' });
  });

  test('prefers a response to whether it is correct', () => {
    const columns = columnsOf([{ question: '2 + 2?', response: '4', correct: true }]);
    expect(suggestMapping(columns, null, false).mapping).toMatchObject({ response: 'reference', correct: 'metadata' });
  });

  test('does not guess that tags or metadata are the input', () => {
    const columns = columnsOf([
      { word: 'tree', difficulty: 'intermediate', metadata: { source: 'a long text of it' } },
    ]);
    expect(suggestMapping(columns, null, false).mapping).toMatchObject({ word: 'input', metadata: 'metadata' });
  });

  test('Alpaca: maps the instruction and its input to the input', () => {
    const columns = columnsOf([
      { instruction: 'Name three colours', input: '', output: 'Red' },
      { instruction: 'Add', input: '1, 2', output: '3' },
    ]);
    for (const isTable of [true, false])
      expect(suggestMapping(columns, null, isTable).mapping).toEqual({
        instruction: 'input',
        input: 'input',
        output: 'reference',
      });
  });

  test('maps an instruction next to an input and a reference to metadata', () => {
    expect(guess('input,reference,instruction')).toMatchObject({ input: 'input', instruction: 'metadata' });
  });

  test('Braintrust: maps an object of expected values to the reference', () => {
    const rows = [{ input: { city: 'Paris' }, expected: { country: 'France', code: 'FR' } }];
    expect(suggestMapping(columnsOf(rows), null, false).mapping).toEqual({ input: 'input', expected: 'reference' });
  });

  test('flags an input column of Phoenix only if its name is unknown', () => {
    expect(isInputByLength(guess('example_id,input_question,output_answer'))).toBe(false);
    expect(isInputByLength(guess('example_id,input_city,output_country'))).toBe(true);
  });

  test('maps the reference inside of an object of expected values', () => {
    const columns = columnsOf([{ input: 'Why?', expected: { answer: 'So', source: 'a' } }]);
    expect(suggestMapping(columns, null, false).mapping).toMatchObject({ 'expected.answer': 'reference' });
  });

  test('ARC: maps the key of the answer to the reference, not the labels of the choices', () => {
    const row = { id: 'x', question: 'Which?', choices: { text: ['coal', 'wind'], label: ['A', 'B'] }, answerKey: 'B' };
    expect(suggestMapping(columnsOf([row]), null, false).mapping).toEqual({
      ...{ id: 'metadata', question: 'input', answerKey: 'reference' },
      ...{ 'choices.text': 'choices', 'choices.label': 'variable.label' },
    });
  });

  test('HotpotQA: gives members of different objects different names', () => {
    const row = {
      ...{ id: '1', question: 'Which?', answer: 'A' },
      ...{ supporting_facts: { title: ['A'] }, context: { title: ['A', 'B'] }, source: { id: 7, url: 'x' } },
    };
    expect(suggestMapping(columnsOf([row]), null, false).mapping).toEqual({
      ...{ id: 'metadata', question: 'input', answer: 'reference' },
      ...{ 'supporting_facts.title': 'variable.supporting_facts_title', 'context.title': 'variable.context_title' },
      ...{ 'source.id': 'variable.source_id', 'source.url': 'variable.url' },
    });
  });

  test('SQuAD: maps the text of the answers to the reference', () => {
    const columns = columnsOf([{ question: 'Who?', context: 'Ada …', answers: { text: ['Ada'], answer_start: [0] } }]);
    expect(suggestMapping(columns, null, false).mapping).toMatchObject({
      question: 'input',
      'answers.text': 'reference',
    });
  });

  test('TriviaQA: maps all right answers to the reference', () => {
    const answer = {
      value: 'Lewis',
      aliases: ['Sinclair Lewis', 'Lewis'],
      normalized_aliases: ['lewis'],
      type: 'Person',
    };
    expect(suggestMapping(columnsOf([{ question: 'Who?', answer }]), null, false).mapping).toMatchObject({
      ...{ question: 'input', 'answer.aliases': 'reference', 'answer.value': 'variable.value' },
    });
  });

  test('DROP: maps the spans of the answer to the reference', () => {
    const row = { passage: 'Ada …', question: 'Who?', answers_spans: { spans: ['Ada'], types: ['span'] } };
    expect(suggestMapping(columnsOf([row]), null, false).mapping).toMatchObject({
      ...{ question: 'input', passage: 'input', 'answers_spans.spans': 'reference' },
    });
  });

  test('HellaSwag: maps the context to the input, not the longer endings', () => {
    const row = { ctx_a: 'A man sits.', ctx_b: 'he', ctx: 'A man sits. he', endings: ['is using a wrap.'], label: '0' };
    expect(suggestMapping(columnsOf([row]), null, false).mapping).toMatchObject({
      ...{ ctx: 'input', endings: 'choices', label: 'reference' },
    });
  });

  test('Phoenix: maps the columns of a CSV export', () => {
    expect(guess('example_id,input_question,output_answer,metadata_level')).toEqual({
      example_id: 'metadata',
      input_question: 'input',
      output_answer: 'reference',
      metadata_level: 'metadata',
    });
    expect(guess('example_id,input_city,output_country')).toMatchObject({
      input_city: 'input',
      output_country: 'reference',
    });
  });

  test('Langfuse: maps expectedOutput to the reference', () => {
    expect(guess('id,input,expectedOutput,sourceTraceId')).toMatchObject({
      input: 'input',
      expectedOutput: 'reference',
    });
  });

  test('LangSmith: maps inputs and outputs', () => {
    expect(guess('inputs,outputs,metadata')).toMatchObject({ inputs: 'input', outputs: 'reference' });
    const columns = columnsOf([{ inputs: { messages: 'Hi' }, outputs: { messages: 'A longer text' } }]);
    expect(suggestMapping(columns, null, false).mapping).toMatchObject({ 'inputs.messages': 'input' });
  });

  test.each([
    { messages: [{ role: 'assistant', content: 'So.' }] },
    { choices: [{ message: { role: 'assistant', content: 'So.' } }] },
    { output: { type: 'ai', data: { content: 'So.' } } },
  ])('LangSmith: maps an answer in messages to the reference: %j', (outputs) => {
    const columns = columnsOf([{ inputs: { messages: [{ role: 'user', content: 'Why?' }] }, outputs }]);
    expect(suggestMapping(columns, null, false).mapping).toEqual({ 'inputs.messages': 'input', outputs: 'reference' });
  });

  test('maps an answer that calls tools, and messages of a table, to the reference', () => {
    const outputs = { messages: [{ role: 'assistant', content: null, tool_calls: [{ id: 'a' }] }] };
    const columns = columnsOf([{ inputs: { question: 'Why?' }, outputs }]);
    expect(suggestMapping(columns, null, false).mapping).toMatchObject({ 'outputs.messages': 'reference' });
    expect(guess('id,node_id,input.messages,output.messages')).toMatchObject({
      'input.messages': 'input',
      'output.messages': 'reference',
    });
  });

  test('LangSmith: maps the members of an object that is null in some rows', () => {
    const columns = columnsOf([
      { inputs: { question: 'Why?' }, outputs: null },
      { inputs: { question: 'How?' }, outputs: { answer: 'So.' } },
    ]);
    expect(suggestMapping(columns, null, false).mapping).toEqual({
      'inputs.question': 'input',
      'outputs.answer': 'reference',
    });
  });

  test('MLflow: maps tags with values to metadata', () => {
    const row = { inputs: { question: 'Why?' }, expectations: { expected_response: 'So.' }, tags: { team: 'a' } };
    expect(suggestMapping(columnsOf([row]), null, false).mapping).toEqual({
      'inputs.question': 'input',
      'expectations.expected_response': 'reference',
      tags: 'metadata',
    });
    const table = { request: 'Why?', response: 'So.', tags: "{'mlflow.traceName': 'chat'}" };
    expect(suggestMapping(columnsOf([table]), null, true).mapping).toMatchObject({ tags: 'metadata' });
  });

  test('OpenInference: maps messages or values of spans, not their token counts', () => {
    const span = {
      'attributes.llm.token_count.prompt': 12,
      'attributes.llm.token_count.completion': 5,
      'attributes.llm.output_messages': [{ 'message.role': 'assistant', 'message.content': 'So.' }],
      'attributes.llm.input_messages': [{ 'message.role': 'user', 'message.content': 'Why?' }],
    };
    expect(suggestMapping(columnsOf([span]), null, false).mapping).toMatchObject({
      'attributes.llm.input_messages': 'input',
      'attributes.llm.output_messages': 'reference',
    });
    const attributes = { 'input.value': 'Why?', 'output.value': 'So.', 'llm.token_count.completion': 5 };
    expect(suggestMapping(columnsOf([{ name: 'chain', attributes }]), null, false).mapping).toMatchObject({
      'attributes.input.value': 'input',
      'attributes.output.value': 'reference',
    });
    const mixed = { attributes: { ...attributes, 'llm.output_messages': [{ message: { role: 'assistant' } }] } };
    expect(suggestMapping(columnsOf([mixed]), null, false).mapping).toMatchObject({
      'attributes.input.value': 'input',
      'attributes.output.value': 'reference',
    });
  });

  test('does not map a member of a response to the input', () => {
    const columns = columnsOf([{ response: { messages: 'A longer text' }, question: 'Why?' }]);
    expect(suggestMapping(columns, null, false).mapping).toMatchObject({ question: 'input' });
  });

  test.each(['input,messages,score', 'messages,question,title'])('maps one of %s to the input', (head) => {
    const { mapping } = suggestMapping(table(head), null, false);
    expect(caseMappingSchema.safeParse(mapping).success).toBe(true);
    expect(mapping[head.split(',')[0] ?? '']).toBe('input');
    expect(Object.values(mapping).filter((target) => target === 'input')).toHaveLength(1);
  });

  test('treats members of objects as columns, and as variables if unknown', () => {
    const columns = columnsOf([{ vars: { question: 'Why?', tone: 'dry' }, metadata: { a: 1 }, assert: [] }]);
    expect(columns.map(({ name }) => name)).toEqual(['vars.question', 'vars.tone', 'metadata', 'assert']);
    expect(suggestMapping(columns, null, false).mapping).toEqual({
      'vars.question': 'input',
      'vars.tone': 'variable.tone',
      metadata: 'metadata',
      assert: 'metadata',
    });
  });

  test('needs no mapping for the columns of a case', () => {
    expect(suggestMapping(table('input,tags,metadata.level'), null, true)).toEqual({ mapping: {}, source: 'own' });
    expect(suggestMapping([], null, true).source).toBe('own');
  });

  test('reuses the last mapping if its input column exists and guesses new columns', () => {
    const remembered = { frage: 'input', antwort: 'reference', thema: 'ignore' };
    expect(suggestMapping(table('frage,antwort,thema,question,topic'), remembered, true)).toEqual({
      mapping: { frage: 'input', antwort: 'reference', thema: 'ignore', question: 'metadata', topic: 'tags' },
      source: 'remembered',
    });
    expect(suggestMapping(table('question'), remembered, true).source).toBe('suggested');
  });

  test('guesses the reference if the one of the last mapping has become part of another column', () => {
    const remembered = { input: 'input', 'expected.country': 'reference', 'expected.code': 'metadata' };
    const columns = columnsOf([{ input: 'Paris', expected: { country: 'France', code: 'FR' } }]);
    expect(suggestMapping(columns, remembered, false)).toEqual({
      mapping: { input: 'input', expected: 'reference' },
      source: 'remembered',
    });
  });

  test('always suggests a valid mapping with at most one input', () => {
    const name = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('question', 'Answer', 'input', 'messages', 'a.b', '__proto__'),
    );
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(name, fc.jsonValue({ maxDepth: 3 })), { maxLength: 4 }),
        fc.boolean(),
        (rows, isTable) => {
          const columns = columnsOf(rows);
          const { mapping } = suggestMapping(columns, null, isTable);
          expect(caseMappingSchema.safeParse(mapping).success).toBe(true);
          expect(Object.values(mapping).filter((target) => target === 'input').length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test.each([
    ['Ideal Answer', 'Ideal_Answer'],
    ['vars.user-name', 'user-name'],
    ['  ?? ', ''],
    ['Länge', 'L_nge'],
  ])('uses %j as variable %j', (column, name) => {
    expect(variableName(column)).toBe(name);
  });
});
