import type { PromptOptions } from '#lib/core/prompt-options.ts';
import { readToolAnswer } from '#lib/formats/tool-answer.ts';
import { checkSchema, schemaProblem } from './check-schema.ts';
import type { ConfigProblem } from './evaluator.ts';

/** Returns the part of a prompt's tools or response schema that cannot be used, or null. `key` is the path in the prompt. */
export async function promptOptionsProblem({ tools, responseSchema }: PromptOptions): Promise<ConfigProblem | null> {
  const schemas = [
    ...tools.map(({ parameters }, index) => ({ key: `tools.${index}.parameters`, schema: parameters })),
    ...(responseSchema === null ? [] : [{ key: 'responseSchema.schema', schema: responseSchema.schema }]),
  ];
  for (const { key, schema } of schemas) {
    const problem = await schemaProblem(schema);
    if (problem !== null) return { key, problem };
  }
  return null;
}

/** Mismatches between an output and its response schema as text. `note`: for people, the reason why it was not checked, else empty. */
export type SchemaFaults = { faults: readonly string[]; note: string };

/** Returns the mismatches between an output and its response schema. None if it matches or if it calls tools. */
export async function responseSchemaFaults(
  { tools, responseSchema }: PromptOptions,
  output: string,
): Promise<SchemaFaults> {
  const found = (faults: readonly string[], note = '') => ({ faults, note });
  if (responseSchema === null || (tools.length > 0 && readToolAnswer(output) !== null)) return found([]);
  const checked = await checkSchema(responseSchema.schema, output);
  switch (checked.type) {
    case 'unusable':
      return found([], `The response schema was not checked: it ${checked.problem}.`);
    case 'unchecked':
      return found([], `The response schema was not checked: ${checked.reason}.`);
    case 'not_json':
      return found(['The output is not JSON.']);
    case 'checked':
      return found(checked.faults);
  }
}
