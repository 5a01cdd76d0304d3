/** Functions to start from, each showing another form of what may be returned. */
export const FUNCTION_EXAMPLES: readonly { name: string; code: string }[] = [
  {
    name: 'length',
    code: `function evaluate({ output }) {
  const words = output.trim().split(/\\s+/).length;
  return [words <= 100, \`\${words} words; at most 100 are asked for\`];
}
`,
  },
  {
    name: 'terms',
    code: `function evaluate({ output, metadata }) {
  // metadata.terms of the case: what the text must speak of
  const terms = metadata.terms ?? ["limit", "cursor"];
  const missing = terms.filter((term) => !output.toLowerCase().includes(term.toLowerCase()));
  return {
    score: 1 - missing.length / terms.length,
    message: missing.length === 0 ? "all terms are there" : \`\${missing.length} of \${terms.length} terms are missing\`,
    issues: missing.map((term) => \`Does not speak of "\${term}"\`),
    suggestions: missing.map((term) => \`Say something on "\${term}"\`),
  };
}
`,
  },
  {
    name: 'closeness to the reference',
    code: `function evaluate({ output, reference }) {
  const answer = Number(output.match(/-?\\d+(\\.\\d+)?/g)?.at(-1));
  const expected = Number(reference);
  if (Number.isNaN(answer) || Number.isNaN(expected)) return 0;
  return Math.max(0, 1 - Math.abs(answer - expected) / Math.max(1, Math.abs(expected)));
}
`,
  },
];

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

/** Tests to start from. */
export const PYTHON_TESTS_EXAMPLES: readonly { name: string; code: string }[] = [
  {
    name: 'functions',
    code: `def test_adds():
    assert add(2, 3) == 5


def test_hidden_negative():
    assert add(-2, -3) == -5
`,
  },
  {
    name: 'unittest',
    code: `import unittest

import solution


class TestAdd(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(solution.add(2, 3), 5)

    def test_refuses_text(self):
        with self.assertRaises(TypeError):
            solution.add(2, "3")
`,
  },
  {
    name: 'tests of each case',
    code: `# metadata.tests of each case holds its own tests
{{metadata.tests}}
`,
  },
];
