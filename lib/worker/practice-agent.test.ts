import { describe, expect, test } from 'vitest';
import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import { createEngine, type EngineOptions } from '#lib/core/engine.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import { PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { lessonSearchTool } from '#lib/tools/built-in-tools.ts';
import { calculatorTool } from '#lib/tools/calculator-tool.ts';
import { makeToolbox } from '#lib/tools/toolbox.ts';

const PRACTICE = { provider: 'practice', model: 'practice-1' };
const EXACT = { match: 'exact' as const, extract: 'Finish\\[(.*?)\\]' };
const call = createModelCaller({
  addresses: { allowLoopback: true, allowedPrivateHosts: [] },
  resolveProvider: async () => PRACTICE_PROVIDER,
});
const ask: EngineOptions['ask'] = (request) => call(request, { signal: new AbortController().signal, onText: null });

/** The built-in tools that need no network, and a record of their calls. */
function tools(lessons: string[] = []) {
  const toolbox = makeToolbox([
    calculatorTool,
    lessonSearchTool(async () => lessons.map((text) => ({ kind: 'lesson', text }))),
  ]);
  const used: ToolCall[] = [];
  const use = async (one: ToolCall) => {
    used.push(one);
    return (await toolbox.use(one, new AbortController().signal)) ?? 'called off';
  };
  return { tools: { definitions: toolbox.definitions, use }, used };
}

const sums = Array.from({ length: 10 }, (_, at) => {
  const [one, two, three] = [12 + at * 3, 3 + (at % 7), 5 + at * 2];
  return { input: `What is ${three} + ${one} × ${two}? Answer as Finish[number].`, reference: `${three + one * two}` };
});

describe('the practice model as an agent', () => {
  test('solves sums with the real calculator, and the ones it mistypes after a lesson', async () => {
    const { tools: toolbox, used } = tools();
    const engine = createEngine({
      settings: {
        mode: 'retry',
        generator: { ...PRACTICE, base: { type: 'react', tools: ['calculator'] } },
        criteria: [{ name: 'exact', evaluator: 'reference', config: EXACT }],
        qualityThreshold: 1,
        maxAttempts: 5,
        convergence: null,
      },
      ask,
      tools: toolbox,
      evaluate: evaluateAlone,
    });
    const attempts: number[] = [];
    for (const task of sums) {
      const result = await engine.execute(task);
      expect({ input: task.input, reason: result.convergenceReason }).toEqual({
        input: task.input,
        reason: 'quality_met',
      });
      attempts.push(engine.getHistory().versions.length);
    }
    expect(Math.min(...attempts)).toBe(1);
    expect(Math.max(...attempts)).toBeGreaterThan(1);
    expect(used).toHaveLength(attempts.reduce((sum, count) => sum + count, 0));
  });

  test('scores higher with lessons from the search, and after a revision', async () => {
    const text = 'Give one example, and end with a summary.';
    const scoreOf = async (lessons: string[]) => {
      const { tools: toolbox, used } = tools(lessons);
      const engine = createEngine({
        settings: {
          mode: 'revise',
          generator: { ...PRACTICE, base: { type: 'react', tools: ['lesson_search', 'calculator'] } },
          criteria: [{ name: 'completeness', evaluator: 'llm' }],
          maxIterations: 1,
          qualityThreshold: 1,
        },
        ask,
        tools: toolbox,
        evaluate: evaluateAlone,
      });
      await engine.execute('Explain our rate limits to a new user');
      expect(used.map(({ tool }) => tool)).toEqual(['lesson_search']);
      return engine.getHistory().versions.map(({ evaluations }) => evaluations[0]?.overallScore ?? 0);
    };
    const [alone = 0, revised = 0] = await scoreOf([]);
    const [taught = 0] = await scoreOf([text]);
    expect(taught).toBeGreaterThan(alone);
    expect(revised).toBeGreaterThan(alone);
  });

  test('delegates a sum to the matching worker, which uses its calculator, and returns the answer', async () => {
    const { tools: toolbox, used } = tools();
    const worker = { description: '', instructions: '', maxSteps: 4 };
    const engine = createEngine({
      settings: {
        mode: 'retry',
        generator: {
          ...PRACTICE,
          base: {
            type: 'supervisor',
            workers: [
              { ...worker, name: 'poet', description: 'writes verses' },
              { ...worker, name: 'reckoner', description: 'answers what is a number', tools: ['calculator'] },
            ],
          },
        },
        criteria: [{ name: 'exact', evaluator: 'reference', config: EXACT }],
        qualityThreshold: 1,
        maxAttempts: 4,
        convergence: null,
      },
      ask,
      tools: toolbox,
      evaluate: evaluateAlone,
    });
    for (const task of sums.slice(0, 4)) expect((await engine.execute(task)).convergenceReason).toBe('quality_met');
    expect(used.every(({ tool, id }) => tool === 'calculator' && id.includes('/'))).toBe(true);
  });
});
