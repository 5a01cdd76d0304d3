import { z } from 'zod';
import { parseJson } from '#lib/core/json-values.ts';
import { readToolAnswer } from '#lib/formats/tool-answer.ts';

const expectedCallSchema = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});
type ExpectedCall = z.infer<typeof expectedCallSchema>;

const expectedSchema = z.union([
  z.array(expectedCallSchema),
  z.object({ toolCalls: z.array(expectedCallSchema) }).transform(({ toolCalls }) => toolCalls),
  expectedCallSchema.transform((call) => [call]),
]);

/** Parses the calls that a reference expects: one call, a list of calls, or an output with `toolCalls`. Null if there are none. */
export function expectedCalls(reference: string): ExpectedCall[] | null {
  return expectedSchema.safeParse(parseJson(reference)).data ?? null;
}

/**
 * Returns why the tool calls of an output differ from the expected ones, without revealing those, or null if they match. Names and order
 * must match. Arguments in the reference must have the same values. Extra arguments are allowed.
 */
export function toolCallFault(output: string, expected: readonly ExpectedCall[]): string | null {
  const calls = readToolAnswer(output)?.toolCalls ?? [];
  if (calls.length !== expected.length)
    return `the output has ${calls.length} tool calls, which is not the right number`;
  for (const [index, call] of calls.entries()) {
    const wanted = expected[index];
    if (wanted === undefined || wanted.name !== call.name) return `call ${index + 1} is not of the right tool`;
    for (const [name, value] of Object.entries(wanted.arguments ?? {}))
      if (!isSame(memberOf(call.arguments, name), value)) return `call ${index + 1} has a wrong argument`;
  }
  return null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Returns true if two values are equal as JSON. The order of object members is ignored. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(Reflect.get(one, key), Reflect.get(other, key)))
  );
}
