/** Schemas to start from. */
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
