import { expect, test } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { useRowKeys, withMessage } from './message-list.ts';

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

test('rows keep their keys when an earlier row is removed and others are added', async () => {
  let count = 3;
  const { current, act } = await renderHook(() => useRowKeys(count));
  const [first, second, third] = current().keys;
  expect(new Set([first, second, third]).size).toBe(3);
  await act(() => {
    count = 2;
    current().remove(0);
  });
  expect(current().keys).toEqual([second, third]);
  await act(() => {
    count = 1;
    current().remove(0);
  });
  expect(current().keys).toEqual([third]);
});

test('keys are unique after each change of the number of rows', async () => {
  let count = 1;
  const { current, act } = await renderHook(() => useRowKeys(count));
  for (const [next, index] of [
    [3, 1],
    [5, 0],
    [1, 0],
    [4, 2],
  ] as const) {
    await act(() => {
      count = next;
      current().remove(index);
    });
    expect(current().keys).toHaveLength(next);
    expect(new Set(current().keys).size).toBe(next);
  }
});
