import { APICallError } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { REFUSABLE_PARAMETERS, type RefusableParameter } from '#lib/providers/refused-parameter-record.ts';
import { errorMessage, namedParameter } from './failure-of.ts';
import { refusedParameters } from './refused-parameters.ts';

/** Returns the refused parameters of a provider error. `isRead` is true if the AI SDK could parse the error body. */
function refusedIn(status: number, body: unknown, isRead = true, sent: readonly RefusableParameter[] = ALL) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const message =
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    typeof body.error === 'object' &&
    body.error !== null
      ? String('message' in body.error ? body.error.message : '')
      : text;
  const error = new APICallError({
    message: isRead ? message : 'Bad Request',
    url: 'https://models.example/v1',
    requestBodyValues: {},
    statusCode: status,
    responseBody: text,
    data: isRead ? body : undefined,
  });
  const refusal = { message: errorMessage(error), named: namedParameter(error) };
  return refusedParameters({ status, ...refusal, sent: new Set(sent) });
}

const ALL = REFUSABLE_PARAMETERS.filter((parameter) => parameter !== 'tools');

const openai = (message: string, param: string | null = null, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});
const anthropic = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } });
const bedrock = (message: string) => ({ message });
const google = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
/** vLLM before it adopted OpenAI's error format, which the AI SDK cannot parse. */
const vllm = (message: string) => ({ object: 'error', message, type: 'BadRequestError', param: null, code: 400 });
const forbidden = (field: string, input: string) =>
  vllm(
    `[{'type': 'extra_forbidden', 'loc': ('body', '${field}'), 'msg': 'Extra inputs are not permitted', 'input': ${input}}]`,
  );

describe('the parameter refused by an error of', () => {
  test.each<[string, RefusableParameter, unknown, boolean?, number?]>([
    // OpenAI API, error code unsupported_value: gpt-5, o1-mini (cline#7224, OpenHands#4131).
    [
      'OpenAI: a temperature value',
      'temperature',
      openai(
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        'temperature',
        'unsupported_value',
      ),
    ],
    // OpenAI API, error code unsupported_parameter: o1, o3-mini, gpt-5.2 (sigoden/aichat#1144).
    [
      'OpenAI: any temperature',
      'temperature',
      openai("Unsupported parameter: 'temperature' is not supported with this model.", 'temperature'),
    ],
    // OpenAI API (opencode#37964).
    [
      'OpenAI: max_tokens',
      'max_tokens',
      openai(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
        'unsupported_parameter',
      ),
    ],
    // OpenAI API (smolagents#1893).
    [
      'OpenAI: stop',
      'stop',
      openai("Unsupported parameter: 'stop' is not supported with this model.", 'stop', 'unsupported_parameter'),
    ],
    // OpenAI API, structured outputs with a model that does not support them.
    [
      'OpenAI: structured output',
      'response_format',
      openai("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", null),
    ],
    // Azure OpenAI (openai-python#1724).
    [
      'Azure OpenAI: max_completion_tokens',
      'max_completion_tokens',
      openai('Unrecognized request argument supplied: max_completion_tokens'),
    ],
    // Azure OpenAI, older API versions.
    [
      'Azure OpenAI: the schema',
      'response_format',
      openai(
        'response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later',
        'response_format',
      ),
    ],
    [
      'Azure OpenAI: stream options',
      'stream_options',
      openai('Unrecognized request argument supplied: stream_options'),
    ],
    // Anthropic Messages API, Claude Opus 4.7 and later (picoclaw#2939).
    ['Anthropic: temperature', 'temperature', anthropic('`temperature` is deprecated for this model.')],
    // Anthropic Messages API (fazer-ai/agents#130).
    [
      'Anthropic: another temperature value',
      'temperature',
      anthropic('temperature is not supported for claude-fable-5 when set to non-default values'),
    ],
    // Anthropic Messages API, models without structured outputs.
    [
      'Anthropic: structured output',
      'response_format',
      anthropic('output_config.format: Extra inputs are not permitted'),
    ],
    // Google Gemini API (llm_wiki#49).
    [
      'Google: temperature',
      'temperature',
      google('Invalid JSON payload received. Unknown name "temperature": Cannot find field.'),
    ],
    // Google Gemini API (deprecated-generative-ai-python#137).
    ['Google: JSON mode', 'response_format', google('Json mode is not enabled for models/gemini-pro')],
    // Google Vertex AI (agno#3964).
    [
      'Google: the MIME type',
      'response_format',
      google(
        'Unable to submit request because it has a mimeType parameter with value application/json, which is not supported. Update the mimeType and try again.',
      ),
    ],
    // Google Gemini API, in the format of its other errors.
    ['Google: stop sequences', 'stop', google('stopSequences is not supported for this model.')],
    // vLLM (vllm#10078; modelscope/ms-agent#489).
    ['vLLM: max_completion_tokens', 'max_completion_tokens', forbidden('max_completion_tokens', '64'), false],
    ['vLLM: stream options', 'stream_options', forbidden('stream_options', '{}'), false],
    // Mistral API error format (php-mistral#76).
    [
      'Mistral: stream options',
      'stream_options',
      {
        object: 'Error',
        detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
      },
      false,
      422,
    ],
    // OpenAI API, reasoning models, in the format of its other errors.
    [
      'OpenAI: top_p',
      'top_p',
      openai("Unsupported parameter: 'top_p' is not supported with this model.", 'top_p', 'unsupported_parameter'),
    ],
    [
      'OpenAI: reasoning effort of a model without reasoning',
      'reasoning_effort',
      openai("Unsupported parameter: 'reasoning.effort' is not supported with this model.", 'reasoning.effort'),
    ],
    [
      'Azure OpenAI: reasoning effort',
      'reasoning_effort',
      openai('Unrecognized request argument supplied: reasoning_effort'),
    ],
    ['Anthropic: top_p', 'top_p', anthropic('`top_p` is deprecated for this model.')],
    ['Anthropic: thinking', 'reasoning_effort', anthropic('thinking: Extra inputs are not permitted')],
    ['Anthropic: effort', 'reasoning_effort', anthropic('This model does not support the effort parameter.')],
    ['Google: seed', 'seed', google('Invalid JSON payload received. Unknown name "seed": Cannot find field.')],
    ['Google: topP', 'top_p', google('topP is not supported for this model.')],
    ['Google: thinking', 'reasoning_effort', google('Thinking is not enabled for models/gemini-2.0-flash')],
    ['Google: thinking level', 'reasoning_effort', google('Thinking level is not supported for this model.')],
    ['vLLM: seed', 'seed', forbidden('seed', '7'), false],
    ['vLLM: top_p', 'top_p', forbidden('top_p', '0.9'), false],
    ['vLLM: reasoning effort', 'reasoning_effort', forbidden('reasoning_effort', "'low'"), false],
    ['Ollama: thinking', 'reasoning_effort', openai('"qwen2.5" does not support thinking')],
    ['xAI: reasoning effort', 'reasoning_effort', openai('Model grok-4 does not support parameter reasoningEffort.')],
    // Amazon Bedrock Converse API, ValidationException.
    [
      'Bedrock: stop sequences',
      'stop',
      bedrock("This model doesn't support the stopSequences field. Remove stopSequences and try again."),
    ],
    ['Bedrock: the tool that replaces a schema', 'response_format', bedrock("This model doesn't support tool use.")],
    [
      'Bedrock: reasoning',
      'reasoning_effort',
      bedrock(
        'Malformed input request: #: extraneous key [reasoning_config] is not permitted, please reformat your input and try again.',
      ),
    ],
    // Fireworks (Flowise#2866).
    ['Fireworks: stream options', 'stream_options', openai("Extra inputs are not permitted, field: 'stream_options'")],
    // Ollama ignores unknown fields (docs.ollama.com, OpenAI compatibility) and refuses only tools, see `toolsRefusal`. LiteLLM proxy
    // (nanobot#370).
    [
      'LiteLLM: temperature',
      'temperature',
      openai(
        "litellm.UnsupportedParamsError: gpt-5 models (including gpt-5-codex) don't support temperature=0.7. Only temperature=1 is supported. To drop unsupported params set `litellm.drop_params = True`",
      ),
    ],
    // LiteLLM proxy (litellm#14146).
    [
      'LiteLLM: a list of parameters',
      'temperature',
      openai(
        "litellm.UnsupportedParamsError: LlmProviders.AZURE does not support parameters: {'temperature': 1.0}, for model=gpt-5-mini.",
      ),
    ],
    // OpenRouter wraps the error of the upstream provider in its own message.
    [
      'OpenRouter: temperature',
      'temperature',
      openai('Provider returned error: temperature is not supported with this model'),
    ],
    // Groq (Vane#980; deep-research#127).
    ['Groq: the schema', 'response_format', openai('This model does not support response format `json_schema`.')],
    [
      'Groq: response format',
      'response_format',
      openai("'response_format.type' : value is not one of the allowed values ['text','json_object']"),
    ],
    // DeepSeek API (Vane#969).
    ['DeepSeek: response format', 'response_format', openai('This response_format type is unavailable now')],
    // xAI API (litellm#11563; opencodex#5278). The AI SDK cannot parse its error format.
    [
      'xAI: stop',
      'stop',
      { code: 'Client specified an invalid argument', error: 'Argument not supported on this model: stop' },
      false,
    ],
    [
      'xAI: stop for newer models',
      'stop',
      { code: 'invalid-argument', error: 'Model grok-4.6 does not support parameter stop.' },
      false,
    ],
    // Moonshot AI (opencyvis-phone#12).
    ['Moonshot: temperature', 'temperature', openai('invalid temperature: only 1 is allowed for this model')],
  ])('%s', (_name, parameter, body, isRead = true, status = 400) => {
    expect(refusedIn(status, body, isRead)).toEqual([{ parameter, lasting: true }]);
  });

  test('several parameters in a list', () => {
    const body = openai("openai does not support parameters: {'temperature': 0, 'stop': ['x']}, for model=o1");
    expect(refusedIn(400, body).map(({ parameter }) => parameter)).toEqual(['temperature', 'stop']);
  });

  test('two mutually exclusive parameters: only the second, and only for this request', () => {
    const body = anthropic('`temperature` and `top_p` cannot both be specified for this model. Please use only one.');
    expect(refusedIn(400, body)).toEqual([{ parameter: 'top_p', lasting: false }]);
    expect(refusedIn(400, body, true, ['temperature'])).toEqual([]);
  });

  test('an effort of a model that has others: only for this request', () => {
    const body = openai(
      "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low', 'medium', and 'high'.",
      'reasoning_effort',
      'unsupported_value',
    );
    expect(refusedIn(400, body)).toEqual([{ parameter: 'reasoning_effort', lasting: false }]);
  });

  test('a temperature that LiteLLM refuses while the model reasons: not the effort', () => {
    const body = openai(
      "litellm.UnsupportedParamsError: gpt-5-mini doesn't support temperature=0.3 while reasoning is active. Only temperature=1 is supported unless reasoning_effort resolves to 'none', either set explicitly on the request or declared as the model's default_reasoning_effort. To drop unsupported params set `litellm.drop_params = True`",
    );
    expect(refusedIn(400, body)).toEqual([{ parameter: 'temperature', lasting: true }]);
  });

  test('a schema that this server cannot read: only for this request', () => {
    const body = openai(
      "Invalid schema for response_format 'evaluation': schema must have a 'type' key.",
      'response_format',
    );
    expect(refusedIn(400, body)).toEqual([{ parameter: 'response_format', lasting: false }]);
  });
});

describe('errors that refuse no parameter', () => {
  test.each<[string, number, unknown, (readonly RefusableParameter[])?]>([
    // OpenAI API.
    [
      'a limit that is too large',
      400,
      openai(
        'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
        'max_tokens',
        'invalid_value',
      ),
    ],
    // vLLM.
    [
      'a context that is too small',
      400,
      openai(
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).",
        'messages',
        'context_length_exceeded',
      ),
    ],
    // Anthropic Messages API.
    [
      'a range for the token limit',
      400,
      anthropic('max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4'),
    ],
    ['a range for the temperature', 400, anthropic('temperature: range: 0..1')],
    // OpenAI API.
    [
      'a temperature that is too high',
      400,
      openai(
        "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
        'temperature',
        'decimal_above_max_value',
      ),
    ],
    ['an unknown model', 404, openai('The model `gpt-9` does not exist or you do not have access to it.')],
    ['a wrong key', 401, openai('temperature is not supported, and your key is wrong')],
    ['too many requests', 429, openai('Unsupported temperature')],
    ['an error with the word stop', 400, openai('The server is about to stop and is not available.')],
    [
      'a parameter that was not sent',
      400,
      openai("Unsupported parameter: 'temperature' is not supported with this model.", 'temperature'),
      ['max_tokens'],
    ],
    ['a top_p out of range', 400, anthropic('top_p: range: 0..1')],
    ['an unsupported image', 400, openai('Images are not supported by this model.')],
  ])('%s', (_name, status, body, sent) => {
    expect(refusedIn(status, body, true, sent)).toEqual([]);
  });
});
