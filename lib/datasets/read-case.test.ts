import { describe, expect, test } from 'vitest';
import type { CaseReading } from './case-mapping.ts';
import { type CaseFormat, readCase, readCaseRows } from './read-case-rows.ts';

const STRICT: CaseReading = { mapping: {}, keepOthers: false };

/** Returns the faults of uploaded cases, each as `line:column+length message`. */
async function faultsOf(format: CaseFormat, text: string, reading: CaseReading): Promise<string[]> {
  async function* bytes() {
    yield new TextEncoder().encode(text);
  }
  const faults: string[] = [];
  for await (const read of readCaseRows(format, bytes())) {
    if (!read.ok || read.value.kind !== 'value') throw new Error(JSON.stringify(read));
    const { fault } = readCase(read.value, reading);
    if (fault !== null) faults.push(`${fault.line}:${fault.column}+${fault.length} ${fault.message}`);
  }
  return faults;
}

describe('position of an invalid case in its file', () => {
  test.each<[string, CaseFormat, string, Partial<CaseReading>, string[]]>([
    [
      'entries on one line',
      'json',
      '[{"input": "a"}, {"input": 7}, {"input": "c", "tags": "x"}]',
      {},
      [
        '1:19+7 input must be a text, a list of messages, or a JSON object or list',
        '1:47+6 tags must be a list, got "x"',
      ],
    ],
    [
      'messages that Hugging Face wrote to CSV',
      'csv',
      "messages,split\n\"[{'role': 'user', 'content': 'Hi'}\n {'role': 'assistant', 'content': 'Hello'}]\",test",
      { mapping: { messages: 'input', split: 'tags' } },
      ['2:null+null `messages` contains messages in the notation of Python. Export the rows as JSONL instead'],
    ],
    [
      'a file of promptfoo',
      'csv',
      'question,note,__expected\nfile://a.txt,,x\nb,file://c.txt,file://check.js\nc,see file://d,x',
      { mapping: { question: 'input', note: 'metadata', __expected: 'reference' } },
      [
        '2:null+null `question` is file://a.txt. Hone does not read files. Write the text of the file in the cell',
        '3:null+null `note` is file://c.txt. Hone does not read files. Write the text of the file in the cell',
      ],
    ],
    [
      'entries over several lines',
      'json',
      '[\n  {\n    "input": "a",\n    "reference": 7\n  }, {\n    "question": "b"\n  }\n]',
      {},
      ['4:5+11 reference must be a text or null', '6:5+10 no `input`, only `question`'],
    ],
    [
      'adjacent entries in a property',
      'json',
      '{"cases": [{"input": ""},{"colour": 1, "input": "b"}]}',
      {},
      [
        '1:13+7 input must not be empty',
        '1:27+8 `colour` is not a key of a case (input, reference, tags, metadata or criteria)',
      ],
    ],
    [
      'entries that are not objects',
      'json',
      '[7,\n {}, "a"]',
      {},
      [
        '1:2+null a case must be an object such as `{"input": "…"}`',
        '2:2+null no `input`, and no other keys',
        '2:6+null a case must be an object such as `{"input": "…"}`',
      ],
    ],
    [
      'a string equal to the key, and a nested property with the name',
      'jsonl',
      '{"reference": "input", "metadata": {"input": 1}, "input": 7}',
      {},
      ['1:50+7 input must be a text, a list of messages, or a JSON object or list'],
    ],
    [
      'a repeated key',
      'jsonl',
      '{"input": "a", "input": 7}',
      {},
      ['1:16+7 input must be a text, a list of messages, or a JSON object or list'],
    ],
    [
      'an escaped key after a space',
      'jsonl',
      ' {"\\u0069nput": 7}',
      {},
      ['1:3+12 input must be a text, a list of messages, or a JSON object or list'],
    ],
    [
      'a mapped key',
      'jsonl',
      '{"answer": "input", "question": ""}',
      { mapping: { question: 'input', answer: 'reference' } },
      ['1:21+10 input must not be empty'],
    ],
    [
      'messages together with an input',
      'jsonl',
      '{"input": "a", "messages": [{"role": "user", "content": "b"}]}',
      {},
      [
        '1:16+10 a case has either `input` or `messages`, and this one has both. Empty one of them, or read one as metadata',
      ],
    ],
    [
      'a table row with messages and an input',
      'csv',
      'input,messages\na,"[{""role"": ""user"", ""content"": ""b""}]"',
      {},
      [
        '2:null+null a case has either `input` or `messages`, and this one has both. Empty one of them, or read one as metadata',
      ],
    ],
    ['messages with an empty input', 'jsonl', '{"input": "", "messages": [{"role": "user", "content": "b"}]}', {}, []],
    [
      'a table row with messages and an empty input',
      'csv',
      'input,messages\n,"[{""role"": ""user"", ""content"": ""b""}]"',
      {},
      [],
    ],
    [
      'a list of people with roles, which is kept as JSON',
      'jsonl',
      '{"input": [{"role": "admin", "name": "Ada"}]}',
      {},
      [],
    ],
    [
      'messages mapped to metadata',
      'jsonl',
      '{"input": "a", "messages": []}',
      { mapping: { messages: 'metadata' } },
      [],
    ],
    [
      'messages that are mapped to the input',
      'jsonl',
      '{"messages": [{"role": "customer", "content": "a"}], "score": 1}\n{"messages": [], "score": 1}',
      { mapping: { messages: 'input', score: 'metadata' } },
      [expect.stringMatching(/^1:.*input\.0\.role /), '2:2+10 `messages` is empty'],
    ],
    [
      'a line that is not an object',
      'jsonl',
      '7',
      {},
      ['1:null+null a case must be an object such as `{"input": "…"}`'],
    ],
    ['a table row', 'csv', 'input,reference\n"",x', {}, ['2:null+null input must not be empty']],
    [
      'a row of an exported table',
      'csv',
      'input,reference,tags,metadata.a\n"",x,,b',
      {},
      ['2:null+null input must not be empty'],
    ],
    ['a table row without an input', 'csv', 'q\nb', {}, ['2:null+null no `input`, only `q`']],
  ])('%s', async (_name, format, text, reading, expected) => {
    expect(await faultsOf(format, text, { ...STRICT, ...reading })).toEqual(expected);
  });
});

describe('hostile rows', () => {
  const deep = (key: string) => `${`{"${key}":`.repeat(20_000)}1${'}'.repeat(20_000)}`;

  test.each<[string, CaseFormat, string, CaseReading['mapping'], string[]]>([
    [
      'a deep reference',
      'jsonl',
      `{"input":"a","reference":${deep('output')}}`,
      {},
      ['1:null+null The request is nested deeper than 100 levels.'],
    ],
    [
      'a deep reference in a table',
      'csv',
      `input,answer\na,"${deep('output').replaceAll('"', '""')}"`,
      { answer: 'reference' },
      ['2:null+null reference must be at most 200,000 characters, got 220,001'],
    ],
    ['a deep list of cases', 'jsonl', `{"data":${deep('data')}}`, {}, ['1:null+null no `input`, only `data`']],
    [
      'a message without the name of its class',
      'jsonl',
      '{"input":[{"type":"constructor","id":[{"toString":1}],"kwargs":{"content":"a"}}]}',
      {},
      [],
    ],
    [
      'a tool call with deep arguments',
      'jsonl',
      `{"input":[{"type":"human","content":"a"},{"type":"ai","content":"","tool_calls":[{"id":"1","name":"b","args":${deep('c')}}]}]}`,
      {},
      ['1:null+null The request is nested deeper than 100 levels.'],
    ],
    [
      'a column without a name',
      'jsonl',
      '{"columns":[{"toString":1}],"data":[["a"]]}',
      {},
      ['1:null+null no `input`, only `{"toString":1}`'],
    ],
  ])('%s', async (_name, format, text, mapping, faults) => {
    expect(await faultsOf(format, text, { ...STRICT, mapping })).toEqual(faults);
  });
});
