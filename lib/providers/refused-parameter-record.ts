/**
 * Request parameters that a model may refuse, by their names in the OpenAI API. Equivalent parameters of other APIs use the same names.
 * `max_tokens` and `max_completion_tokens` are two names of one limit.
 */
export const REFUSABLE_PARAMETERS = [
  'temperature',
  'top_p',
  'seed',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'reasoning_effort',
  'response_format',
  'stream_options',
  'tools',
] as const;
export type RefusableParameter = (typeof REFUSABLE_PARAMETERS)[number];

/** Parameter that a provider's model refused, so Hone no longer sends it. `message` is the provider's error message. */
export type RefusedParameter = { model: string; parameter: RefusableParameter; message: string; refusedAt: string };

/** Returns a sentence about how Hone handles a refused parameter from now on. */
export function refusedParameterText(model: string, parameter: RefusableParameter): string {
  switch (parameter) {
    case 'temperature':
      return `${model} rejects temperature. Hone no longer sends it.`;
    case 'top_p':
      return `${model} rejects top_p. Hone no longer sends it.`;
    case 'seed':
      return `${model} rejects seed. Hone no longer sends it.`;
    case 'reasoning_effort':
      return `${model} rejects the reasoning effort. Hone no longer sends it.`;
    case 'max_tokens':
      return `${model} rejects max_tokens. Hone sends max_completion_tokens instead if the API supports it.`;
    case 'max_completion_tokens':
      return `${model} rejects max_completion_tokens. Hone sends max_tokens instead.`;
    case 'stop':
      return `${model} rejects stop sequences. Hone no longer sends them.`;
    case 'response_format':
      return `${model} rejects structured output. Hone adds the JSON schema to the prompt instead.`;
    case 'stream_options':
      return `${model} rejects stream_options. Hone no longer sends it, so the token usage of streamed responses may be estimated.`;
    case 'tools':
      return `${model} rejects tools. Hone describes them in the prompt instead.`;
  }
}
