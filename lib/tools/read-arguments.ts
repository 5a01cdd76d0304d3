import type { ToolDefinition } from '#lib/core/agents/agent-records.ts';
import { checkSchema } from '#lib/evaluators/check-schema.ts';
import { readJsonOutput } from '#lib/evaluators/read-json-output.ts';

/** The arguments of a call as an object that fits the tool's schema, or in words for the model why they are not. */
export type ReadArguments = { ok: true; value: Record<string, unknown> } | { ok: false; problem: string };

/** Faults that a message names at most. */
const MOST_NAMED = 5;
/** A schema longer than this is not told again. */
const LONGEST_SCHEMA = 2_000;
/** Longest arguments, in characters. */
const LONGEST_ARGUMENTS = 100_000;

/** Reads what a model wrote as the arguments of a call; nothing at all is an empty object. */
export async function readArguments({ name, parameters }: ToolDefinition, text: string): Promise<ReadArguments> {
  const refuse = (what: string): ReadArguments => ({
    ok: false,
    problem: `${name} was not used: ${what} Send a JSON object that fits this schema:\n${shownSchema(parameters)}`,
  });
  if (text.length > LONGEST_ARGUMENTS)
    return refuse(`its arguments are longer than ${LONGEST_ARGUMENTS.toLocaleString('en-US')} characters.`);
  const read = text.trim() === '' ? { ok: true as const, value: {} } : readJsonOutput(text);
  if (!read.ok) return refuse(`its arguments are not JSON (${read.problem}).`);
  if (!isObject(read.value)) return refuse('its arguments are JSON, but no object.');
  const checked = await checkSchema(parameters, JSON.stringify(read.value), 'The object');
  // What a server says of its own tool may be no schema at all: then it is for the server to judge.
  if (checked.type !== 'checked' || checked.count === 0) return { ok: true, value: read.value };
  return refuse(`its arguments do not fit: ${checked.faults.slice(0, MOST_NAMED).join('; ')}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shownSchema(parameters: Record<string, unknown>): string {
  const text = JSON.stringify(parameters);
  return text.length > LONGEST_SCHEMA ? `${text.slice(0, LONGEST_SCHEMA).toWellFormed()}…` : text;
}
