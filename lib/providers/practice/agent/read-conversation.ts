import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';

/** Tool call in a conversation, with its result. `result` is null if there is none yet. */
export type PastUse = { tool: string; input: Record<string, unknown>; result: string | null; isError: boolean };

/** Agent's conversation as parsed by the practice model. */
export type SeenConversation = {
  instructions: string;
  /** First message. */
  prompt: string;
  /** Later messages to the agent, in order. */
  followUps: string[];
  uses: PastUse[];
  /** Number of turns the agent has taken so far. */
  turns: number;
};

/** Parses a conversation of the AI SDK: the messages, the tool calls and their results. */
export function readConversation(messages: LanguageModelV4Prompt): SeenConversation {
  const instructions: string[] = [];
  const texts: string[] = [];
  const uses = new Map<string, PastUse>();
  let turns = 0;
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        instructions.push(message.content);
        break;
      case 'user':
        texts.push(message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
        break;
      case 'assistant':
        turns++;
        for (const part of message.content)
          if (part.type === 'tool-call')
            uses.set(part.toolCallId, {
              tool: part.toolName,
              input: typeof part.input === 'object' && part.input !== null ? { ...part.input } : {},
              result: null,
              isError: false,
            });
        break;
      case 'tool':
        for (const part of message.content) {
          const use = part.type === 'tool-result' ? uses.get(part.toolCallId) : undefined;
          if (part.type === 'tool-result' && use !== undefined) Object.assign(use, resultOf(part));
        }
    }
  }
  const [prompt = '', ...followUps] = texts;
  return { instructions: instructions.join('\n\n'), prompt, followUps, uses: [...uses.values()], turns };
}

function resultOf({ output }: LanguageModelV4ToolResultPart): Pick<PastUse, 'result' | 'isError'> {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { result: output.value, isError: output.type === 'error-text' };
    case 'json':
    case 'error-json':
      return { result: JSON.stringify(output.value), isError: output.type === 'error-json' };
    case 'execution-denied':
      return { result: output.reason ?? 'not allowed', isError: true };
    case 'content':
      return {
        result: output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
        isError: false,
      };
  }
}
