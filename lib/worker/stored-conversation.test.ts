import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentMessage, Conversation } from '#lib/core/agents/agent-records.ts';
import { type StoredConversation, wholeConversation } from '#lib/runs/call-schema.ts';
import { addStoredConversation, type StoredConversations, storedConversation } from './recorded-call.ts';

const TOOLS = [{ name: 'search', description: 'Finds.', parameters: {} }];
const says = (text: string): AgentMessage => ({ role: 'user', text });

/** Stores the conversations of each line in order and returns the stored form of each by fingerprint. */
function storeAll(conversations: { line: string; messages: AgentMessage[] }[]): Map<string, StoredConversation> {
  const known: StoredConversations = new Map();
  const stored = new Map<string, StoredConversation>();
  conversations.forEach(({ line, messages }, at) => {
    const conversation: Conversation = { messages, tools: TOOLS };
    stored.set(`f${at}`, storedConversation(known, line, conversation));
    addStoredConversation(known, line, `f${at}`, conversation);
  });
  return stored;
}

function readBack(stored: Map<string, StoredConversation>, fingerprint: string): Conversation | null {
  const parts: StoredConversation[] = [];
  for (let next: string | null = fingerprint; next !== null; ) {
    const part = stored.get(next);
    if (part === undefined) break;
    parts.push(part);
    next = part.after;
  }
  return wholeConversation(parts);
}

test('keeps only the digest of a stored conversation in memory', () => {
  const stored: StoredConversations = new Map();
  addStoredConversation(stored, 'x', 'f', { messages: [says('a'.repeat(100_000))], tools: TOOLS });
  expect(JSON.stringify([...stored]).length).toBeLessThan(200);
});

describe('storing conversations', () => {
  test('stores the first conversation in full, then only new messages', () => {
    const [a, b, c] = [says('a'), says('b'), says('c')];
    const stored = storeAll([
      { line: 'x', messages: [a] },
      { line: 'x', messages: [a, b, c] },
    ]);
    expect(stored.get('f0')).toEqual({ after: null, messages: [a], tools: TOOLS });
    expect(stored.get('f1')).toEqual({ after: 'f0', messages: [b, c], tools: null });
  });

  test.each<[string, string, AgentMessage[], string, AgentMessage[]]>([
    ['in another line of calls', 'x', [says('a')], 'y', [says('a'), says('b')]],
    ['if an earlier message differs', 'x', [says('a')], 'x', [says('A'), says('b')]],
    ['if it is shorter', 'x', [says('a'), says('b')], 'x', [says('a')]],
    ['if it is sent again', 'x', [says('a')], 'x', [says('a')]],
  ])('stores the whole conversation %s', (_, firstLine, first, line, messages) => {
    const stored = storeAll([
      { line: firstLine, messages: first },
      { line, messages },
    ]);
    expect(stored.get('f1')).toEqual({ after: null, messages, tools: TOOLS });
  });

  test('restores the original conversations for any number of lines', () => {
    const message = fc.constantFrom(says('a'), says('b'), says('c'));
    const turn = fc.record({
      line: fc.constantFrom('x', 'y'),
      cut: fc.integer({ min: 0, max: 3 }),
      more: fc.array(message, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 20 }), (turns) => {
        const lines: Record<string, AgentMessage[]> = {};
        const conversations = turns.map(({ line, cut, more }) => {
          const before = lines[line] ?? [];
          lines[line] = [...(cut === 3 ? before.slice(0, -1) : before), ...more];
          return { line, messages: lines[line] };
        });
        const stored = storeAll(conversations);
        conversations.forEach(({ messages }, at) => {
          expect(readBack(stored, `f${at}`)).toEqual({ messages, tools: TOOLS });
        });
      }),
    );
  });

  test('storage grows linearly with the length of the conversation', () => {
    const all = Array.from({ length: 200 }, (_, at) => says(`${at} `.repeat(100)));
    const stored = storeAll(all.map((_, at) => ({ line: 'x', messages: all.slice(0, at + 1) })));
    const room = JSON.stringify([...stored.values()]).length;
    expect(room).toBeLessThan(2 * JSON.stringify(all).length);
  });
});

test('returns null if the beginning of a conversation is missing', () => {
  expect(wholeConversation([{ after: 'f0', messages: [says('b')], tools: null }])).toBeNull();
  expect(wholeConversation([])).toBeNull();
});
