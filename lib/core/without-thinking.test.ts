import { describe, expect, test } from 'vitest';
import { withoutThinking } from './responses.ts';

describe('removes thinking before the answer', () => {
  test.each<[string, string, string]>([
    ['a block', '<think>\nHm, 4?\n</think>\n\nIt is 4.\n', 'It is 4.\n'],
    ['another name, other case', ' <Thinking>Hm.</THINKING>It is 4.', 'It is 4.'],
    ['an empty block', '<think>\n\n</think>\n\n  indented', 'indented'],
    ['two blocks', '<think>a</think>\n<think>b</think>\nIt is 4.', 'It is 4.'],
    ['an opening tag inside', '<think>a <think> b</think>It is 4.', 'It is 4.'],
    ['no opening tag', 'Hm, 4?\nYes.\n</think>\n\nIt is 4.', 'It is 4.'],
    ['a block that never ends', '<think>\nHm, 4? Or perhaps', ''],
    ['nothing behind it', '<think>Hm.</think>\n', ''],
    ['nothing behind it, no opening tag', 'Hm.</think>', ''],
  ])('%s', (_name, reply, answer) => {
    expect(withoutThinking(reply)).toBe(answer);
  });
});

describe('leaves an answer unchanged', () => {
  test.each<[string, string]>([
    ['no tags', '\n It is 4. \n'],
    ['empty', ''],
    ['tags further on', 'Write:\n<think>\nso\n</think>\nThen answer.'],
    ['a closing tag inside a line', 'The tag </think> ends the block.\n'],
    ['another tag', '<thinker>a</thinker>'],
  ])('%s', (_name, reply) => {
    expect(withoutThinking(reply)).toBe(reply);
  });

  test('processes hostile inputs quickly', () => {
    const started = performance.now();
    for (const unit of ['<think>', '<think></think>', '</think>', ' ', '\n', '</think> '])
      withoutThinking(unit.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
