import { CRITERION_REMEDY, defineCriterion } from './definition.ts';

export const JSON_SCHEMA_EXAMPLES: readonly { name: string; code: string }[] = [
  {
    name: 'object',
    code: `{
  "type": "object",
  "required": ["title", "priority"],
  "additionalProperties": false,
  "properties": {
    "title": { "type": "string", "minLength": 1, "maxLength": 80 },
    "priority": { "enum": ["low", "normal", "high"] },
    "minutes": { "type": "integer", "minimum": 1 }
  }
}
`,
  },
  {
    name: 'list',
    code: `{
  "type": "array",
  "minItems": 1,
  "uniqueItems": true,
  "items": {
    "type": "object",
    "required": ["question", "answer"],
    "properties": {
      "question": { "type": "string", "pattern": "\\\\?$" },
      "answer": { "type": "string" }
    }
  }
}
`,
  },
];

/** Scores 1 if the output is JSON that matches a schema (JSON Schema 2020-12). The schema is checked when settings are validated. */
export const jsonSchemaCriterion = defineCriterion({
  kind: 'json_schema',
  label: 'JSON Schema',
  name: 'JSON schema',
  summary: () => 'must be JSON that fits a schema',
  longText: ({ schema }) => JSON.stringify(schema, null, 2),
  fields: {
    schema: {
      type: 'json',
      label: 'JSON Schema',
      help: 'JSON Schema draft 2020-12. Scores 1 if the output, or its last code block, is JSON that matches the schema, otherwise 0. Patterns use RE2 syntax. `format` is not checked.',
      examples: JSON_SCHEMA_EXAMPLES,
    },
  },
  remedy: CRITERION_REMEDY,
});
