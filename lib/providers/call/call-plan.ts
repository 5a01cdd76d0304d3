import type { SamplingSettings } from '#lib/core/model-settings.ts';
import { type ProviderConfiguration, type ToolsBy, usesChatApi } from '#lib/providers/provider-configuration.ts';
import { PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import type { RefusableParameter } from '#lib/providers/refused-parameter-record.ts';
import type { AttemptContext } from './attempt-once.ts';
import type { ModelRequest } from './model-caller.ts';
import { offeredTools } from './text-tools.ts';

/** Plan for sending a request to a model that refuses some parameters. */
export type CallPlan = {
  /** Request without the refused parameters. */
  request: ModelRequest;
  toolsBy: ToolsBy;
  /** True if the prompt must contain the JSON schema. */
  schemaInPrompt: boolean;
  /** True if the first user message must contain the system messages. */
  systemInPrompt: boolean;
  sendsStop: boolean;
  bodyEdits: AttemptContext['bodyEdits'];
  /** Parameters of the request that can be left out or replaced. */
  sent: ReadonlySet<RefusableParameter>;
};

/** Plans a request. `refused` contains the parameters that the model is known to refuse. */
export function planCall(
  request: ModelRequest,
  configuration: ProviderConfiguration,
  refused: ReadonlySet<RefusableParameter>,
  isStreamed: boolean,
): CallPlan {
  const { structuredOutput, needsOutputLimit } = PROVIDER_DEFINITIONS[configuration.kind];
  const isChat = usesChatApi(configuration);
  const temperature = refused.has('temperature') ? null : request.temperature;
  const maxOutputTokens = refusesLimit(refused, isChat) ? null : request.maxOutputTokens;
  const tools = offeredTools(request);
  const wantedBy = configuration.toolsBy ?? (refused.has('tools') ? 'prompt' : 'native');
  const toolsBy = tools === null ? 'native' : wantedBy;
  const schemaInPrompt = structuredOutput === 'prompt' || refused.has('response_format');
  const sendsStop = toolsBy === 'prompt' && !refused.has('stop');
  const hasSystemMessage =
    request.instructions.trim() !== '' ||
    request.messages?.some(({ role }) => role === 'system') === true ||
    (request.output !== null && schemaInPrompt) ||
    toolsBy === 'prompt';
  const systemInPrompt = hasSystemMessage && refused.has('system_message');
  const sampling = withoutRefused(request.sampling, refused);
  // A required output limit cannot be left out.
  const sendsLimit = maxOutputTokens !== null && !needsOutputLimit;
  const mayReplaceTools = toolsBy === 'native' && configuration.toolsBy !== 'native';
  const sent: readonly (readonly [RefusableParameter, boolean])[] = [
    ['temperature', temperature !== null],
    ...limitNames(refused, isChat).map((name) => [name, sendsLimit] as const),
    ['stop', sendsStop],
    ...SAMPLING_PARAMETERS.map(([setting, name]) => [name, sampling?.[setting] !== undefined] as const),
    ['response_format', request.output !== null && !schemaInPrompt],
    ['stream_options', isChat && isStreamed && !refused.has('stream_options')],
    ['tools', mayReplaceTools && (tools?.length ?? 0) > 0],
    ['system_message', hasSystemMessage && !systemInPrompt && configuration.kind !== 'target'],
  ];
  return {
    request: { ...request, temperature, maxOutputTokens, ...(sampling !== undefined && { sampling }) },
    toolsBy,
    schemaInPrompt,
    systemInPrompt,
    sendsStop,
    bodyEdits: isChat ? bodyEdits(refused) : {},
    sent: new Set(sent.flatMap(([name, isSent]) => (isSent ? [name] : []))),
  };
}

/** Returns the parameters left out of a request because the model refuses them. A renamed limit is not one of them. */
export function leftOutOf(
  request: ModelRequest,
  configuration: ProviderConfiguration,
  refused: ReadonlySet<RefusableParameter>,
): RefusableParameter[] {
  const usual = planCall(request, configuration, new Set(), false);
  const plan = planCall(request, configuration, refused, false);
  const hasLimit = usual.request.maxOutputTokens === null || plan.request.maxOutputTokens !== null;
  const isLeftOut: Record<RefusableParameter, boolean> = {
    temperature: usual.sent.has('temperature'),
    response_format: usual.sent.has('response_format'),
    top_p: usual.sent.has('top_p'),
    seed: usual.sent.has('seed'),
    reasoning_effort: usual.sent.has('reasoning_effort'),
    stop: plan.toolsBy === 'prompt' || usual.sent.has('stop'),
    max_tokens: !hasLimit,
    max_completion_tokens: false,
    stream_options: false,
    tools: false,
    system_message: plan.systemInPrompt,
  };
  return [...refused].filter((parameter) => isLeftOut[parameter]);
}

/** Settings that a model may refuse, with their parameter names in refusals. */
const SAMPLING_PARAMETERS = [
  ['topP', 'top_p'],
  ['seed', 'seed'],
  ['stopSequences', 'stop'],
  ['reasoningEffort', 'reasoning_effort'],
] as const satisfies readonly (readonly [keyof SamplingSettings, RefusableParameter])[];

function withoutRefused(
  sampling: SamplingSettings | undefined,
  refused: ReadonlySet<RefusableParameter>,
): SamplingSettings | undefined {
  if (sampling === undefined) return undefined;
  const accepted = { ...sampling };
  for (const [setting, parameter] of SAMPLING_PARAMETERS) if (refused.has(parameter)) delete accepted[setting];
  return accepted;
}

function refusesLimit(refused: ReadonlySet<RefusableParameter>, isChat: boolean): boolean {
  if (!isChat) return refused.has('max_tokens');
  return refused.has('max_tokens') && refused.has('max_completion_tokens');
}

/** Returns the parameter name of the output limit. Returns both names if the AI SDK chooses one by the model's name. */
function limitNames(refused: ReadonlySet<RefusableParameter>, isChat: boolean): RefusableParameter[] {
  if (!isChat) return ['max_tokens'];
  return (['max_tokens', 'max_completion_tokens'] as const).filter((name) => !refused.has(name));
}

function bodyEdits(refused: ReadonlySet<RefusableParameter>): AttemptContext['bodyEdits'] {
  const edits: Record<string, string | null> = {};
  if (refused.has('max_tokens') && !refused.has('max_completion_tokens')) edits.max_tokens = 'max_completion_tokens';
  if (refused.has('max_completion_tokens') && !refused.has('max_tokens')) edits.max_completion_tokens = 'max_tokens';
  if (refused.has('stream_options')) edits.stream_options = null;
  return edits;
}
