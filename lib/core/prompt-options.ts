import { z } from 'zod';
import type { ModelRequest } from './model-request.ts';
import { areUnique, jsonSchemaSetting, mustBe, packJsonSchema } from './setting-parts.ts';

export const MAX_PROMPT_TOOLS = 64;
const MAX_DESCRIPTION_LENGTH = 2_000;

/** Names that all providers accept. */
const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

/** A schema of an object. Providers accept no other for arguments and answers. */
const objectSchema = jsonSchemaSetting.refine((schema) => schema.type === 'object', {
  error: 'must have "type": "object", because providers accept only object schemas',
});

/** A tool that a prompt offers to the model. `parameters` is the JSON Schema of its arguments. */
export const toolDefinitionSchema = z.strictObject({
  name: z
    .string()
    .regex(TOOL_NAME, {
      error: mustBe('letters, digits, _ and -, begin with a letter, and have at most 64 characters'),
    })
    .describe('Name of the tool. Letters, digits, _ and -, beginning with a letter.'),
  description: z
    .string()
    .trim()
    .max(MAX_DESCRIPTION_LENGTH, {
      error: `must be at most ${MAX_DESCRIPTION_LENGTH.toLocaleString('en-US')} characters`,
    })
    .default('')
    .describe('What the tool does and when to call it. The model reads it.'),
  parameters: objectSchema
    .default(() => ({ type: 'object', properties: {} }))
    .describe('JSON Schema of the arguments, with type object.'),
});

/** Tools of a prompt, with unique names. */
export const toolDefinitionsSchema = z
  .array(toolDefinitionSchema)
  .max(MAX_PROMPT_TOOLS, { error: `must contain at most ${MAX_PROMPT_TOOLS} tools` })
  .refine((tools) => areUnique(tools.map(({ name }) => name)), {
    error: 'must not contain two tools with the same name',
  });

/** JSON Schema of the answers to a prompt, and its name for providers. */
export const responseSchemaSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/, { error: mustBe('1 to 64 letters, digits, _ and -') })
    .default('answer')
    .describe('Name of the schema. Some models read it.'),
  schema: objectSchema.describe('JSON Schema of the answer, with type object.'),
});
export type ResponseSchema = z.infer<typeof responseSchemaSchema>;

/** Options that are sent with the text of a prompt. */
export const promptOptionsShape = {
  tools: toolDefinitionsSchema
    .default([])
    .describe('Tools that the model may call. Hone does not run them. The output contains the calls.'),
  responseSchema: responseSchemaSchema
    .nullable()
    .default(null)
    .describe('JSON Schema of the answer. Null: the answer is free text.'),
};
export const promptOptionsSchema = z.object(promptOptionsShape);
export type PromptOptions = z.infer<typeof promptOptionsSchema>;

/** Returns tools and response schema for storage, with schemas that keep the order of their members. Parsing reverses it. */
export function packOptions({ tools, responseSchema }: PromptOptions): PromptOptions {
  return {
    tools: tools.map((tool) => ({ ...tool, parameters: packJsonSchema(tool.parameters) })),
    responseSchema: responseSchema && { ...responseSchema, schema: packJsonSchema(responseSchema.schema) },
  };
}

/** Returns tools and response schema as fields of a request. Empty for a prompt without any, so that its request stays unchanged. */
export function answerForm({ tools, responseSchema }: PromptOptions): Pick<ModelRequest, 'output' | 'tools'> {
  return {
    output:
      responseSchema === null
        ? null
        : { name: responseSchema.name, schema: ANY_OBJECT, jsonSchema: responseSchema.schema },
    ...(tools.length > 0 && { tools }),
  };
}

const ANY_OBJECT = z.looseObject({});

type Checked = { generator: PromptOptions & { base: { type: string }; target: unknown } };

/** Returns the settings that cannot be combined with tools or a response schema, by path. */
export function promptOptionsProblems({ generator }: Checked): { path: string[]; message: string }[] {
  const { tools, responseSchema, base, target } = generator;
  if (target === null && base.type === 'single') return [];
  const reason =
    target === null
      ? 'an agent has its own tools (generator.base.tools) and answers in free text'
      : 'it is not sent to the target';
  const problems = [];
  if (tools.length > 0) problems.push({ path: ['generator', 'tools'], message: `must be empty, because ${reason}` });
  if (responseSchema !== null)
    problems.push({ path: ['generator', 'responseSchema'], message: `must be null, because ${reason}` });
  return problems;
}

/** Describes tools and response schema in text, for models that judge or revise the outputs. */
export function optionsText({ tools, responseSchema }: PromptOptions): string {
  const texts: string[] = [];
  if (tools.length > 0) {
    const lines = tools.map((tool) => JSON.stringify(tool)).join('\n');
    texts.push(
      `Tools that may be called, one per line. An output that calls tools is JSON with "text" and "toolCalls":\n${lines}`,
    );
  }
  if (responseSchema !== null)
    texts.push(`The output must be JSON of this JSON Schema:\n${JSON.stringify(responseSchema.schema)}`);
  return texts.join('\n\n');
}
