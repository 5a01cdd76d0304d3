import { describe, expect, test } from 'vitest';
import { withoutThinking } from './responses.ts';

describe('removes thinking before the answer', () => {
  test.each<[string, string, string]>([
    ['a thinking block', '<think>\nHm, 4?\n</think>\n\nIt is 4.\n', 'It is 4.\n'],
    ['a tag with another name and case', ' <Thinking>Hm.</THINKING>It is 4.', 'It is 4.'],
    ['an empty block', '<think>\n\n</think>\n\n  indented', 'indented'],
    ['two blocks', '<think>a</think>\n<think>b</think>\nIt is 4.', 'It is 4.'],
    ['an opening tag inside', '<think>a <think> b</think>It is 4.', 'It is 4.'],
    ['no opening tag', 'Hm, 4?\nYes.\n</think>\n\nIt is 4.', 'It is 4.'],
    ['an unclosed block', '<think>\nHm, 4? Or perhaps', ''],
    ['no answer', '<think>Hm.</think>\n', ''],
    ['no answer and no opening tag', 'Hm.</think>', ''],
  ])('%s', (_name, response, answer) => {
    expect(withoutThinking(response)).toBe(answer);
  });
});

describe('leaves an answer unchanged', () => {
  test.each<[string, string]>([
    ['no tags', '\n It is 4. \n'],
    ['empty', ''],
    ['tags later in the text', 'Write:\n<think>\nso\n</think>\nThen answer.'],
    ['a closing tag within a line', 'The tag </think> ends the block.\n'],
    ['another tag', '<thinker>a</thinker>'],
  ])('%s', (_name, response) => {
    expect(withoutThinking(response)).toBe(response);
  });

  test('processes hostile inputs quickly', () => {
    const started = performance.now();
    for (const unit of ['<think>', '<think></think>', '</think>', ' ', '\n', '</think> '])
      withoutThinking(unit.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
