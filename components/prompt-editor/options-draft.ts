import { parseJsonOrText } from '#lib/core/json-values.ts';
import type { PromptOptions } from '#lib/core/prompt-options.ts';

/** Tool in the editor, with its parameters as typed JSON. `key`: unique within the list. */
export type ToolDraft = { key: number; name: string; description: string; parameters: string };

/** Response schema in the editor. Empty text means none. */
type SchemaDraft = { name: string; schema: string };

export type OptionsDraft = { tools: ToolDraft[]; responseSchema: SchemaDraft };

/** Converts tools and response schema to form values. */
export function toOptionsDraft({ tools, responseSchema }: PromptOptions): OptionsDraft {
  return {
    tools: tools.map(({ name, description, parameters }, key) => ({
      ...{ key, name, description },
      parameters: JSON.stringify(parameters, null, 2),
    })),
    responseSchema: {
      name: responseSchema?.name ?? 'answer',
      schema: responseSchema === null ? '' : JSON.stringify(responseSchema.schema, null, 2),
    },
  };
}

/** Converts form values to the request. Invalid JSON is sent as typed, so that the server can report it. */
export function fromOptionsDraft({ tools, responseSchema }: OptionsDraft): PromptOptions {
  const { name, schema } = responseSchema;
  const sent = {
    tools: tools.map(({ key: _, parameters, ...tool }) => ({ ...tool, parameters: parseJsonOrText(parameters) })),
    responseSchema: schema.trim() === '' ? null : { name, schema: parseJsonOrText(schema) },
  };
  // The server validates it.
  return sent as PromptOptions;
}
