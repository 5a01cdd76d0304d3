import { describe, expect, test } from 'vitest';
import type { ChatMessage } from './chat-message.ts';
import { chatMessagesSchema, sentMessagesSchema } from './chat-messages-schema.ts';
import { filesOf, inputOfMessages, transcriptOf } from './message-content.ts';

const IMAGE = { type: 'file', file: 'a'.repeat(64), mediaType: 'image/png', name: 'cat.png' } as const;

describe('chatMessagesSchema', () => {
  test('accepts a conversation with an image and a tool', () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, IMAGE] },
      { role: 'assistant', content: '', toolCalls: [{ id: '1', tool: 'look', arguments: '{}' }] },
      { role: 'tool', content: 'a cat', tool: 'look', toolCallId: '1' },
    ];
    expect(chatMessagesSchema.parse(messages)).toEqual(messages);
    expect(filesOf(messages)).toEqual([IMAGE]);
  });

  test.each<[string, unknown, string, string]>([
    ['a value that is not a list', 'Hi', '', 'must be a list of messages, got "Hi"'],
    ['an empty list', [], '', 'must contain at least one message'],
    ['201 messages', Array(201).fill({ role: 'user', content: 'a' }), '', 'must contain at most 200 messages'],
    ['21 files', Array(21).fill({ role: 'user', content: [IMAGE] }), '', 'must contain at most 20 files'],
    [
      'an unknown role',
      [{ role: 'bot', content: 'a' }],
      '0.role',
      'must be one of system, user, assistant, tool, got "bot"',
    ],
    [
      'only empty messages',
      [{ role: 'user', content: ' ' }],
      '',
      'must contain at least one message that is not empty',
    ],
    [
      'an image in a system message',
      [{ role: 'system', content: [IMAGE] }],
      '0.content',
      'must be text in a message of the system',
    ],
    [
      'an invalid file id',
      [{ role: 'user', content: [{ ...IMAGE, file: 'x' }] }],
      '0.content.0.file',
      'must be the id of a stored file',
    ],
  ])('rejects %s', (_name, value, path, message) => {
    const issue = chatMessagesSchema.safeParse(value).error?.issues[0];
    expect(issue?.path.join('.')).toBe(path);
    expect(issue?.message).toContain(message);
  });
});

test('tool calls require a name and valid JSON arguments', () => {
  const toolCalls = [
    { id: '1', tool: 'look', arguments: '{"a": 1}' },
    { id: '2', tool: ' ', arguments: '{"a": ' },
  ];
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '', toolCalls },
  ];
  expect(chatMessagesSchema.safeParse(messages).success).toBe(true);
  const issues = sentMessagesSchema.safeParse(messages).error?.issues ?? [];
  expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['1.toolCalls.1.tool', 'must not be empty'],
    ['1.toolCalls.1.arguments', 'must be JSON'],
  ]);
});

describe('text form', () => {
  const conversation: ChatMessage[] = [
    { role: 'user', content: [{ type: 'text', text: 'Find it' }, IMAGE] },
    { role: 'assistant', content: 'One moment.', toolCalls: [{ id: '1', tool: 'search', arguments: '{"q":"x"}' }] },
    { role: 'tool', content: 'found', tool: 'search' },
  ];

  test('of a conversation', () => {
    const text =
      'User: Find it\n[image cat.png aaaaaaaa]\n\nAssistant: One moment.\n[calls search {"q":"x"}]\n\nTool search: found';
    expect(transcriptOf(conversation)).toBe(text);
    expect(inputOfMessages(conversation)).toBe(text);
  });

  test('of a single user message, without a label', () => {
    expect(inputOfMessages([{ role: 'user', content: 'Hi' }])).toBe('Hi');
    expect(transcriptOf([{ role: 'user', content: 'Hi' }])).toBe('User: Hi');
  });
});
