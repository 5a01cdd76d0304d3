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
 * Attributes with the input and the output of a span: of OpenInference, OpenTelemetry, OpenLLMetry and the AI SDK. The first one that a
 * span has counts.
 */
export const SPAN_INPUTS = [
  'input.value',
  'gen_ai.input.messages',
  'traceloop.entity.input',
  'ai.prompt',
  'ai.prompt.messages',
];
export const SPAN_OUTPUTS = ['output.value', 'gen_ai.output.messages', 'traceloop.entity.output'];

/** Returns the position of the column's attribute in one of the lists above, or -1. */
export function spanIndex(names: readonly string[], column: string): number {
  return names.findIndex((name) => column === `attributes.${name}`);
}
