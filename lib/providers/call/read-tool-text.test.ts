import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readToolText } from './read-tool-text.ts';

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
      'a thought and a use',
      'Thought: I need a sum.\nAction: calculator\nAction Input: {"expression": "2+2"}',
      uses('I need a sum.', ['calculator', '{"expression": "2+2"}']),
    ],
    [
      'an observation of its own is left out, and all after it',
      'Thought: sum\nAction: calculator\nAction Input: {"expression":"2+2"}\nObservation: 5\nThought: I know\nFinal Answer: 5',
      uses('sum', ['calculator', '{"expression":"2+2"}']),
    ],
    ['an answer', 'Thought: I know it.\nFinal Answer: 42', answers('42', 'I know it.')],
    [
      'an answer of many lines, with lines like ours in it',
      'Final Answer: First line.\n\nThought: this is part of it.\nAction: too',
      answers('First line.\n\nThought: this is part of it.\nAction: too'),
    ],
    ['no line of ours is the answer', ' It is 42.\n', answers('It is 42.')],
    ['a thought alone is neither', 'Thought: let me see', uses('let me see')],
    [
      'words before the first line are thoughts',
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
      'several uses in one turn',
      'Thought: both\nAction: calculator\nAction Input: {"expression":"1"}\nAction: search\nAction Input: {"query":"x"}',
      uses('both', ['calculator', '{"expression":"1"}'], ['search', '{"query":"x"}']),
    ],
    [
      'a use before an answer counts: the answer cannot know its result',
      'Action: calculator\nAction Input: 2+2\nFinal Answer: 4',
      uses('', ['calculator', '{"expression":"2+2"}']),
    ],
    [
      'plain text is the one property',
      'Action: calculator\nAction Input: 2 + 2',
      uses('', ['calculator', '{"expression":"2 + 2"}']),
    ],
    [
      'so is a JSON string',
      'Action: calculator\nAction Input: "2 + 2"',
      uses('', ['calculator', '{"expression":"2 + 2"}']),
    ],
    [
      'also the only required of several',
      'Action: search\nAction Input: Rome',
      uses('', ['search', '{"query":"Rome"}']),
    ],
    [
      'text for a tool of two properties stays as it is: it is told so',
      'Action: files__read\nAction Input: a.txt',
      uses('', ['files__read', 'a.txt']),
    ],
    [
      'broken JSON stays as it is for it too',
      'Action: files__read\nAction Input: {"path": "a',
      uses('', ['files__read', '{"path": "a']),
    ],
    [
      'a fence around the arguments',
      'Action: files__read\nAction Input:\n```json\n{"path": "a", "line": 1}\n```',
      uses('', ['files__read', '{"path": "a", "line": 1}']),
    ],
    [
      'JSON over many lines',
      'Action: files__read\nAction Input: {\n  "path": "a",\n  "line": 1\n}',
      uses('', ['files__read', '{\n  "path": "a",\n  "line": 1\n}']),
    ],
    [
      'called like a function',
      'Action: calculator({"expression": "1"})',
      uses('', ['calculator', '{"expression": "1"}']),
    ],
    [
      'called like a function with text',
      'Action: calculator(1 + 1)',
      uses('', ['calculator', '{"expression":"1 + 1"}']),
    ],
    [
      'a name in other letters, with marks',
      'Action: **`Calculator`**\nAction Input: 1',
      uses('', ['calculator', '{"expression":"1"}']),
    ],
    [
      'bold lines',
      '**Thought:** hm\n**Action:** search\n**Action Input:** Rome',
      uses('hm', ['search', '{"query":"Rome"}']),
    ],
    ['an unknown tool stays what it is', 'Action: teleport\nAction Input: home', uses('', ['teleport', 'home'])],
    ['no tool', 'Thought: none needed\nAction: None', uses('none needed')],
    ['no arguments', 'Action: calculator', uses('', ['calculator', ''])],
    [
      'what it thinks in tags is not read',
      '<think>\nAction: search\nAction Input: no\n</think>\nThought: yes\nFinal Answer: 1',
      answers('1', 'yes'),
    ],
    ['nothing', '', answers('')],
  ])('%s', (_name, reply, expected) => {
    expect(readToolText(reply, TOOLS)).toEqual(expected);
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
  ])('reads a long run of %s quickly', (_name, reply) => {
    expect(readToolText(reply, TOOLS).thought).toBe('');
  });
});
