import { jsonrepair } from 'jsonrepair';
import { fencedBlocks, structuredReply, withoutThinking } from '#lib/core/responses.ts';
import type { ModelRequest } from './model-caller.ts';
import type { RawReply } from './try-once.ts';

/** The warning of a reply that was repaired. */
export const REPAIRED = 'The response was invalid JSON, which Hone repaired.';

/** Longest text that is repaired, in characters: jsonrepair takes time by the square of it. */
const LONGEST = 20_000;

/**
 * A reply whose JSON is broken, repaired where it then fits the schema that was asked for: asking again would be paid for again. A
 * reply that was cut off stays as it is, for what is missing cannot be known.
 */
export function repairReply(raw: RawReply, { output }: Pick<ModelRequest, 'output'>): RawReply {
  const { text, finishReason } = raw;
  if (output === null || finishReason !== 'stop' || text.length > LONGEST) return raw;
  if (structuredReply(text, output.schema).ok) return raw;
  for (const candidate of candidates(withoutThinking(text))) {
    const repaired = repairJsonText(candidate);
    if (repaired !== null && output.schema.safeParse(JSON.parse(repaired)).success)
      return { ...raw, text: repaired, warnings: [...raw.warnings, REPAIRED] };
  }
  return raw;
}

/** Texts that may be meant as a JSON object: the last fenced one first, then what stands between the outermost braces. */
function candidates(text: string): string[] {
  const begin = text.indexOf('{');
  const end = text.lastIndexOf('}') + 1;
  const outside = begin === -1 ? [] : [text.slice(begin, Math.max(begin, end)), text.slice(begin)];
  return [...fencedBlocks(text).reverse(), ...outside].filter((candidate) => candidate.trimStart().startsWith('{'));
}

function repairJsonText(text: string): string | null {
  try {
    return jsonrepair(text);
  } catch {
    return null;
  }
}
