import { expect, test } from 'vitest';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { withMessage } from './with-message.ts';

const call = (tool: string): ChatMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id: '0', tool, arguments: '{}' }],
});
const result = (tool: string): ChatMessage => ({ role: 'tool', content: 'Done.', tool, toolCallId: '0' });

test('renaming a tool renames only the result of that call, even if another call has the same id', () => {
  const messages = [call('find'), result('find'), call('find'), result('find'), call('refund'), result('refund')];
  const tools = (changed: number) =>
    withMessage(messages, changed, call('lookup')).flatMap(({ role, tool }) => (role === 'tool' ? [tool] : []));
  expect(tools(0)).toEqual(['lookup', 'find', 'refund']);
  expect(tools(2)).toEqual(['find', 'lookup', 'refund']);
  expect(tools(4)).toEqual(['find', 'find', 'lookup']);
});

test('a result with a different tool name keeps it', () => {
  const messages = [call('find'), result('search')];
  expect(withMessage(messages, 0, call('lookup'))).toEqual([call('lookup'), result('search')]);
});

test('other changes do not affect results', () => {
  const messages = [call('find'), result('find')];
  const changed = { role: 'assistant', content: 'No.' } as const;
  expect(withMessage(messages, 0, changed)).toEqual([changed, result('find')]);
});
