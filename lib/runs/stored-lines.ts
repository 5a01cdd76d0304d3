import { storableJson } from '#lib/database/query-values.ts';

/*
 * Events and decisions of a run are stored as lines in its row, because each save copies the row. A line is a time and JSON values,
 * separated by commas. The time is in milliseconds since 1970, in base 36.
 */

/** Frequent words of events and decisions. Each is stored as its index, so words may only be added at the end. */
export const STORED_WORDS = [
  'policy',
  'continue',
  'stop',
  'max_iterations',
  'quality_met',
  'person',
  'accept',
  'ok',
  'completion',
  'full_rewrite',
  'plateau',
  'webhook',
  'code',
  'timeout',
  'revise',
  'auto',
  'failed',
  'step_interval',
  'tool_result',
  'quality_drop',
  'default',
  'user_accepted',
  'user_stopped',
  'diminishing',
  'oscillation',
  'semantic_stability',
  'model_failed',
] as const;

const indexes: ReadonlyMap<string, number> = new Map(STORED_WORDS.map((word, index) => [word, index]));

/** Returns a text as it is stored: the index of a frequent word, or the text. Other values are unchanged. */
export function shortenWord(value: unknown): unknown {
  return typeof value === 'string' ? (indexes.get(value) ?? value) : value;
}

/** Returns the original of a shortened text. */
export function expandWord(value: unknown): unknown {
  return typeof value === 'number' ? STORED_WORDS[value] : value;
}

/** Returns a line with its line break. `ms`: milliseconds since 1970. */
export function writeLine(ms: number, values: readonly unknown[]): string {
  return `${ms.toString(36)},${storableJson(values).slice(1, -1)}\n`;
}

/** Parses lines as written by `writeLine`. */
export function readLines(lines: string): { ms: number; values: unknown[] }[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const end = line.indexOf(',');
      return { ms: Number.parseInt(line.slice(0, end), 36), values: JSON.parse(`[${line.slice(end + 1)}]`) };
    });
}
