import type { ModelOutcome } from '#lib/core/model-request.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';

/** Headers whose values describe the app or the API version. Redacting their words would change responses. */
const PUBLIC_HEADERS = new Set([
  ...['http-referer', 'referer', 'origin', 'x-title', 'x-openrouter-title', 'user-agent', 'accept', 'content-type'],
  ...['anthropic-version', 'anthropic-beta', 'openai-beta'],
]);
const AUTHORIZATION = /^(?:bearer|basic|token|api-?key|key)\s+(\S+)$/i;

/**
 * Returns the secrets of a provider's configuration: its key and its header values, also without a scheme like `Bearer` and the texts in
 * quotes. An echo as JSON escapes the quotes, so it does not contain the whole value.
 */
export function secretsOf({ apiKey, headers = {} }: Pick<ProviderConfiguration, 'apiKey' | 'headers'>): string[] {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    PUBLIC_HEADERS.has(name.toLowerCase()) ? [] : [value, ...withoutScheme(name, value), ...quotedTexts(value)],
  );
  return [...(apiKey === null ? [] : [apiKey]), ...values];
}

/** Returns the words after the scheme. A header for authorization may have any scheme, such as `SSWS`. */
function withoutScheme(name: string, value: string): string[] {
  return /authorization/i.test(name) ? value.split(/\s+/).slice(1) : (AUTHORIZATION.exec(value)?.slice(1) ?? []);
}

function quotedTexts(value: string): string[] {
  return [...value.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text);
}

/** Prefixes of keys of model providers and similar services, as part of a pattern. */
export const KEY_PREFIX =
  '(?:sk|pk|rk|gsk|xai|r8|pplx|nvapi|tgp|whsec|glpat|xox[abopr]|gh[oprsu]|github_pat)[-_]|AIza|ya29\\.|GOCSPX-';
const KEY = new RegExp(`\\b(?:${KEY_PREFIX})[\\w*.-]{8,}`, 'g');

/** Redacts the key, bearer tokens, key-like words and passwords in URLs from a provider's text. */
export function redactSecrets(text: string, apiKey: string | null): string {
  const withoutKey = apiKey !== null && apiKey.length >= 4 ? text.replaceAll(apiKey, '[key]') : text;
  return withoutKey
    .replace(/\b(?:bearer|basic)\s+[\w.~+/=-]{6,}/gi, '[key]')
    .replace(KEY, '[key]')
    .replace(/([?&](?:key|api_key|apikey|token|access_token)=)[^&\s"']+/gi, '$1[key]')
    .replace(/\/\/[^/\s:@]*:[^/\s@]*@/g, '//');
}

/** Minimum length of a key. Shorter ones could occur in any text. */
const MIN_KEY_LENGTH = 8;
const REDACTED_KEY = '[key]';

/** Redacts the provider's key in all texts of an outcome because servers may echo what they were sent. */
export function withoutKey(outcome: ModelOutcome, apiKey: string | null): ModelOutcome {
  if (!isKey(apiKey)) return outcome;
  const without = (text: string) => text.replaceAll(apiKey, REDACTED_KEY);
  if (!outcome.ok) {
    const { message, remedy } = outcome.failure;
    return { ok: false, failure: { ...outcome.failure, message: without(message), remedy: without(remedy) } };
  }
  const { text, thought, toolCalls, warnings, finishReason } = outcome.reply;
  if (!JSON.stringify([text, thought, toolCalls, warnings, finishReason]).includes(apiKey)) return outcome;
  return {
    ok: true,
    reply: {
      ...outcome.reply,
      text: without(text),
      finishReason: without(finishReason),
      warnings: warnings.map(without),
      ...(thought !== undefined && { thought: without(thought) }),
      ...(toolCalls !== undefined && {
        toolCalls: toolCalls.map((call) => ({
          id: without(call.id),
          tool: without(call.tool),
          arguments: without(call.arguments),
          ...(call.replay !== undefined && { replay: without(call.replay) }),
        })),
      }),
    },
  };
}

/**
 * Wraps `onText` to redact the key from streamed text, even if it is split between pieces. Text that may be the start of the key is held
 * until the next piece. Null if nobody is watching.
 */
export function redactKeyInStream(
  onText: ((piece: string) => void) | null,
  apiKey: string | null,
): ((piece: string) => void) | null {
  if (onText === null || !isKey(apiKey)) return onText;
  let pending = '';
  return (piece) => {
    const text = (pending + piece).replaceAll(apiKey, REDACTED_KEY);
    const waits = beginsAtEnd(text, apiKey);
    pending = text.slice(text.length - waits);
    if (text.length > waits) onText(text.slice(0, text.length - waits));
  };
}

/** Returns the number of trailing characters of a text that match the start of a key. */
function beginsAtEnd(text: string, apiKey: string): number {
  for (let length = Math.min(text.length, apiKey.length - 1); length > 0; length--)
    if (text.endsWith(apiKey.slice(0, length))) return length;
  return 0;
}

function isKey(apiKey: string | null): apiKey is string {
  return apiKey !== null && apiKey.length >= MIN_KEY_LENGTH && !PLACEHOLDER_KEY.test(apiKey);
}

/** A few words, such as `lm-studio`. Local servers accept any key, and redacting words would change answers. */
const PLACEHOLDER_KEY =
  /^(?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,11})(?:[-_ ](?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,11})){0,2}$/;

/** Makes a model's text storable: U+0000 and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed();
}
