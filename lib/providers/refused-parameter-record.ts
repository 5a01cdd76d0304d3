/**
 * Request parameters that a model may refuse, by their names in the OpenAI API. Equivalent parameters of other APIs use the same names.
 * `max_tokens` and `max_completion_tokens` are two names of one limit. `system_message` stands for messages with the role system.
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
  'system_message',
] as const;
export type RefusableParameter = (typeof REFUSABLE_PARAMETERS)[number];

/** Parameter that a provider's model refused, so Hone no longer sends it. `message` is the provider's error message. */
export type RefusedParameter = { model: string; parameter: RefusableParameter; message: string; refusedAt: string };

/** Returns a sentence about how Hone handles a refused parameter from now on. */
export function refusedParameterText(model: string, parameter: RefusableParameter): string {
  const texts: Record<typeof parameter, string> = {
    temperature: `${model} rejects temperature. Hone no longer sends it.`,
    top_p: `${model} rejects top_p. Hone no longer sends it.`,
    seed: `${model} rejects seed. Hone no longer sends it.`,
    reasoning_effort: `${model} rejects the reasoning effort. Hone no longer sends it.`,
    max_tokens: `${model} rejects max_tokens. Hone sends max_completion_tokens instead if the API supports it.`,
    max_completion_tokens: `${model} rejects max_completion_tokens. Hone sends max_tokens instead.`,
    stop: `${model} rejects stop sequences. Hone no longer sends them.`,
    response_format: `${model} rejects structured output. Hone adds the JSON schema to the prompt instead.`,
    stream_options: `${model} rejects stream_options. Hone no longer sends it, so the token usage of streamed responses may be estimated.`,
    tools: `${model} rejects tools. Hone describes them in the prompt instead.`,
    system_message: `${model} rejects system messages. Hone puts the instructions at the start of the first user message instead.`,
  };
  return texts[parameter];
}
