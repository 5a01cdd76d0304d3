import type { z } from 'zod';
import type { Version } from './history.ts';
import { isRecord } from './is-record.ts';
import { parseJson } from './json-values.ts';

/** Returns the contents of fenced blocks (three backticks), in order. */
export function fencedBlocks(text: string): string[] {
  const found: string[] = [];
  let inside: string[] | null = null;
  for (const line of text.split('\n')) {
    if (!line.trimStart().startsWith('```')) inside?.push(line);
    else if (inside === null) inside = [];
    else {
      found.push(inside.join('\n'));
      inside = null;
    }
  }
  return found;
}

/**
 * Removes the thinking that some reasoning models put before their answer: `<think>…</think>` (or `<thinking>`) blocks at the start, and
 * text up to a closing tag at the end of a line if the opening tag was part of the model's prompt. An unclosed block leaves an empty
 * answer, because the model did not reach it. Later tags belong to the answer.
 */
export function withoutThinking(response: string): string {
  let rest = response;
  for (;;) {
    const opening = /^\s*<(think(?:ing)?)>/i.exec(rest);
    if (opening === null) return rest === response ? withoutUnopened(response) : rest;
    const end = endOfClosing(rest, opening[1] ?? 'think', opening[0].length);
    if (end === null) return '';
    rest = rest.slice(end).replace(/^\s+/, '');
  }
}

function endOfClosing(text: string, tag: string, from: number): number | null {
  const closing = new RegExp(`</${tag}>`, 'gi');
  closing.lastIndex = from;
  return closing.exec(text) === null ? null : closing.lastIndex;
}

function withoutUnopened(response: string): string {
  const closing = /<\/think(?:ing)?>[^\S\n]*(?:\n|$)/i.exec(response);
  if (closing === null || /<think(?:ing)?>/i.test(response.slice(0, closing.index))) return response;
  return response.slice(closing.index + closing[0].length).replace(/^\s+/, '');
}

/** Value of a JSON response, or the reason why it is unusable, as a message for the model. */
export type StructuredResponse<Value> = { ok: true; value: Value } | { ok: false; reason: string };

/**
 * Extracts and validates a JSON object from a model's text: the whole text, else a fenced block, else the last matching object in the
 * prose. Skips a thinking block at the start.
 */
export function structuredResponse<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): StructuredResponse<z.output<Schema>> {
  const answer = withoutThinking(text).trim();
  let reason = 'it contains no JSON object';
  for (const candidate of candidates(answer)) {
    const parsed = parse(candidate);
    if (parsed === undefined) continue;
    const checked = schema.safeParse(parsed);
    if (checked.success) return { ok: true, value: checked.data };
    reason = problemsOf(checked.error);
  }
  return { ok: false, reason };
}

/**
 * Removes the objects of a response that it quotes from other texts, such as from the text that it judges. They are not the response's own
 * answer. Only objects with one of the keys of the answer are removed. A response that is only one object stays unchanged.
 */
export function withoutQuotedObjects(response: string, sources: readonly string[], keys: readonly string[]): string {
  if (parse(response) !== undefined) return response;
  const answers = objectSpans(response).flatMap(([start, end]) => {
    const text = response.slice(start, end);
    const value = parse(text);
    return isRecord(value) && keys.some((key) => Object.hasOwn(value, key)) ? [{ start, end, text, value }] : [];
  });
  if (answers.length === 0) return response;
  const quoted = new Set(sources.flatMap((source) => objectsIn(source)).map(canonical));
  let rest = response;
  let own = 0;
  for (const { start, end, text, value } of answers.toReversed()) {
    if (quoted.has(JSON.stringify(value)) || sources.some((source) => source.includes(text)))
      rest = rest.slice(0, start) + rest.slice(end);
    else own += 1;
    if (own === MAX_CANDIDATES) break;
  }
  return rest;
}

function canonical(object: string): string {
  const parsed = parse(object);
  return parsed === undefined ? object : JSON.stringify(parsed);
}

function* candidates(text: string): Generator<string> {
  yield text;
  yield* fencedBlocks(text).reverse();
  yield* objectsIn(text).slice(-MAX_CANDIDATES).reverse();
}

/** Maximum objects in the prose of a response that are validated. */
const MAX_CANDIDATES = 20;

/** Returns the outermost `{…}` substrings of a text, ignoring braces in strings. */
function objectsIn(text: string): string[] {
  return objectSpans(text).map(([start, end]) => text.slice(start, end));
}

function objectSpans(text: string): [start: number, end: number][] {
  const found: [start: number, end: number][] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    // Outside of objects, quotes are prose.
    if (sign === '"' && depth > 0) at = endOfString(text, at);
    else if (sign === '{') {
      if (depth === 0) start = at;
      depth++;
    } else if (sign === '}' && depth > 0) {
      depth--;
      if (depth === 0) found.push([start, at + 1]);
    }
  }
  return found;
}

/** Returns the position of the quote or line break that ends the string at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"' || text[at] === '\n') return at;
  }
  return text.length;
}

/** Parses a JSON text. Tolerates trailing commas, a common error of models. Returns undefined if it is not JSON. */
function parse(text: string): unknown {
  if (!/^[{[]/.test(text.trim())) return undefined;
  return parseJson(text) ?? parseJson(text.replace(/,(\s*[}\]])/g, '$1'));
}

function problemsOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.length > 0 ? issue.path.join('.') : 'the object'}: ${issue.message}`)
    .join('; ');
}

/** True if the model reached its token limit before the end of the output. */
export function isCutOff(version: Pick<Version, 'finishReason'>): boolean {
  return version.finishReason === 'length';
}
