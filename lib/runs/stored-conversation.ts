import { z } from 'zod';
import { type AgentMessage, agentMessageSchema, type Conversation } from '#lib/core/agents/agent-records.ts';

/** A tool as a model was told of it. */
export const offeredToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});

/**
 * A conversation as it is stored: what is new in it since the one with the fingerprint `after`, whose messages come first and whose
 * tools are its own (`tools` null then). With `after` null, or left out, it is whole.
 */
export const storedConversationSchema = z.object({
  after: z.string().nullable().default(null),
  messages: z.array(agentMessageSchema),
  tools: z.array(offeredToolSchema).nullable(),
});
export type StoredConversation = z.infer<typeof storedConversationSchema>;

/** What the last conversation of each line was: where it is stored, and how to know it again. */
export type StoredConversations = Map<string, { fingerprint: string; count: number; words: string }>;

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
    last !== undefined && last.count < messages.length && last.words === wordsOf(messages.slice(0, last.count));
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
  told.set(line, { fingerprint, count: messages.length, words: wordsOf(messages) });
}

/** The conversation made of its parts, the latest first; null where its beginning is not among them. */
export function wholeConversation(parts: readonly StoredConversation[]): Conversation | null {
  const first = parts.at(-1);
  if (first === undefined || first.after !== null || first.tools === null) return null;
  return { messages: parts.toReversed().flatMap(({ messages }) => messages), tools: first.tools };
}

function wordsOf(messages: readonly AgentMessage[]): string {
  return JSON.stringify(messages);
}
