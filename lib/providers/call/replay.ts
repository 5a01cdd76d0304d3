import type { ReasoningPart } from '@ai-sdk/provider-utils';
import type { ToolCallPart } from 'ai';
import { z } from 'zod';

/** Reasoning of a model, as the AI SDK returns it. */
export type ReceivedReasoning = { text: string; providerMetadata?: ProviderData | undefined };
type ProviderData = NonNullable<ReasoningPart['providerOptions']>;

const providerData = z.custom<ProviderData>((value) => typeof value === 'object' && value !== null);
const replaySchema = z.object({
  reasoning: z.array(z.object({ text: z.string(), options: providerData.optional() })).optional(),
  options: providerData.optional(),
});

/** Maximum length of the data of one call, in characters. A signature is only valid for the whole text, so longer data is left out. */
const MAX_REPLAY_LENGTH = 400_000;

/**
 * Returns the data of a tool call that its provider needs back in the next turn, as JSON, or undefined. Anthropic, DeepSeek and Kimi
 * refuse a turn without the reasoning before its tool calls, and Gemini signs calls. `reasoning`: that of the turn, for its first call.
 */
export function replayOf(
  reasoning: readonly ReceivedReasoning[],
  callData: ProviderData | undefined,
): string | undefined {
  const parts = reasoning.map(({ text, providerMetadata: options }) => ({ text, ...(options && { options }) }));
  if (parts.length === 0 && callData === undefined) return undefined;
  const replay = JSON.stringify({
    ...(parts.length > 0 && { reasoning: parts }),
    ...(callData !== undefined && { options: callData }),
  });
  // The database replaces lone surrogates and U+0000, and changed data has no valid signature.
  const isStorable = replay.isWellFormed() && !replay.includes('\\u0000') && !/\\ud[89a-f]/i.test(replay);
  return replay.length <= MAX_REPLAY_LENGTH && isStorable ? replay : undefined;
}

type Replay = { reasoning: ReasoningPart[]; options: Pick<ToolCallPart, 'providerOptions'> };

/** Returns the parts of a message for the data of a call. Empty if there is none or it is unreadable. */
export function readReplay(replay: string | undefined): Replay {
  const { reasoning = [], options } = replay === undefined ? {} : (parsed(replay) ?? {});
  return {
    reasoning: reasoning.map(({ text, options: of }) => ({
      type: 'reasoning',
      text,
      ...(of && { providerOptions: of }),
    })),
    options: options === undefined ? {} : { providerOptions: options },
  };
}

function parsed(replay: string): z.infer<typeof replaySchema> | null {
  try {
    return replaySchema.safeParse(JSON.parse(replay)).data ?? null;
  } catch {
    return null;
  }
}
