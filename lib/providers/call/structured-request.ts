import { injectJsonInstructionIntoMessages } from '@ai-sdk/provider-utils';
import { asSchema, type LanguageModelMiddleware } from 'ai';
import type { ModelRequest } from './model-caller.ts';

/**
 * Asks a model for JSON of a schema without reading its answer, so that the raw text comes back whatever it holds. `native`
 * sends the schema as the provider's own setting; `prompt` writes it into the instructions, for servers that know no such setting.
 */
export function structuredRequest(
  output: NonNullable<ModelRequest['output']>,
  way: 'native' | 'prompt',
): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const schema =
        output.jsonSchema === undefined ? await asSchema(output.schema).jsonSchema : { ...output.jsonSchema };
      switch (way) {
        case 'native':
          return { ...params, responseFormat: { type: 'json', name: output.name, schema } };
        case 'prompt':
          return { ...params, prompt: injectJsonInstructionIntoMessages({ messages: params.prompt, schema }) };
      }
    },
  };
}
