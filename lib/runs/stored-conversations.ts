import { hash } from 'node:crypto';
import type { AgentMessage, Conversation } from '#lib/core/agents/agent-records.ts';
import type { StoredConversation } from './call-schema.ts';

/** The last conversation of each line: where it is stored, and the SHA-256 of its messages, by which it is known again. */
export type StoredConversations = Map<string, { fingerprint: string; count: number; digest: string }>;

/**
 * What is to be stored of a conversation: a turn says again all that the turns before it said, so that a long way would take room with
 * the square of its turns. `line` names all that is the same in every turn but the messages. It is stored whole where the last one of
 * its line is no beginning of it.
 */
export function storedConversation(
  told: StoredConversations,
  line: string,
  conversation: Conversation,
): StoredConversation {
  const { messages, tools } = conversation;
  const last = told.get(line);
  const goesOn =
    last !== undefined && last.count < messages.length && last.digest === digestOf(messages.slice(0, last.count));
  return goesOn
    ? { after: last.fingerprint, messages: messages.slice(last.count), tools: null }
    : { after: null, messages, tools };
}

/** Notes that the conversation was stored under this fingerprint: the next one of its line may go on from there. */
export function noteConversation(
  told: StoredConversations,
  line: string,
  fingerprint: string,
  { messages }: Conversation,
): void {
  told.set(line, { fingerprint, count: messages.length, digest: digestOf(messages) });
}

function digestOf(messages: readonly AgentMessage[]): string {
  return hash('sha256', JSON.stringify(messages));
}
