import { z } from 'zod';
import type { Conversation } from '#lib/core/agents/agent-records.ts';
import { structuredResponse } from '#lib/core/responses.ts';
import type { ModelCaller, ModelFailure, ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { TOOLS_IN_TEXT, toolsRefusal } from '#lib/providers/call/text-tools.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';
import { PROVIDER_DEFINITIONS } from './provider-kinds.ts';
import type { Means, ModelTest, ProviderTest } from './provider-test.ts';
import { refusedParameterText } from './refused-parameter-record.ts';
import { testRemedy } from './test-connection.ts';

/** Human-readable result of a model test. `call` contains the numbers. */
type ModelTrial = Pick<ProviderTest, 'ok' | 'failed' | 'message' | 'remedy'> & { call: ModelTest };

/**
 * Tests a model with two small calls, which cost some tokens: a JSON response, as for judges, and a tool call, as for agents. It sends what
 * runs send: a system prompt, a token limit and a temperature if set. The second response is streamed like in a watched run, so that all
 * refused parameters are detected here.
 */
export async function tryModel(
  ask: ModelCaller,
  configuration: ProviderConfiguration,
  { model, temperature }: { model: string; temperature: number | null },
  signal: AbortSignal,
): Promise<ModelTrial> {
  const request = { ...QUESTION, temperature, model: { provider: configuration.name, model } };
  const options = { signal, onText: null };
  const answered = await ask({ ...request, ...JSON_TEST_REQUEST }, options);
  if (!answered.ok && answered.failure.kind !== 'empty') return failedTrial(model, answered, configuration);
  const adding = { ...request, ...TOOL_TEST_REQUEST };
  const withTool = await ask(adding, { signal, onText: () => {} });
  const call = callOf(model, [answered, withTool], {
    json:
      answered.ok && structuredResponse(answered.reply.text, WORD).ok
        ? jsonMeans(configuration, { ...answered.reply, model })
        : 'none',
    tools: toolMeans(adding, withTool, configuration),
  });
  return { ok: true, failed: null, message: wordsOf(call), remedy: remedyOf(call), call };
}

/** Requests one word from a model at minimal cost. It only shows that the key works. */
export async function sendTestPrompt(
  ask: ModelCaller,
  configuration: ProviderConfiguration,
  { model, temperature }: { model: string; temperature: number | null },
  signal: AbortSignal,
): Promise<ModelTrial> {
  const request = {
    ...QUESTION,
    ...JSON_TEST_REQUEST,
    output: null,
    temperature,
    model: { provider: configuration.name, model },
  };
  const answered = await ask(request, { signal, onText: null });
  // A thinking model may use up its tokens without text, but the key was accepted.
  if (!answered.ok && answered.failure.kind !== 'empty') return failedTrial(model, answered, configuration);
  const call = callOf(model, [answered], { json: null, tools: null });
  return { ok: true, failed: null, message: `"${model}" answers.`, remedy: '', call };
}

const QUESTION = {
  instructions: 'You answer short questions. Follow the form that is asked for.',
  // Enough for a thinking model.
  maxOutputTokens: 2_000,
};

const WORD = z.object({ word: z.string() });

const JSON_TEST_REQUEST: Pick<ModelRequest, 'role' | 'ordinal' | 'prompt' | 'output'> = {
  role: 'generate',
  ordinal: 0,
  prompt: 'Answer with the word ready.',
  output: { name: 'answer', schema: WORD },
};

const TOOL_TEST_REQUEST: Pick<ModelRequest, 'role' | 'ordinal' | 'prompt' | 'output' | 'conversation'> = {
  role: 'turn',
  ordinal: 1,
  output: null,
  prompt: 'Use the tool add to add 20 and 22.',
  conversation: {
    messages: [],
    tools: [
      {
        name: 'add',
        description: 'Adds two numbers.',
        parameters: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a', 'b'],
          additionalProperties: false,
        },
      },
    ],
  } satisfies Conversation,
};

/** OpenAI-compatible servers get the schema in the prompt, as do models that refuse it as a setting. */
function jsonMeans(
  { name, kind }: ProviderConfiguration,
  { warnings, model }: { warnings: string[]; model: string },
): Means {
  const isRefused = warnings.includes(refusedParameterText(`${name}/${model}`, 'response_format'));
  return isRefused ? 'prompt' : PROVIDER_DEFINITIONS[kind].structuredOutput;
}

/** Returns how the model used the tool. Null if the call failed for another reason. */
function toolMeans(request: ModelRequest, outcome: ModelOutcome, { toolsBy }: ProviderConfiguration): Means | null {
  if (!outcome.ok)
    return outcome.failure.kind === 'empty' || toolsRefusal(request, outcome.failure) !== null ? 'none' : null;
  const { toolCalls = [], warnings } = outcome.reply;
  if (!toolCalls.some(({ tool }) => tool === 'add')) return 'none';
  return toolsBy === 'prompt' || warnings.includes(TOOLS_IN_TEXT) ? 'prompt' : 'native';
}

const RAISE_LIMIT = 'Raise the timeout below. A local server may still be loading the model: wait, then test again.';

function failedTrial(
  model: string,
  outcome: { ok: false; failure: ModelFailure },
  configuration: ProviderConfiguration,
): ModelTrial {
  const call = { ...callOf(model, [outcome], { json: null, tools: null }), ok: false };
  const { kind, message } = outcome.failure;
  const hasOwnLimit = kind === 'timeout' && (configuration.timeoutSeconds ?? null) !== null;
  const remedy = hasOwnLimit ? RAISE_LIMIT : testRemedy(outcome.failure, configuration);
  return { ok: false, failed: kind, message, remedy, call };
}

function callOf(model: string, outcomes: ModelOutcome[], means: Pick<ModelTest, 'json' | 'tools'>): ModelTest {
  const parts = outcomes.map((outcome) => (outcome.ok ? outcome.reply : outcome.failure));
  const sum = (of: (part: (typeof parts)[number]) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    model,
    ok: true,
    latencyMs: parts[0]?.latencyMs ?? 0,
    inputTokens: sum(({ tokenUsage }) => tokenUsage.input),
    outputTokens: sum(({ tokenUsage }) => tokenUsage.output),
    costUsd: parts.some(({ costUsd }) => costUsd === null) ? null : sum(({ costUsd }) => costUsd ?? 0),
    ...means,
    warnings: [...new Set(outcomes.flatMap((outcome) => (outcome.ok ? outcome.reply.warnings : [])))].filter(
      (warning) => warning !== TOOLS_IN_TEXT,
    ),
  };
}

function wordsOf({ model, json, tools }: ModelTest): string {
  const jsonLabel: Record<Means, string> = {
    native: 'It supports JSON output.',
    prompt: 'It answers in JSON if the prompt asks for it.',
    none: 'It does not respond in JSON.',
  };
  const toolLabel: Record<Means, string> = {
    native: 'It supports tool calls.',
    prompt: 'It uses tools if the prompt describes them.',
    none: 'It did not use a tool.',
  };
  return [`"${model}" answers.`, ...(json ? [jsonLabel[json]] : []), ...(tools ? [toolLabel[tools]] : [])].join(' ');
}

function remedyOf({ json, tools }: ModelTest): string {
  return [
    ...(json === 'none'
      ? ['Choose another judge model, or turn off “Use structured output for scores and critiques” in the experiment.']
      : []),
    ...(tools === 'none'
      ? ['Set “Tools” below to “described in the prompt” and test again, or choose another model for agents.']
      : []),
  ].join(' ');
}
