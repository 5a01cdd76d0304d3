import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readToolText } from './text-tools.ts';

const text = (name: string, property: string, more: Record<string, unknown> = {}) => ({
  name,
  parameters: { type: 'object', properties: { [property]: { type: 'string' }, ...more }, required: [property] },
});
const TOOLS = [
  text('calculator', 'expression'),
  text('search', 'query', { limit: { type: 'number' } }),
  {
    name: 'files__read',
    parameters: { type: 'object', properties: { path: { type: 'string' }, line: {} }, required: ['path', 'line'] },
  },
];
const uses = (thought: string, ...calls: [tool: string, given: string][]) => ({
  thought,
  calls: calls.map(([tool, given]) => ({ tool, arguments: given })),
  answer: null,
});
const answers = (answer: string, thought = '') => ({ thought, calls: [], answer });

describe('readToolText', () => {
  test.each<[string, string, ReturnType<typeof readToolText>]>([
    [
      'a thought and a call',
      'Thought: I need a sum.\nAction: calculator\nAction Input: {"expression": "2+2"}',
      uses('I need a sum.', ['calculator', '{"expression": "2+2"}']),
    ],
    [
      'an observation and everything after it is omitted',
      'Thought: sum\nAction: calculator\nAction Input: {"expression":"2+2"}\nObservation: 5\nThought: I know\nFinal Answer: 5',
      uses('sum', ['calculator', '{"expression":"2+2"}']),
    ],
    ['an answer', 'Thought: I know it.\nFinal Answer: 42', answers('42', 'I know it.')],
    [
      'an answer of several lines that look like the format',
      'Final Answer: First line.\n\nThought: this is part of it.\nAction: too',
      answers('First line.\n\nThought: this is part of it.\nAction: too'),
    ],
    ['text without a label is the answer', ' It is 42.\n', answers('It is 42.')],
    ['a thought without a call or answer', 'Thought: let me see', uses('let me see')],
    [
      'text before the first label is a thought',
      'I should look it up.\nAction: search\nAction Input: {"query":"x"}',
      uses('I should look it up.', ['search', '{"query":"x"}']),
    ],
    [
      'a published log: Search[…]',
      'Thought 1: I need to search Colorado orogeny.\nAction 1: Search[Colorado orogeny]\nObservation 1: The orogeny …',
      uses('I need to search Colorado orogeny.', ['search', '{"query":"Colorado orogeny"}']),
    ],
    [
      'a published log: Finish[…]',
      'Thought 3: The range is 1,800 to 7,000 ft.\nAction 3: Finish[1,800 to 7,000 ft]',
      answers('1,800 to 7,000 ft', 'The range is 1,800 to 7,000 ft.'),
    ],
    ['Finish with brackets inside', 'Action: Finish[a[1] or b[2]]', answers('a[1] or b[2]')],
    ['Finish without its closing bracket', 'Action 2: Finish[Rome', answers('Rome')],
    ['finish as a tool', 'Thought: done\nAction: Finish\nAction Input: Rome', answers('Rome', 'done')],
    ['Final Answer as a tool', 'Action: Final Answer\nAction Input: Rome', answers('Rome')],
    [
      'several calls in one turn',
      'Thought: both\nAction: calculator\nAction Input: {"expression":"1"}\nAction: search\nAction Input: {"query":"x"}',
      uses('both', ['calculator', '{"expression":"1"}'], ['search', '{"query":"x"}']),
    ],
    [
      'a call before an answer takes precedence, because the answer cannot use its result',
      'Action: calculator\nAction Input: 2+2\nFinal Answer: 4',
      uses('', ['calculator', '{"expression":"2+2"}']),
    ],
    [
      'text becomes the only property',
      'Action: calculator\nAction Input: 2 + 2',
      uses('', ['calculator', '{"expression":"2 + 2"}']),
    ],
    [
      'a JSON string becomes the only property',
      'Action: calculator\nAction Input: "2 + 2"',
      uses('', ['calculator', '{"expression":"2 + 2"}']),
    ],
    [
      'text becomes the only required property',
      'Action: search\nAction Input: Rome',
      uses('', ['search', '{"query":"Rome"}']),
    ],
    [
      'text for a tool with two properties is unchanged, so the agent gets an error',
      'Action: files__read\nAction Input: a.txt',
      uses('', ['files__read', 'a.txt']),
    ],
    [
      'invalid JSON for a tool with two properties is unchanged',
      'Action: files__read\nAction Input: {"path": "a',
      uses('', ['files__read', '{"path": "a']),
    ],
    [
      'a code fence around the arguments',
      'Action: files__read\nAction Input:\n```json\n{"path": "a", "line": 1}\n```',
      uses('', ['files__read', '{"path": "a", "line": 1}']),
    ],
    [
      'JSON over several lines',
      'Action: files__read\nAction Input: {\n  "path": "a",\n  "line": 1\n}',
      uses('', ['files__read', '{\n  "path": "a",\n  "line": 1\n}']),
    ],
    [
      'function call syntax',
      'Action: calculator({"expression": "1"})',
      uses('', ['calculator', '{"expression": "1"}']),
    ],
    ['function call syntax with text', 'Action: calculator(1 + 1)', uses('', ['calculator', '{"expression":"1 + 1"}'])],
    [
      'a tool name in another case and with punctuation',
      'Action: **`Calculator`**\nAction Input: 1',
      uses('', ['calculator', '{"expression":"1"}']),
    ],
    [
      'bold lines',
      '**Thought:** hm\n**Action:** search\n**Action Input:** Rome',
      uses('hm', ['search', '{"query":"Rome"}']),
    ],
    ['an unknown tool name is unchanged', 'Action: teleport\nAction Input: home', uses('', ['teleport', 'home'])],
    ['no tool name', 'Thought: none needed\nAction: None', uses('none needed')],
    ['no arguments', 'Action: calculator', uses('', ['calculator', ''])],
    [
      'a call in thinking tags is ignored',
      '<think>\nAction: search\nAction Input: no\n</think>\nThought: yes\nFinal Answer: 1',
      answers('1', 'yes'),
    ],
    ['empty text', '', answers('')],
  ])('%s', (_name, response, expected) => {
    expect(readToolText(response, TOOLS)).toEqual(expected);
  });

  test('reads any text and never returns both an answer and tool calls', () => {
    const line = fc.oneof(
      fc.constantFrom(
        'Thought:',
        'Action:',
        'Action 2: Search[',
        'Action Input:',
        'Observation:',
        'Final Answer:',
        '```',
        '{"a":',
        ']',
        '\n',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const read = readToolText(lines.join('\n'), TOOLS);
        expect(read.answer !== null && read.calls.length > 0).toBe(false);
      }),
    );
  });

  test.each([
    ['white space', `Action:${' '.repeat(300_000)}x\nAction Input:${'\n'.repeat(300_000)}`],
    ['fences', `Action: calculator\nAction Input: \`\`\`${'\n '.repeat(200_000)}`],
    ['brackets', `Action: Finish[${']'.repeat(300_000)} x`],
    ['function brackets', `Action: calculator(${') '.repeat(200_000)}x`],
    ['marks', 'Action:\n'.repeat(40_000)],
  ])('reads a long run of %s quickly', (_name, response) => {
    expect(readToolText(response, TOOLS).thought).toBe('');
  });
});

test('reads a reply that repeats spaces after a marker at once', () => {
  const startedAt = performance.now();
  const response = `Thought: Hm.\nAction${' '.repeat(60_000)}`;
  expect(readToolText(response, []).calls).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(500);
});
