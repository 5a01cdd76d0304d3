import { expect, test } from 'vitest';
import { createEngine } from './engine.ts';
import type { ModelRequest } from './model-request.ts';
import { inLogForm, logTools, PUBLISHED_LOG, readLog } from './published-log.test-support.ts';

const NAMES: Record<string, string> = { search: 'Search', lookup: 'Lookup' };
const RESPONSE = {
  finishReason: 'stop',
  tokenUsage: { input: 9, output: 1, total: 10 },
  costUsd: 0,
  latencyMs: 1,
  attempts: 1,
  warnings: [],
};

test('reproduces a published log step by step, with scripted model and tools, and stops as logged', async () => {
  const log = readLog(PUBLISHED_LOG);
  const turns: ModelRequest[] = [];
  const used: string[] = [];
  const stepAt = (trial: number, turn: number) => {
    const step = log.trials[trial]?.steps[turn];
    if (step === undefined) throw new Error(`the log has no step ${turn + 1} in trial ${trial + 1}`);
    return step;
  };
  let trial = 0;
  const engine = createEngine({
    settings: {
      mode: 'retry',
      generator: { provider: 'own', model: 'm', base: { type: 'react', tools: ['search', 'lookup'], maxSteps: 7 } },
      criteria: [{ name: 'exact', threshold: 1, validate: (output, { reference }) => (output === reference ? 1 : 0) }],
      qualityThreshold: 1,
      maxAttempts: 3,
    },
    tools: {
      definitions: logTools(['search', 'lookup']),
      use: ({ id, tool, arguments: given }) => {
        const step = stepAt(trial, Number.parseInt(id, 10));
        used.push(`${NAMES[tool]}[${JSON.parse(given).text}]`);
        return step.observation;
      },
    },
    ask: async (request) => {
      if (request.role === 'lesson') return log.reflection;
      turns.push(request);
      trial = request.prompt.includes(log.reflection) ? 1 : 0;
      const made = request.conversation?.messages.filter(({ role }) => role === 'assistant').length ?? 0;
      const { thought, action, argument } = stepAt(trial, made);
      if (action === 'Finish') return `Thought ${made + 1}: ${thought}\nFinal Answer: ${argument}`;
      const toolCalls = [{ id: 'same', tool: action.toLowerCase(), arguments: JSON.stringify({ text: argument }) }];
      return { ok: true, reply: { ...RESPONSE, text: thought, toolCalls } };
    },
  });
  const result = await engine.execute({ input: log.question, reference: log.reference });

  expect(inLogForm(result.history, 0, NAMES, 'Answer is INCORRECT')).toBe(log.trials[0]?.text);
  expect(inLogForm(result.history, 1, NAMES, 'Answer is CORRECT')).toBe(log.trials[1]?.text);
  expect(result.history.versions.map(({ output }) => output)).toEqual(['1832', '1874']);
  expect(result).toMatchObject({
    success: true,
    convergenceReason: 'quality_met',
    iterationsUsed: 2,
    finalOutput: '1874',
  });
  expect(result.history.lessons.map(({ text }) => text)).toEqual([log.reflection]);
  const actions = [...PUBLISHED_LOG.matchAll(/^Action \d+: ((?:Search|Lookup)\[.*\])$/gm)].map(([, action]) => action);
  expect(used).toEqual(actions);
  // Each turn gets what the log shows before it, and nothing of the other trial.
  expect(turns.map(({ conversation }) => conversation?.messages.length)).toEqual([0, 2, 4, 6, 0, 2, 4]);
  expect(turns[6]?.conversation?.messages.at(-1)).toMatchObject({
    role: 'tool',
    results: [{ text: stepAt(1, 1).observation, isError: false }],
  });
});
