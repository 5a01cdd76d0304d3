import { APICallError } from '@ai-sdk/provider';

const LONGEST = 5_000;

/**
 * What a provider said when it failed. Where the AI SDK could not read the form of the error it only has the status line; then the words
 * are looked for in the body: `error` as a text (xAI), `message` at the top (vLLM), or `detail` (FastAPI, Mistral).
 */
export function errorMessage(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error
      ? String(error.message)
      : typeof error === 'string'
        ? error
        : '';
  const inBody = APICallError.isInstance(error) && error.data === undefined ? wordsInBody(error.responseBody) : null;
  return (inBody ?? message).slice(0, LONGEST);
}

/** The parameter that the provider names beside its words, as OpenAI does; empty where it names none. */
export function namedParameter(error: unknown): string {
  if (!APICallError.isInstance(error)) return '';
  const body = parsed(error.responseBody);
  const named = fieldOf(fieldOf(body, 'error'), 'param') ?? fieldOf(body, 'param');
  return typeof named === 'string' ? named.slice(0, 200) : '';
}

function wordsInBody(body: string | undefined): string | null {
  const value = parsed(body);
  const error = fieldOf(value, 'error');
  const found = [fieldOf(error, 'message'), error, fieldOf(value, 'message'), fieldOf(value, 'detail')].find(
    (candidate) => candidate !== undefined && candidate !== null,
  );
  if (found === undefined || found === null) return null;
  const words = typeof found === 'string' ? found : JSON.stringify(found);
  return words.trim() === '' ? null : words;
}

function parsed(body: string | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
