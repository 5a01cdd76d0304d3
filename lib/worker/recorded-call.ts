import { hash } from 'node:crypto';
import { type AgentMessage, type Conversation, plainCall } from '#lib/core/agents/agent-records.ts';
import { keepRecent } from '#lib/core/caches.ts';
import { CANCELLED, type StepCall } from '#lib/core/model-request.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { cleanJson, cleanText } from '#lib/database/query-values.ts';
import { redactErrorMessage, redactResponse } from '#lib/lessons/redact-lesson.ts';
import type { ModelCaller, ModelOutcome, ModelRequest, ModelResponse } from '#lib/providers/call/model-caller.ts';
import { type CallEntry, callFailureSchema, type StoredConversation } from '#lib/runs/call-schema.ts';
import { callKey, type SavedResponse } from '#lib/runs/journal.ts';

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
  const isContinued =
    last !== undefined && last.count < messages.length && last.digest === digestOf(messages.slice(0, last.count));
  return isContinued
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

/**
 * Returns a model caller that redacts responses that write or check lessons, before anything else reads them. The journal, subscribers, the
 * library and later prompts only get the redacted text. Other responses are passed through unchanged.
 */
export function redactedCall(call: ModelCaller): ModelCaller {
  return async (request, options) => {
    if (request.role !== 'lesson' && request.role !== 'lesson_check') return call(request, options);
    // Not streamed, because part of a secret cannot be detected.
    const outcome = await call(request, { ...options, onText: null });
    if (outcome.ok) {
      const text = await redactResponse(outcome.reply.text);
      return { ok: true, reply: { ...outcome.reply, text } };
    }
    // Some providers quote the input that they could not parse. The URL is kept, because it is needed to fix the problem.
    const message = await redactErrorMessage(outcome.failure.message);
    return { ok: false, failure: { ...outcome.failure, message } };
  };
}

type Journal = {
  /** Calls a model. `step` is the step of the run that makes the call. */
  call: (...args: [...Parameters<ModelCaller>, step: number]) => Promise<ModelOutcome>;
  /** Responses of unsaved steps stored before a crash, by `callKey`. */
  saved: Map<string, SavedResponse>;
  /** Returns false for a call that must not be made now. It is cancelled and not recorded. */
  mayCall?: (model: ModelReference, step: number) => boolean;
  record: (entry: CallEntry) => void;
  signal: () => AbortSignal;
  onText: (request: ModelRequest) => ((piece: string) => void) | null;
  now: () => Date;
};

/**
 * Returns a model caller that reuses the journal's response if the same request was already paid for at the same place. It records every
 * new call, and redacts lessons before that. Its cache covers only the open step and the one before, which may be unsaved: the next step
 * makes new calls, and a repeated step finds its own responses. Calls of one step may run concurrently, each with its own ordinal.
 */
export function recordedCall(journal: Journal): StepCall {
  /** The responses to the calls of a step. */
  const replies = new Map<number, Map<string, SavedResponse>>();
  const ask = (step: number) => redactedCall((request, options) => journal.call(request, options, step));
  const stored: StoredConversations = new Map();
  // Kept for one step only, because each call on a case adds an entry, and few of them continue in a later step.
  const storedTries: StoredConversations = new Map();
  const storedFor = ({ role }: ModelRequest) => (role === 'try' ? storedTries : stored);
  let openStep: number | null = null;
  return async (step, request) => {
    openStep ??= step;
    if (step !== openStep) storedTries.clear();
    openStep = step;
    const ofStep = replies.get(step) ?? new Map<string, SavedResponse>();
    // The step before can have a higher number, if a decision of a person replaced one of the rules.
    keepRecent(replies, step, ofStep, UNSAVED_STEPS);
    const fingerprint = fingerprintOf(request);
    const key = callKey({ step, ordinal: request.ordinal, fingerprint });
    const saved = ofStep.get(key) ?? journal.saved.get(key);
    if (saved !== undefined) return { ok: true, reply: saved };
    if (journal.mayCall?.(request.model, step) === false) return CANCELLED;
    const createdAt = journal.now().toISOString();
    const outcome = sanitizeOutcome(
      await ask(step)(request, { signal: journal.signal(), onText: journal.onText(request) }),
    );
    const entry = entryOf(step, request, fingerprint, outcome, createdAt);
    const conversation = request.conversation ?? (request.tools && { messages: [], tools: request.tools });
    journal.record(conversation === undefined ? entry : { ...entry, ...conversationEntry(request, conversation) });
    if (outcome.ok && request.conversation !== undefined)
      addStoredConversation(
        storedFor(request),
        lineOf(request, request.conversation),
        fingerprint,
        request.conversation,
      );
    // The response to an aborted call may arrive when the next step has started.
    if (outcome.ok && step === openStep) ofStep.set(key, outcome.reply);
    return outcome;
  };

  function conversationEntry(request: ModelRequest, conversation: Conversation): Pick<CallEntry, 'conversation'> {
    return { conversation: storedConversation(storedFor(request), lineOf(request, conversation), conversation) };
  }
}

/** Number of steps that may be unsaved: the open one, and the one before it (see `RunLoop`). */
const UNSAVED_STEPS = 2;

/** Returns everything that stays the same in all turns of one agent. */
function lineOf({ model, instructions, prompt, messages }: ModelRequest, { tools }: Conversation): string {
  const parts = [
    model.provider,
    model.model,
    instructions,
    prompt,
    tools,
    ...(messages === undefined ? [] : [messages]),
  ];
  return hash('sha256', JSON.stringify(parts));
}

/** Returns the SHA-256 of everything that determines the response. Equal requests have equal fingerprints. */
export function fingerprintOf(request: ModelRequest): string {
  const { model, instructions, prompt, temperature, maxOutputTokens, sampling, output, conversation } = request;
  const { messages, closing, files, tools } = request;
  const deciding = [
    model.provider,
    model.model,
    instructions,
    prompt,
    temperature,
    maxOutputTokens,
    output?.name ?? null,
    ...(conversation === undefined ? [] : [conversation]),
    // Optional fields are omitted if unset, so that requests without them keep the fingerprint from before these settings existed.
    ...(sampling === undefined ? [] : [{ sampling }]),
    ...(messages === undefined ? [] : [{ messages, closing }]),
    ...(files === undefined ? [] : [{ files: files.map(({ file }) => file) }]),
    ...(tools === undefined ? [] : [{ tools }]),
    ...(output?.jsonSchema === undefined ? [] : [{ jsonSchema: output.jsonSchema }]),
  ];
  return hash('sha256', JSON.stringify(deciding));
}

function sanitizeOutcome(outcome: ModelOutcome): ModelOutcome {
  if (!outcome.ok) return outcome;
  const { text, thought, toolCalls } = outcome.reply;
  return {
    ok: true,
    reply: {
      ...outcome.reply,
      text: cleanText(text),
      ...(thought !== undefined && { thought: cleanText(thought) }),
      ...(toolCalls !== undefined && { toolCalls: cleanJson(toolCalls) }),
    },
  };
}

/** Returns the parts of a response other than its text. */
function pickNonTextFields({ toolCalls, callsLeftOut, thought, tokenDetails }: ModelResponse): Partial<CallEntry> {
  return {
    ...(toolCalls !== undefined && { toolCalls }),
    ...(callsLeftOut !== undefined && { callsLeftOut }),
    ...(thought !== undefined && { thought }),
    ...(tokenDetails !== undefined && { cachedTokens: tokenDetails.cached, reasoningTokens: tokenDetails.reasoning }),
  };
}

function entryOf(
  step: number,
  request: ModelRequest,
  fingerprint: string,
  outcome: ModelOutcome,
  createdAt: string,
): CallEntry {
  const { tokenUsage, costUsd, latencyMs, attempts, maybeBilled } = outcome.ok ? outcome.reply : outcome.failure;
  return {
    step,
    ordinal: request.ordinal,
    fingerprint,
    role: request.role,
    provider: request.model.provider,
    model: request.model.model,
    instructions: request.instructions,
    prompt: request.prompt,
    options: {
      ...(request.temperature !== null && { temperature: request.temperature }),
      ...(request.maxOutputTokens !== null && { maxOutputTokens: request.maxOutputTokens }),
      ...request.sampling,
      ...(request.output !== null && { output: request.output.name }),
    },
    text: outcome.ok ? outcome.reply.text : null,
    finishReason: outcome.ok ? outcome.reply.finishReason : null,
    failure: outcome.ok ? null : callFailureSchema.parse(outcome.failure),
    inputTokens: tokenUsage.input,
    outputTokens: tokenUsage.output,
    costUsd,
    latencyMs: Math.round(latencyMs),
    attempts,
    warnings: outcome.ok ? outcome.reply.warnings : [],
    ...(outcome.ok && pickNonTextFields(outcome.reply)),
    ...(maybeBilled !== undefined && { maybeBilled }),
    createdAt,
  };
}
