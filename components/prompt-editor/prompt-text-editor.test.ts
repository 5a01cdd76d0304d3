import { describe, expect, test } from 'vitest';
import { asMessages, fromRows, toRows, withHistory, withMessage, withMoved } from './prompt-text-editor.tsx';

const CHAT = '{{role "system"}}\nSort.\n\n{{role "user"}}\n{{input}}';

describe('message rows', () => {
  test('round-trip through the prompt text', () => {
    expect(toRows(CHAT)).toEqual([
      { key: 0, role: 'system', text: 'Sort.' },
      { key: 1, role: 'user', text: '{{input}}' },
    ]);
    expect(fromRows(toRows(CHAT))).toBe(CHAT);
    expect(toRows('Sort {{input}}')).toEqual([]);
  });

  test.each([
    ['Sort {{input}}', '{{role "user"}}\nSort {{input}}'],
    ['About {{input.title}}', '{{role "user"}}\nAbout {{input.title}}'],
    ['Sort.', CHAT],
    ['', '{{role "user"}}\n{{input}}'],
  ])('convert %j to messages', (text, messages) => {
    expect(asMessages(text)).toBe(messages);
  });

  test('new rows get the next role', () => {
    expect(withMessage([]).map(({ role }) => role)).toEqual(['system']);
    expect(withMessage(toRows(CHAT)).map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
  });

  test('case history is inserted before the last user message', () => {
    expect(fromRows(withHistory(toRows(CHAT)))).toBe(
      '{{role "system"}}\nSort.\n\n{{history}}\n\n{{role "user"}}\n{{input}}',
    );
  });

  test('keep their keys when moved', () => {
    expect(withMoved(toRows(CHAT), 1, -1).map(({ key }) => key)).toEqual([1, 0]);
  });
});
