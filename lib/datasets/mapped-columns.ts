import { isRecord } from '#lib/core/is-record.ts';
import type { CaseMapping } from './case-mapping-schema.ts';

/** The columns of a case, which need no mapping. */
const OWN_COLUMNS: readonly string[] = ['input', 'messages', 'reference', 'tags', 'metadata', 'criteria'];

/** Returns true if a column is one of the columns of a case. Only tables have `metadata.NAME`. */
export function isOwnColumn(column: string, isTable: boolean): boolean {
  return OWN_COLUMNS.includes(column) || (isTable && column.startsWith('metadata.'));
}

/** Returns the target of a column, or undefined if the mapping does not contain it. */
export function targetOf(mapping: CaseMapping, column: string): string | undefined {
  return Object.hasOwn(mapping, column) ? mapping[column] : undefined;
}

/** Columns of fine-tuning files of OpenAI and ShareGPT. */
export const FINE_TUNING_COLUMNS = ['messages', 'conversations'];

/** Returns the column whose answer at the end becomes the reference, or null if the mapping has none. */
export function answeredColumn(mapping: CaseMapping): string | null {
  if (Object.values(mapping).includes('reference')) return null;
  return FINE_TUNING_COLUMNS.find((column) => targetOf(mapping, column) === 'input') ?? null;
}

/** Columns of promptfoo with the expected answer, or a check of the answer such as `contains: Paris`. */
export const PROMPTFOO_COLUMN = /^__expected\d*$/;

/**
 * Attributes with the input and the output of a span: of OpenInference, OpenTelemetry, OpenLLMetry, the AI SDK and Langfuse. The first one
 * that a span has counts.
 */
export const SPAN_INPUTS = [
  'input.value',
  'gen_ai.input.messages',
  'traceloop.entity.input',
  'ai.prompt',
  'ai.prompt.messages',
  'langfuse.observation.input',
];
export const SPAN_OUTPUTS = [
  'output.value',
  'gen_ai.output.messages',
  'traceloop.entity.output',
  'langfuse.observation.output',
];

/** Returns the position of the column's attribute in one of the lists above, or -1. */
export function spanIndex(names: readonly string[], column: string): number {
  return names.findIndex((name) => column === `attributes.${name}`);
}

/**
 * Returns the argument of a Python function if the value is a call with one argument, as Langfuse and OpenLLMetry write it, and the
 * arguments of a module of DSPy. Returns other values, and those of columns that are no inputs, unchanged.
 */
export function argumentOf(column: string, value: unknown): unknown {
  if (!isRecord(value) || !/(?:^|\.)input(?:\.value)?$/.test(column)) return value;
  const { args, kwargs = {}, input_args, ...others } = value;
  if (Object.keys(others).length > 0) return value;
  if (isRecord(input_args)) return Object.keys(value).length === 1 ? input_args : value;
  if (!Array.isArray(args) || !isRecord(kwargs)) return value;
  const all: unknown[] = [...args, ...Object.values(kwargs)];
  return all.length === 1 ? all[0] : args.length === 0 ? kwargs : value;
}
