import { hash } from 'node:crypto';
import { type AgentMessage, type Conversation, plainCall } from '#lib/core/agents/agent-records.ts';
import type { StoredConversation } from './call-schema.ts';

/** The last stored conversation of each line: its fingerprint, its number of messages and their SHA-256. */
export type StoredConversations = Map<string, { fingerprint: string; count: number; digest: string }>;

/**
 * Returns the part of a conversation to store. Each turn repeats all earlier messages, so only the new ones are stored if the last
 * conversation of the line is a prefix of this one. Otherwise the whole conversation is stored. `line` identifies everything that stays the
 * same in every turn.
 */
export function storedConversation(
  stored: StoredConversations,
  line: string,
  conversation: Conversation,
): StoredConversation {
  const { messages, tools } = conversation;
  const last = stored.get(line);
  const goesOn =
    last !== undefined && last.count < messages.length && last.digest === digestOf(messages.slice(0, last.count));
  return goesOn
    ? { after: last.fingerprint, messages: messages.slice(last.count).map(plainMessage), tools: null }
    : { after: null, messages: messages.map(plainMessage), tools };
}

/** The provider's data is stored with the response that it came with. */
function plainMessage(message: AgentMessage): StoredConversation['messages'][number] {
  return message.role === 'assistant' ? { ...message, calls: message.calls.map(plainCall) } : message;
}

/** Records that a conversation was stored under this fingerprint, so that the next one of its line can extend it. */
export function addStoredConversation(
  stored: StoredConversations,
  line: string,
  fingerprint: string,
  { messages }: Conversation,
): void {
  stored.set(line, { fingerprint, count: messages.length, digest: digestOf(messages) });
}

function digestOf(messages: readonly AgentMessage[]): string {
  return hash('sha256', JSON.stringify(messages));
}
