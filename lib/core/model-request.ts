import type { z } from 'zod';
import type { AgentCall, Conversation, ToolDefinition } from './agents/agent-records.ts';
import type { ChatFile, ChatMessage } from './chat/chat-message.ts';
import type { ModelRole } from './model-roles.ts';
import type { SamplingSettings } from './model-settings.ts';
import type { ModelReference } from './settings.ts';
import type { TokenUsage } from './token-usage.ts';

/**
 * Purpose of a model call. `embed`: vectors of texts, see `embeddingRequest`. `try`: the answer of a prompt being tuned to one case.
 * `judge`: a score of such an answer. `turn`: a turn of an agent. `lesson_check`: checks if a new lesson contains instructions.
 */
export type CallRole = ModelRole | 'embed' | 'try' | 'judge' | 'turn' | 'lesson_check';

/** A role whose response is text. */
export type TextRole = Exclude<CallRole, 'embed'>;

/** One request to a model. `ordinal` counts the calls of one step from 0, so that a repeated step finds its saved responses. */
export type ModelRequest = {
  role: CallRole;
  ordinal: number;
  model: ModelReference;
  instructions: string;
  /** The text that is sent. If there are `messages`, their text form for records, estimates and search. */
  prompt: string;
  /** A conversation that is sent instead of `prompt`. Its system messages follow the instructions. Omitted from plain requests. */
  messages?: ChatMessage[];
  /** Lessons and guidance that Hone appends to the last user message of `messages`. Omitted if there are none. */
  closing?: string;
  /** Files that are sent with `prompt`. Omitted if there are none. */
  files?: ChatFile[];
  /** Suffix of the tags around quoted text files, see `renameTags`. Omitted for plain tags. */
  tagEnding?: string;
  temperature: number | null;
  maxOutputTokens: number | null;
  /** Other sampling settings. Omitted if none are set. */
  sampling?: SamplingSettings;
  /**
   * Requests a JSON object with this schema. The response's `text` is not validated, the caller parses it. `jsonSchema` is a user-written
   * schema that is sent instead of `schema`.
   */
  output: { name: string; schema: z.ZodType; jsonSchema?: Record<string, unknown> } | null;
  /** Tools that are offered but not performed: the response's `text` contains the calls, see `toolAnswerText`. Omitted if none. */
  tools?: ToolDefinition[];
  /** For an agent: the messages after `prompt`, and the tools it may use. */
  conversation?: Conversation;
};

/**
 * Attempts of a call that received no response and may have been billed: the request was sent, and then timed out or lost its connection.
 * Tokens and cost are estimated from the length of the request and of the received part. They are included in the call's `tokenUsage` and
 * `costUsd`.
 */
export type MaybeBilled = { tries: number; input: number; output: number; costUsd: number | null };

/** A model's response. `costUsd` is null if no price is known. `attempts` includes the successful one. */
export type ModelResponse = {
  text: string;
  finishReason: string;
  tokenUsage: TokenUsage;
  /** Input tokens read from the provider's cache, and output tokens used for reasoning. Omitted if not reported. */
  tokenDetails?: { cached: number | null; reasoning: number | null };
  costUsd: number | null;
  latencyMs: number;
  attempts: number;
  warnings: string[];
  /** Tool calls of an agent, with the model's ids. `text` is then its thought. Omitted if there are none. */
  toolCalls?: AgentCall[];
  /** Number of tool calls beyond those in `toolCalls`. Omitted if there are none. */
  callsLeftOut?: number;
  /** An agent's thought before its answer, which is then the `text`. Omitted if the model does not separate them. */
  thought?: string;
  /** Omitted if no try before the successful one may have been billed. */
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
  'call_budget',
  'experiment_budget',
  'month_budget',
  'aborted',
] as const;
export type ModelFailureKind = (typeof MODEL_FAILURE_KINDS)[number];

/** Reason why a model returned no usable answer, with a remedy, as messages for people. `tokenUsage` includes the failed tries. */
export type ModelFailure = {
  kind: ModelFailureKind;
  message: string;
  remedy: string;
  status: number | null;
  attempts: number;
  latencyMs: number;
  tokenUsage: TokenUsage;
  costUsd: number | null;
  /** Omitted if no try may have been billed. */
  maybeBilled?: MaybeBilled;
  /** Time from which the provider accepts calls again, in ISO 8601. Omitted if waiting does not help. */
  retryAt?: string;
};

export type ModelOutcome = { ok: true; reply: ModelResponse } | { ok: false; failure: ModelFailure };

/** Outcome of a call that was not made because its answer is no longer needed. */
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

/** Returns the message of a failed call, followed by its remedy. */
export function failureText({ message, remedy }: Pick<ModelFailure, 'message' | 'remedy'>): string {
  return `${message} ${remedy}`.trim();
}

/** Calls a model for a step of the loop, by step number. Never throws because of a provider. */
export type StepCall = (step: number, request: ModelRequest) => Promise<ModelOutcome>;
