import { expect, test } from 'vitest';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import { createEngine, type EngineSettings } from './engine.ts';
import type { ModelRequest } from './model-request.ts';

const SECRET = 'Zanzibar';
const TASK = { input: 'Name the island', reference: SECRET, metadata: { lang: 'de' } };

function engineWith(settings: Partial<EngineSettings>, asked: ModelRequest[] = []) {
  return createEngine({
    settings: {
      generator: { provider: 'own', model: 'm' },
      convergence: null,
      structuredReflection: false,
      maxIterations: 1,
      maxAttempts: 2,
      criteria: [{ name: 'right', evaluator: 'llm', config: { rubric: 'Means {{reference}}' } }],
      ...settings,
    },
    evaluate: evaluateAlone,
    ask: async (request) => {
      asked.push(request);
      if (request.role !== 'evaluate') return 'Some island, I think.';
      // A judge that gets the answer only from its prompt, and repeats it in its feedback.
      const knows = /Means <case_reference>(\w+)<\/case_reference>/.exec(request.prompt)?.[1];
      return knows === undefined ? 'right: 1 - fine' : `right: 0.1 - must be ${knows}\nIssues:\n- not ${knows}`;
    },
  });
}

test.each(['revise', 'retry'] as const)('%s: only the judge gets the reference', async (mode) => {
  const asked: ModelRequest[] = [];
  const result = await engineWith({ mode }, asked).execute(TASK);
  expect(result.finalEvaluation?.overallScore).toBe(0.1);
  const others = asked.filter(({ role }) => role !== 'evaluate');
  expect(others.length).toBeGreaterThan(2);
  expect(JSON.stringify(others)).not.toContain(SECRET);
  expect(result.finalEvaluation?.detail).toContain(`must be ${SECRET}`);
});

test('rejects a task without an input that the judge needs before any model call', async () => {
  const asked: ModelRequest[] = [];
  await expect(engineWith({}, asked).execute('Name the island')).rejects.toThrow(
    'reference: The case "Name the island"',
  );
  const lacking = engineWith({ prompts: { evaluate: 'In {{metadata.tone}}' } }, asked);
  await expect(lacking.execute(TASK)).rejects.toThrow('metadata.tone: The case');
  expect(asked).toEqual([]);
});

test('rejects an unknown variable and names its position', () => {
  const criteria = [{ name: 'right', evaluator: 'llm' as const, config: { rubric: 'Means {{refrence}}' } }];
  expect(() => engineWith({ criteria })).toThrow(
    'criteria.0.config.rubric: must not contain the unknown variable {{refrence}}. Use {{input}}',
  );
});

test('a task can have its own criteria', async () => {
  const asked: ModelRequest[] = [];
  const own = {
    others: 'off' as const,
    add: [{ name: 'short', evaluator: 'regex' as const, config: { pattern: '^.{1,40}$' } }],
  };
  const result = await engineWith({ mode: 'revise' }, asked).execute({ ...TASK, criteria: own });
  expect(result).toMatchObject({ success: true, finalEvaluation: { criteriaScores: { short: 1 } } });
  expect(asked.map(({ role }) => role)).toEqual(['generate']);
  const wrong = { change: { rihgt: { weight: 2 } } };
  await expect(engineWith({}).execute({ ...TASK, criteria: wrong })).rejects.toThrow(
    'criteria.change.rihgt names a criterion',
  );
});
