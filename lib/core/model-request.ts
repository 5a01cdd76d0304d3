import type { z } from 'zod';
import type { Conversation, ToolCall, ToolDefinition } from './agents/agent-records.ts';
import type { ChatFile, ChatMessage } from './chat/chat-message.ts';
import type { ModelRole } from './model-roles.ts';
import type { SamplingSettings } from './model-settings.ts';
import type { ModelReference } from './settings.ts';
import type { TokenUsage } from './token-usage.ts';

/**
 * What a model is asked for; `embed` = vectors of texts, see `embeddingRequest`; `try` = an answer to a prompt that is being tuned, on
 * one case, and `judge` = a score of such an answer; `turn` = a turn of an agent; `lesson_check` = whether a new lesson gives orders.
 */
export type CallRole = ModelRole | 'embed' | 'try' | 'judge' | 'turn' | 'lesson_check';

/** A role that is answered in words. */
export type TextRole = Exclude<CallRole, 'embed'>;

/** One question to a model. `ordinal` counts the calls of one step from 0, so that a repeated step finds its saved replies. */
export type ModelRequest = {
  role: CallRole;
  ordinal: number;
  model: ModelReference;
  instructions: string;
  /** The text that is sent; if there are `messages`, their text form for records, estimates and search. */
  prompt: string;
  /** A conversation that is sent in place of `prompt`. Its system messages follow the instructions. Left out of plain requests. */
  messages?: ChatMessage[];
  /** What Hone adds to the last user message of `messages`: lessons and guidance. Left out if there are none. */
  closing?: string;
  /** Files that are sent with `prompt`. Left out if there are none. */
  files?: ChatFile[];
  /** Ending of the tags that text files are quoted in, see `renameTags`. Left out for plain tags. */
  tagEnding?: string;
  temperature: number | null;
  maxOutputTokens: number | null;
  /** What else it is asked with; left out where nothing is set. */
  sampling?: SamplingSettings;
  /**
   * Ask for a JSON object of this shape. The reply's `text` is not checked: the asker reads it. `jsonSchema` is a person's own schema,
   * which is sent in place of `schema`.
   */
  output: { name: string; schema: z.ZodType; jsonSchema?: Record<string, unknown> } | null;
  /** Tools that are offered and that nobody runs: the reply's `text` holds the calls, see `toolAnswerText`. Left out if there are none. */
  tools?: ToolDefinition[];
  /** Of an agent: what was said after `prompt`, and the tools it may use. */
  conversation?: Conversation;
};

/**
 * Tries of a call that gave no reply and that the provider may have billed: it was asked, and then nobody waited any longer or the
 * connection broke. Tokens and cost are estimated, from the length of the request and of what had arrived. They are part of the call's
 * own `tokenUsage` and `costUsd`.
 */
export type MaybeBilled = { tries: number; input: number; output: number; costUsd: number | null };

/** What a model answered. `costUsd` is null where no price is known; `attempts` counts the tries including the good one. */
export type ModelReply = {
  text: string;
  finishReason: string;
  tokenUsage: TokenUsage;
  /** Of the input tokens, those read from the provider's cache; of the output tokens, those thought. Left out where not reported. */
  tokenDetails?: { cached: number | null; reasoning: number | null };
  costUsd: number | null;
  latencyMs: number;
  attempts: number;
  warnings: string[];
  /** What an agent wants to use, `text` is then its thought; the ids are the model's own. Left out where none. */
  toolCalls?: ToolCall[];
  /** How many more uses of tools it asked for than `toolCalls` holds; left out where none. */
  callsLeftOut?: number;
  /** What an agent thought before its answer, which is then the `text`; left out where the model does not tell them apart. */
  thought?: string;
  /** Left out where no try before the good one may have been billed. */
  maybeBilled?: MaybeBilled;
};

export const MODEL_FAILURE_KINDS = [
  'unknown_provider',
  'no_key',
  'unauthorized',
  'forbidden',
  'not_found',
  'bad_request',
  'rate_limited',
  'timeout',
  'unavailable',
  'network',
  'malformed',
  'empty',
  'refused',
  'experiment_budget',
  'month_budget',
  'aborted',
] as const;
export type ModelFailureKind = (typeof MODEL_FAILURE_KINDS)[number];

/** Why a model gave no usable answer, in words for a person, with what they can do. What failed tries cost is in `tokenUsage`. */
export type ModelFailure = {
  kind: ModelFailureKind;
  message: string;
  remedy: string;
  status: number | null;
  attempts: number;
  latencyMs: number;
  tokenUsage: TokenUsage;
  costUsd: number | null;
  /** Left out where no try may have been billed. */
  maybeBilled?: MaybeBilled;
};

export type ModelOutcome = { ok: true; reply: ModelReply } | { ok: false; failure: ModelFailure };

/** The outcome of a call that was not made because nobody needs its answer any more. */
export const CANCELLED: Extract<ModelOutcome, { ok: false }> = {
  ok: false,
  failure: {
    kind: 'aborted',
    message: 'The call was canceled before it was sent.',
    remedy: 'Resume the run.',
    status: null,
    attempts: 0,
    latencyMs: 0,
    tokenUsage: { input: 0, output: 0, total: 0 },
    costUsd: 0,
  },
};

/** The message of a failed call, followed by its remedy. */
export function failureText({ message, remedy }: Pick<ModelFailure, 'message' | 'remedy'>): string {
  return `${message} ${remedy}`.trim();
}

/** Asks a model on behalf of a step of the loop, by the step's number. Never throws for what a provider does. */
export type StepCall = (step: number, request: ModelRequest) => Promise<ModelOutcome>;
