import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';
import { asSchema, wrapLanguageModel } from 'ai';
import type { ToolCall, ToolDefinition, ToolOutcome } from '#lib/core/agents/agent-records.ts';
import type { EngineAsk, EngineCallOptions, EngineTools } from '#lib/core/engine-services.ts';
import type { CallRole } from '#lib/core/model-request.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { createModelCaller } from './call/create-model-caller.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';
import type { StoredKind } from './provider-kinds.ts';

/** Language model of the AI SDK, such as `openai('gpt-5-mini')`. */
export type GivenModel = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;

/** Tools of the AI SDK by name, as created by `tool()`. Each needs `execute`. */
export type GivenTools = Record<string, { description?: unknown; inputSchema: unknown; execute?: unknown }>;

/** Receives the text of a response piece by piece, with the role of the call it belongs to. */
export type OnText = (text: string, call: { role: CallRole; model: ModelReference }) => void;

/** Returns the settings reference of an AI SDK model. */
export function referenceOf({ provider, modelId }: GivenModel): ModelReference {
  return { provider, model: modelId };
}

/** Returns the provider kind, which determines how structured output is requested and which price list applies. */
function kindOf(provider: string): { kind: StoredKind; api?: 'chat' | 'responses' } {
  const api = /\.(chat|responses)$/.exec(provider)?.[1] as 'chat' | 'responses' | undefined;
  if (/^openai\b/.test(provider)) return { kind: 'openai', ...(api && { api }) };
  if (/^azure\b/.test(provider)) return { kind: 'azure', ...(api && { api }) };
  if (/^anthropic\b/.test(provider)) return { kind: 'anthropic' };
  if (/^google\.generative-ai\b/.test(provider)) return { kind: 'google' };
  if (/^amazon-bedrock\b/.test(provider)) return { kind: 'amazon-bedrock' };
  if (/^google\.vertex\.chat$/.test(provider)) return { kind: 'google-vertex' };
  return { kind: 'openai-compatible' };
}

/**
 * Creates a caller of AI SDK models with the retries, repairs and prices of the app. Every model named in the settings must be one of
 * `models`. With `onText`, responses are streamed.
 */
export function createGivenModelCaller(models: readonly GivenModel[], onText: OnText | null): EngineAsk {
  const byName = (provider: string) => models.filter((model) => model.provider === provider);
  const configurations = new Map(models.map(({ provider }) => [provider, configurationOf(provider)]));
  const call = createModelCaller({
    addresses: { allowLoopback: false, allowedPrivateHosts: [] },
    resolveProvider: async (name) => configurations.get(name) ?? null,
    givenModel: (provider, modelId) => {
      const found = byName(provider).find((model) => model.modelId === modelId);
      return found === undefined ? null : wrapLanguageModel({ model: found, middleware: [] });
    },
  });
  return (request, { abortSignal }) =>
    call(request, {
      signal: abortSignal ?? new AbortController().signal,
      onText: onText && ((piece) => onText(piece, { role: request.role, model: request.model })),
    });
}

function configurationOf(name: string): ProviderConfiguration {
  const { kind, api } = kindOf(name);
  return { name, kind, baseUrl: null, apiKey: null, prices: {}, ...(api !== undefined && { options: { api } }) };
}

/** Converts AI SDK tools for agents. Throws for a tool without `execute` or without a synchronously available schema. */
export function readTools(tools: GivenTools): EngineTools {
  const schemas = new Map(
    Object.entries(tools).map(([name, { inputSchema }]) => [name, asSchema(schemaOf(inputSchema))]),
  );
  return { definitions: Object.entries(tools).map(([name, one]) => definitionOf(name, one)), use };

  function definitionOf(name: string, { description, execute }: GivenTools[string]): ToolDefinition {
    if (typeof execute !== 'function') throw new Error(`tools.${name}: must have "execute"`);
    const parameters = schemas.get(name)?.jsonSchema ?? {};
    if ('then' in parameters) throw new Error(`tools.${name}: "inputSchema" must be Zod or jsonSchema()`);
    return { name, description: typeof description === 'string' ? description : '', parameters: { ...parameters } };
  }

  async function use(toolCall: ToolCall, { abortSignal }: EngineCallOptions): Promise<ToolOutcome> {
    const startedAt = performance.now();
    const outcome = (status: ToolOutcome['status'], text: string): ToolOutcome => ({
      status,
      text,
      durationMs: Math.round(performance.now() - startedAt),
    });
    const execute = tools[toolCall.tool]?.execute;
    if (typeof execute !== 'function') return outcome('unknown_tool', `There is no tool named ${toolCall.tool}.`);
    const read = await readInput(toolCall);
    if (!read.ok) return outcome('malformed', `${toolCall.tool} was not used: ${read.problem}`);
    const result = await execute(read.value, { toolCallId: toolCall.id, messages: [], abortSignal });
    return outcome('ok', typeof result === 'string' ? result : (JSON.stringify(result) ?? ''));
  }

  async function readInput(toolCall: ToolCall): Promise<{ ok: true; value: unknown } | { ok: false; problem: string }> {
    let value: unknown;
    try {
      value = toolCall.arguments.trim() === '' ? {} : JSON.parse(toolCall.arguments);
    } catch (error) {
      return { ok: false, problem: `its arguments are not JSON (${error instanceof Error ? error.message : error}).` };
    }
    const checked = await schemas.get(toolCall.tool)?.validate?.(value);
    if (checked === undefined) return { ok: true, value };
    return checked.success ? { ok: true, value: checked.value } : { ok: false, problem: checked.error.message };
  }
}

/** Casts to the input of `asSchema`: Zod, Standard Schema or a schema of the AI SDK. */
function schemaOf(schema: unknown): Parameters<typeof asSchema>[0] {
  return schema as Parameters<typeof asSchema>[0];
}
