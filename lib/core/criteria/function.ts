import { CRITERION_REMEDY, defineCriterion } from './definition.ts';

/** Example functions, each with a different form of return value. */
export const FUNCTION_EXAMPLES: readonly { name: string; code: string }[] = [
  {
    name: 'length',
    code: `function evaluate({ output }) {
  const words = output.trim().split(/\\s+/).length;
  return [words <= 100, \`\${words} words, at most 100 are allowed\`];
}
`,
  },
  {
    name: 'terms',
    code: `function evaluate({ output, metadata }) {
  // metadata.terms of the case: what the text must mention
  const terms = metadata.terms ?? ["limit", "cursor"];
  const missing = terms.filter((term) => !output.toLowerCase().includes(term.toLowerCase()));
  return {
    score: 1 - missing.length / terms.length,
    message: missing.length === 0 ? "all terms are mentioned" : \`\${missing.length} of \${terms.length} terms are missing\`,
    issues: missing.map((term) => \`Does not mention "\${term}"\`),
    suggestions: missing.map((term) => \`Mention "\${term}"\`),
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

/** Scored by user-written JavaScript, which must define a function `evaluate`. This is checked when settings are validated. */
export const functionCriterion = defineCriterion({
  kind: 'function',
  label: 'JavaScript function',
  name: 'function',
  summary: () => 'scored by a JavaScript function',
  longText: ({ code }) => code,
  fields: {
    code: {
      type: 'code',
      language: 'javascript',
      label: 'JavaScript',
      help: 'Defines a function evaluate({ output, input, messages, reference, metadata }). Only conversations have messages. It runs in a sandbox without network, files, clock or randomness, for at most 1 second and in 64 MB of memory.',
      examples: FUNCTION_EXAMPLES,
    },
  },
  usesReference: ({ code }) => code.includes('reference'),
  knowsAnswer: ({ code }) => (code.includes('reference') ? 'with_reference' : 'never'),
  remedy: CRITERION_REMEDY,
});
