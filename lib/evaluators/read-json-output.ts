import { isDeeper } from '#lib/core/json-values.ts';
import { fencedBlocks } from '#lib/core/responses.ts';

type JsonOutput = { ok: true; value: unknown } | { ok: false; problem: string };

/** Maximum nesting depth. Deeper values could overflow the stack of recursive code. */
const MAX_OUTPUT_DEPTH = 200;

/** Returns the output parsed as JSON, or its last code fence with JSON. If there is none, returns the reason. */
export function readJsonOutput(output: string): JsonOutput {
  const whole = parse(output);
  if (whole.ok) return whole;
  const fenced = fencedBlocks(output).map(parse);
  return fenced.findLast(({ ok }) => ok) ?? fenced.at(-1) ?? whole;
}

function parse(text: string): JsonOutput {
  try {
    const value: unknown = JSON.parse(text);
    if (!isDeeper(value, MAX_OUTPUT_DEPTH)) return { ok: true, value };
    return { ok: false, problem: `it is nested deeper than ${MAX_OUTPUT_DEPTH} levels` };
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/\s+/g, ' ') : '';
    return { ok: false, problem: message.slice(0, 200).toWellFormed() };
  }
}
