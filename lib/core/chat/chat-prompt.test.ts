import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chatPromptProblems,
  messagesOfPrompt,
  PROMPT_ROLES,
  type PromptMessage,
  promptOfMessages,
  withoutRoleLines,
} from './chat-prompt.ts';

describe('messagesOfPrompt', () => {
  test.each<[string, string, PromptMessage[] | null]>([
    ['a plain text', 'Do {{input}}.', null],
    ['only a history line', 'Hello\n{{history}}', null],
    ['a role in the middle of a line', 'Write {{role "system"}} now', null],
    ['only an unknown role', '{{role "bot"}}\nHello', null],
    [
      'a system and a user message',
      '{{role "system"}}\nBe brief.\n\n{{role "user"}}\n{{input}}\n',
      [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: '{{input}}' },
      ],
    ],
    [
      'text before the first role line belongs to the user',
      `Hello\n  {{ role 'assistant' }}\r\nHi.\n\nHow are you?`,
      [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', text: 'Hi.\n\nHow are you?' },
      ],
    ],
    [
      'history between messages, and text after it',
      '{{role "system"}}\nBe brief.\n{{history}}\nAnswer the last message.',
      [{ role: 'system', text: 'Be brief.' }, { role: 'history' }, { role: 'user', text: 'Answer the last message.' }],
    ],
    ['the Dotprompt name for the assistant', '{{role "model"}}\nHi', [{ role: 'assistant', text: 'Hi' }]],
    [
      'an unknown role is text',
      '{{role "user"}}\na\n{{role "bot"}}\nb',
      [{ role: 'user', text: 'a\n{{role "bot"}}\nb' }],
    ],
  ])('%s', (_name, text, messages) => {
    expect(messagesOfPrompt(text)).toEqual(messages);
  });

  test('parses the output of promptOfMessages', () => {
    const text = fc
      .array(
        fc.constantFrom(
          'a',
          '{{input}}',
          '{{metadata.x}}',
          '{{role',
          '"user"}}',
          '{{input.a.b}}',
          ' ',
          '\n',
          '\n\n',
          '# b',
        ),
      )
      .map((parts) => parts.join(''))
      .filter((joined) => joined.trim() !== '' && messagesOfPrompt(joined) === null);
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom(...PROMPT_ROLES), text }),
      fc.constant({ role: 'history' as const }),
    );
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), (messages) => {
        fc.pre(messages.some(({ role }) => role !== 'history'));
        const written = promptOfMessages(messages);
        const read = messagesOfPrompt(written);
        expect(read).toEqual(
          messages.map((one) => (one.role === 'history' ? one : { role: one.role, text: one.text.trim() })),
        );
        expect(promptOfMessages(read ?? [])).toBe(written);
      }),
    );
  });
});

describe('chatPromptProblems', () => {
  test.each<[string, string, string[]]>([
    ['a plain text', 'Do {{input}}.', []],
    ['a valid prompt', '{{role "system"}}\nBe brief.\n{{history}}', []],
    ['an unknown role', '{{role "bot"}}\nHello', ['unknown role "bot"']],
    ['an empty message', '{{role "system"}}\n\n{{role "user"}}\nHi', ['the system message is empty']],
    [
      'a system message after another message',
      '{{role "user"}}\nHi\n{{role "system"}}\nBe brief.',
      ['a system message comes after another message'],
    ],
    [
      'a system message after the history',
      '{{history}}\n{{role "system"}}\nBe brief.',
      ['a system message comes after another message'],
    ],
    [
      'two history lines',
      '{{role "system"}}\nBe brief.\n{{history}}\n{{history}}',
      ['{{history}} is used more than once'],
    ],
  ])('%s', (_name, text, messages) => {
    const problems = chatPromptProblems(text);
    expect(problems.map(({ message }) => message)).toEqual(messages);
    for (const { remedy } of problems) expect(remedy).not.toBe('');
  });
});

test('withoutRoleLines removes role and history lines', () => {
  expect(withoutRoleLines('{{role "system"}}\nBe {{metadata.tone}}.\n{{history}}')).toBe('Be {{metadata.tone}}.');
  expect(withoutRoleLines('Plain\n{{history}}')).toBe('Plain\n{{history}}');
});
