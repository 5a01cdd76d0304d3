import { expect, test } from 'vitest';
import { detectFormat } from './detect-format.ts';

test.each([
  ['empty text', ' \n', null],
  ['JSON Lines', '{"input": "a"}\n{"input": "b"}', 'jsonl'],
  ['a broken line', '{"input": "a" "tags": []}\n{"input": "b"}', 'jsonl'],
  ['lines with a comma after each object', '{"input": "a"},\n{"input": "b"}', 'jsonl'],
  ['a line that mentions tests', '{"input": "a", "metadata": {"tests": 1}}', 'jsonl'],
  ['a list', '\uFEFF[\n {"input": "a"}]', 'json'],
  ['an object that contains cases', '{"name": "x", "cases": [{"input": "a"}]}', 'json'],
  ['an object that contains cases, over several lines', '{\n "name": "x",\n "cases": [\n', 'json'],
  ['an object of another tool, over several lines', '{\r\n  "data": [\r\n    {"input": "a"}', 'json'],
  [
    'an object that begins with content, over several lines',
    '{"resourceSpans": [{"scopeSpans": [\n{"spans": []}',
    'json',
  ],
  ['an object whose first line ends with a comma', '{"name": "x",\n"data": [{"input": "a"}]}', 'json'],
  ['a table', 'input,reference\na,b', 'csv'],
  ['a table with one column', 'input\na', 'csv'],
  ['a promptfoo config', '# yaml-language-server: x\ndescription: My tests\nprompts:\n  - a', 'promptfoo'],
  [
    'a promptfoo config with line ends of Windows',
    '# yaml-language-server: x\r\n# v2\r\nprompts:\r\n  - a',
    'promptfoo',
  ],
  ['a long line that holds tests', `{"task": 1, "tests": ["assert f(1)"], "prompt": "${'x'.repeat(5_000)}`, 'jsonl'],
  ['a promptfoo config that starts with its tests', 'tests:\n  - vars: {}', 'promptfoo'],
  ['a promptfoo config that starts with its targets', 'targets:\n  - openai:gpt-5\nprompts:\n  - a', 'promptfoo'],
  ['a promptfoo config that starts with its environment', 'env:\n  KEY: x\nprompts:\n  - a', 'promptfoo'],
  ['only promptfoo tests, as YAML', '# Tests\n\n- vars:\n    q: x', 'promptfoo'],
  ['a table whose first cell begins with a dash', '- vars,reference\na,b', 'csv'],
  ['a promptfoo config as JSON', '{\n  "prompts": ["a"],\n  "tests": []}', 'promptfoo'],
  ['a minified promptfoo config', '{"prompts":["Say {{q}}"],"tests":[{"vars":{"q":1}}]}\n', 'promptfoo'],
  [
    'a minified promptfoo config that is longer than the beginning',
    `{"description":"x","providers":["openai:gpt-5"],"tests":[{"vars":{"q":"${'x'.repeat(5_000)}`,
    'promptfoo',
  ],
  ['minified promptfoo tests', '{"tests":[{"vars":{"q":1}}]}', 'promptfoo'],
  ['lines that contain tests', '{"tests":[{"vars":{"q":1}}]}\n{"tests":[{"vars":{"q":2}}]}', 'jsonl'],
  ['a line with an input that mentions prompts', '{"input": "a", "metadata": {"prompts": []}}', 'jsonl'],
  [
    'a line with a description whose metadata mentions providers',
    '{"description":"x","input":"a","metadata":{"providers":["aws"]}}',
    'jsonl',
  ],
  ['only promptfoo tests, as JSON', '[\n{ "vars": {"a": 1} }]', 'promptfoo'],
])('%s', (_name, text, format) => {
  expect(detectFormat(text)).toBe(format);
});
