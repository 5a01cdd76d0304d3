import type { ModelRequest, ModelResponse } from './model-request.ts';

/** Number of ordinals reserved for the calls of each case of a step: `positionInStep * CALLS_PER_CASE + k`. */
export const CALLS_PER_CASE = 1024;
/** Ordinals of one try. A repeated try uses the next ones, so it never reuses a saved response. */
export const CALLS_PER_TRY = 64;

/** Ordinals of one proposal: its request, and one retry if the response cannot be used. */
export const CALLS_PER_PROPOSAL = 2;

/** First ordinal of the requests that a prompt is written from: after those of all proposals of a step, before those of recalls. */
const FIRST_PART = 16 * CALLS_PER_PROPOSAL;
/** Maximum number of such requests per proposal: one for each case. */
const PARTS_PER_PROPOSAL = 50;

/** Returns the ordinal of a request that a proposal is written from. `index`: index of the proposal in its step. */
export function partOrdinal(index: number, part: number): number {
  return FIRST_PART + index * PARTS_PER_PROPOSAL + part;
}

/** Returns the index of a request among the calls on its case, from 0. It distinguishes identical requests. */
export function slotOf({ ordinal }: Pick<ModelRequest, 'ordinal'>): number {
  return ordinal % CALLS_PER_CASE;
}

/** Note on a call whose response was reused. */
export const REUSED_RESPONSE_WARNING =
  'This very question was paid for before: its reply was used again and cost nothing.';

/** Content of a response, without the data about its call. A repeated request reuses it. */
type ResponseContent = Pick<ModelResponse, 'text' | 'finishReason' | 'toolCalls' | 'callsLeftOut' | 'thought'>;

/** Returns the content of a response or of a saved one, without undefined fields. */
export function responseContent({
  text,
  finishReason,
  toolCalls,
  callsLeftOut,
  thought,
}: { [Key in keyof ResponseContent]: ResponseContent[Key] | undefined } & Pick<
  ResponseContent,
  'text' | 'finishReason'
>): ResponseContent {
  return {
    text,
    finishReason,
    ...(toolCalls !== undefined && { toolCalls }),
    ...(callsLeftOut !== undefined && { callsLeftOut }),
    ...(thought !== undefined && { thought }),
  };
}

/** Returns a saved response as the result of a repeated request. It costs nothing. */
export function createReusedResponse(response: ResponseContent): ModelResponse {
  return {
    ...responseContent(response),
    tokenUsage: { input: 0, output: 0, total: 0 },
    costUsd: 0,
    latencyMs: 0,
    attempts: 0,
    warnings: [REUSED_RESPONSE_WARNING],
  };
}

/** True if no call was made for a response. */
export function isReusedResponse({ attempts }: Pick<ModelResponse, 'attempts'>): boolean {
  return attempts === 0;
}
