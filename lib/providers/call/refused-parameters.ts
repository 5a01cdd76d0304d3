import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import type { RefusableParameter } from '#lib/providers/refused-parameter-record.ts';

/** Provider's error response, and the parameters of the request. */
type Refusal = { status: number | null; message: string; named: string; sent: ReadonlySet<RefusableParameter> };

/** Refused parameter. `lasting` is true if the model refuses every value, and false if only this request's value is refused. */
export type Refused = { parameter: RefusableParameter; lasting: boolean };

/**
 * Returns the parameters that made a request fail, as far as the provider's message reveals it. Empty if it failed for another reason. A
 * value that is only out of range ("max_tokens is too large") does not count. Sources: error texts of OpenAI, Azure OpenAI, Anthropic,
 * Amazon Bedrock, Google, vLLM, Mistral, Groq, DeepSeek, xAI, Moonshot AI and LiteLLM; the tests list each of them.
 */
export function refusedParameters({ status, message, named, sent }: Refusal): Refused[] {
  // LM Studio reports it in a stream, which has no error status.
  if (sent.has('system_message') && (status === null || STATUSES.includes(status)) && NO_SYSTEM_MESSAGE.test(message))
    return [{ parameter: 'system_message', lasting: true }];
  if (status === null || !STATUSES.includes(status)) return [];
  const refused = [...sent].flatMap((parameter): Refused[] => {
    if (parameter === 'tools' || parameter === 'system_message') return [];
    // If two settings are mutually exclusive, the second one is dropped for this request only.
    if (parameter === 'top_p' && NOT_BOTH.test(message)) return [{ parameter, lasting: false }];
    if (parameter === 'temperature' && sent.has('top_p') && NOT_BOTH.test(message)) return [];
    // The model has other efforts, so only the value is refused.
    const lasting = parameter !== 'reasoning_effort' || !OTHER_VALUES.test(message);
    if (isRefusedIn(message, parameter)) return [{ parameter, lasting }];
    const isNamed = NAMES[parameter].test(named) && WHOLE_NAME.test(named);
    if (isNamed && NEVER.test(message)) return [{ parameter, lasting }];
    // If a server cannot process a schema, it is moved to the prompt. This does not apply to other schemas.
    if (parameter === 'response_format' && (isNamed || NAMES[parameter].test(message)))
      return [{ parameter, lasting: false }];
    return [];
  });
  const limits = refused.filter(({ parameter }) => LIMITS.includes(parameter));
  if (limits.length < 2) return refused;
  // "max_tokens is not supported, use max_completion_tokens instead" refuses only the first.
  const first = LIMITS.toSorted((one, other) => indexOfParameter(one, message) - indexOfParameter(other, message))[0];
  return refused.filter(({ parameter }) => !LIMITS.includes(parameter) || parameter === first);
}

const LIMITS: readonly RefusableParameter[] = ['max_tokens', 'max_completion_tokens'];

function indexOfParameter(parameter: RefusableParameter, message: string): number {
  const index = message.search(new RegExp(String.raw`\b${parameter}\b`, 'i'));
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

/** Maximum distance between a parameter's name and the words that refuse it, in characters. */
const BEFORE = 120;
const AFTER = 140;

type NamedParameter = Exclude<RefusableParameter, 'tools' | 'system_message'>;

function isRefusedIn(message: string, parameter: NamedParameter): boolean {
  for (const { index, 0: name } of message.matchAll(new RegExp(NAMES[parameter], 'gi'))) {
    const before = message.slice(Math.max(0, index - BEFORE), index);
    if (CONDITION.test(before)) continue;
    if (NEVER.test(before + message.slice(index, index + name.length + AFTER))) return true;
  }
  return false;
}

/** Matches the text before a parameter that is only the condition of a refusal, such as "while reasoning is active". */
const CONDITION = /\b(?:when|while|if|unless)\s+['"`]?$/i;

const STATUSES = [400, 404, 405, 415, 422, 500, 501];

/** Parameter names differ between APIs. "stop" is also an ordinary word, so it matches only as a name. */
const NAMES: Record<NamedParameter, RegExp> = {
  temperature: /\btemperature\b/i,
  top_p: /\btop[_-]?p\b|\bnucleus\b/i,
  seed: /\bseed\b/i,
  reasoning_effort:
    /\breasoning(?:[_ .]?(?:effort|config))?\b|\beffort\b|\bthinking(?:[_ ]?(?:config|budget|level))?\b|\bchat_template_kwargs\b/i,
  max_tokens: /\bmax_(?:output_|new_)?tokens\b|\bmaxOutputTokens\b/i,
  max_completion_tokens: /\bmax_completion_tokens\b/i,
  stop: /['"`]stop['"`]|\bstop_?sequences?\b|\b(?:parameters?|arguments?|field|model|supplied)s?:?\s+stop\b/i,
  response_format:
    /\bresponse[_ ]?format\b|\bjson_schema\b|\bjson[_ ]mode\b|\b(?:response_?)?mime[_ ]?type\b|\bresponse_?(?:json_?)?schema\b|\boutput_(?:format|config)\b|\bstructured[_ -]outputs?\b|\btext\.format\b|\btool_choice\b|\btoolChoice\b|\btool use\b/i,
  stream_options: /\bstream_options\b/i,
};
const OTHER_VALUES = /\b(?:supported|allowed|valid) (?:values|options) are\b/i;
const NOT_BOTH =
  /\btemperature\b[^.]{0,20}\btop[_-]?p\b[^.]{0,40}\bboth\b|\bboth\b[^.]{0,20}\btemperature\b[^.]{0,20}\btop[_-]?p\b/i;
/** Separate parameter name in an error, such as `response_format.type` or `temperature`. */
const WHOLE_NAME = /^[\w.[\]-]+$/;

const NEVER = new RegExp(
  [
    String.raw`(?:\bnot|\bno longer|n['’]t)\s+(?:be\s+|currently\s+|yet\s+)?(?:support|permit|allow|accept|enabled|available|recogni[sz]ed|implemented|compatible|one of the allowed)`,
    String.raw`\bunsupported|\bun(?:recogni[sz]ed|known|expected|available)\b`,
    String.raw`\bextra[_ ](?:forbidden|fields?|inputs?)`,
    String.raw`\bdeprecated|\bincompatible|\bcannot (?:be (?:set|used|specified)|find field)`,
    String.raw`\bonly (?:the default|for api versions|\d(?:\.\d+)? is)|\b(?:is|are) fixed\b|\bmay not be (?:enabled|used|set)`,
  ].join('|'),
  'i',
);

/**
 * Errors of models without system messages, most of them texts of chat templates. Templates that accept one system message also require
 * alternating roles ("After the optional system message, …") or name the roles ("…, with the exception of an initial system message").
 */
const NO_SYSTEM_MESSAGE = new RegExp(
  [
    String.raw`\bsystem['"\`]? (?:roles?|messages?|prompts?|instructions?) (?:(?:is|are) )?(?:not|un)\s?supported`,
    String.raw`(?:\bnot|n['’]t) support (?:the |a )?(?:['"\`](?:system|developer)['"\`]|system (?:role|message|prompt|instruction))`,
    String.raw`\brole ['"\`]?system['"\`]? is not supported|\bdeveloper instruction is not enabled`,
    String.raw`(?<!system message, )\bconversation roles must alternate|\bonly user and assistant roles are supported(?!, with)`,
    String.raw`\binput should be 'user' or 'assistant'`,
  ].join('|'),
  'i',
);

/** Newly refused parameter of a model, with the provider's message. */
export type NewRefusal = { parameter: RefusableParameter; message: string };

/** Saves the parameters that a provider's model refuses, so that the provider's configuration contains them from then on. */
export type RememberRefused = (
  configuration: ProviderConfiguration,
  model: string,
  refusals: readonly NewRefusal[],
) => Promise<void>;

/**
 * Creates the memory of refused parameters. It combines those in the provider's configuration with those detected at the same URL. The
 * latter are only kept in memory if `rememberRefused` is not given.
 */
export function refusalMemory(rememberRefused?: RememberRefused) {
  const found = new Map<string, Set<RefusableParameter>>();
  const nameOf = ({ name, kind, baseUrl }: ProviderConfiguration, model: string) =>
    JSON.stringify([name, kind, baseUrl, model]);
  return {
    of: (configuration: ProviderConfiguration, model: string): Set<RefusableParameter> => {
      const known = (configuration.refused ?? []).filter((refused) => refused.model === model);
      return new Set([...known.map(({ parameter }) => parameter), ...(found.get(nameOf(configuration, model)) ?? [])]);
    },
    remember: async (configuration: ProviderConfiguration, model: string, refusals: readonly NewRefusal[]) => {
      if (rememberRefused !== undefined) return rememberRefused(configuration, model, refusals);
      const name = nameOf(configuration, model);
      const parameters = refusals.map(({ parameter }) => parameter);
      found.set(name, new Set([...(found.get(name) ?? []), ...parameters]));
    },
  };
}
