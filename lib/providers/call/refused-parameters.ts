import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import type { RefusableParameter } from '#lib/providers/refused-parameter-record.ts';

/** What a provider said of a request, and the parameters that the request had. */
type Refusal = { status: number | null; words: string; named: string; sent: ReadonlySet<RefusableParameter> };

/** A parameter that was refused. `lasting`: by the model, whatever its value; else only what this request gave it. */
export type Refused = { parameter: RefusableParameter; lasting: boolean };

/**
 * The parameters that a request failed because of, as far as that can be told from the provider's words; none where it failed for
 * another reason. A value that is only out of its range ("max_tokens is too large") refuses no parameter.
 * Sources: error texts of OpenAI, Azure OpenAI, Anthropic, Amazon Bedrock, Google, vLLM, Mistral, Groq, DeepSeek, xAI, Moonshot AI and LiteLLM; the
 * tests name them one by one.
 */
export function refusedParameters({ status, words, named, sent }: Refusal): Refused[] {
  if (status === null || !STATUSES.includes(status)) return [];
  const refused = [...sent].flatMap((parameter): Refused[] => {
    if (parameter === 'tools') return [];
    // Where two settings exclude each other, the second one goes for this request only.
    if (parameter === 'top_p' && NOT_BOTH.test(words)) return [{ parameter, lasting: false }];
    if (parameter === 'temperature' && sent.has('top_p') && NOT_BOTH.test(words)) return [];
    if (isRefusedIn(words, parameter)) return [{ parameter, lasting: true }];
    const isNamed = NAMES[parameter].test(named) && WHOLE_NAME.test(named);
    if (isNamed && NEVER.test(words)) return [{ parameter, lasting: true }];
    // A schema that one server cannot read is put into the prompt; that says nothing of other schemas.
    if (parameter === 'response_format' && (isNamed || NAMES[parameter].test(words)))
      return [{ parameter, lasting: false }];
    return [];
  });
  const limits = refused.filter(({ parameter }) => LIMITS.includes(parameter));
  if (limits.length < 2) return refused;
  // "max_tokens is not supported, use max_completion_tokens instead" refuses the first.
  const first = LIMITS.toSorted((one, other) => placeOf(one, words) - placeOf(other, words))[0];
  return refused.filter(({ parameter }) => !LIMITS.includes(parameter) || parameter === first);
}

const LIMITS: readonly RefusableParameter[] = ['max_tokens', 'max_completion_tokens'];

function placeOf(parameter: RefusableParameter, words: string): number {
  const place = words.search(new RegExp(String.raw`\b${parameter}\b`, 'i'));
  return place < 0 ? Number.POSITIVE_INFINITY : place;
}

/** How far from its name the words that refuse a parameter may stand, in characters. */
const BEFORE = 120;
const AFTER = 140;

function isRefusedIn(words: string, parameter: Exclude<RefusableParameter, 'tools'>): boolean {
  for (const { index, 0: name } of words.matchAll(new RegExp(NAMES[parameter], 'gi'))) {
    const around = words.slice(Math.max(0, index - BEFORE), index + name.length + AFTER);
    if (NEVER.test(around)) return true;
  }
  return false;
}

const STATUSES = [400, 404, 405, 415, 422, 500, 501];

/** The same parameter has another name in each API. "stop" is also a word, so it counts only where it stands as a name. */
const NAMES: Record<Exclude<RefusableParameter, 'tools'>, RegExp> = {
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
const NOT_BOTH =
  /\btemperature\b[^.]{0,20}\btop[_-]?p\b[^.]{0,40}\bboth\b|\bboth\b[^.]{0,20}\btemperature\b[^.]{0,20}\btop[_-]?p\b/i;
/** A name beside the words, such as `response_format.type` or `temperature`. */
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

/** A parameter that a model was just found to refuse, and what its provider said. */
export type NewRefusal = { parameter: RefusableParameter; message: string };

/** Keeps what a provider's model refuses, so that the provider's configuration tells it from then on. */
export type RememberRefused = (
  configuration: ProviderConfiguration,
  model: string,
  refusals: readonly NewRefusal[],
) => Promise<void>;

/**
 * The parameters that models refuse: those that the provider's configuration tells, and, where nothing keeps what is found out, those that
 * were found out at the same address while the memory lives.
 */
export function refusalMemory(rememberRefused?: RememberRefused) {
  const found = new Map<string, Set<RefusableParameter>>();
  const nameOf = ({ name, kind, baseUrl }: ProviderConfiguration, model: string) =>
    JSON.stringify([name, kind, baseUrl, model]);
  return {
    of: (configuration: ProviderConfiguration, model: string): Set<RefusableParameter> => {
      const told = (configuration.refused ?? []).filter((refused) => refused.model === model);
      return new Set([...told.map(({ parameter }) => parameter), ...(found.get(nameOf(configuration, model)) ?? [])]);
    },
    remember: async (configuration: ProviderConfiguration, model: string, refusals: readonly NewRefusal[]) => {
      if (rememberRefused !== undefined) return rememberRefused(configuration, model, refusals);
      const name = nameOf(configuration, model);
      const parameters = refusals.map(({ parameter }) => parameter);
      found.set(name, new Set([...(found.get(name) ?? []), ...parameters]));
    },
  };
}
