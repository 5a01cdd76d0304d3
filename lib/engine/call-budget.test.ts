import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { createEngine, type EngineSettings } from './create-engine.ts';

const JUDGED = [{ name: 'clear', evaluator: 'llm' as const, config: {} }];
const CRITIQUE = JSON.stringify({ summary: '', issues: [{ text: 'Vague.', criterion: null, scope: 'local' }] });
const UNSURE = JSON.stringify({ criteria: [{ name: 'clear', score: 0.3, reason: '' }], confidence: 0.2 });

/** A judge that is unsure, and unreadable at first, and a model whose edits cannot be applied. */
function answerTo({ role }: ModelRequest, call: number): string {
  if (role === 'evaluate') return call % 2 === 0 ? 'unreadable' : UNSURE;
  return role === 'reflect' ? CRITIQUE : 'no edits';
}

async function run(settings: Partial<EngineSettings>) {
  const asked: ModelRequest[] = [];
  const engine = createEngine({
    settings: {
      generator: { provider: 'own', model: 'm' },
      convergence: null,
      criteria: JUDGED,
      evaluation: { confidence: { below: 0.5, action: 'rejudge' } },
      revision: { strategy: 'targeted_edit' },
      ...settings,
    },
    ask: async (request) => answerTo(request, asked.push(request)),
  });
  return { asked, result: await engine.execute('Explain pointers.') };
}

describe('budget.maxCalls', () => {
  const limits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12];
  const runs = limits.flatMap((maxCalls) => [
    { maxCalls, mode: 'revise' as const },
    { maxCalls, mode: 'retry' as const },
  ]);
  test.each(runs)('$maxCalls calls in $mode mode: repeated requests do not exceed it', async ({ maxCalls, mode }) => {
    const { asked, result } = await run({ mode, maxIterations: 20, maxAttempts: 20, budget: { maxCalls } });
    expect(asked.length).toBeLessThanOrEqual(maxCalls);
    expect(result.convergenceReason).toBe('call_budget');
  });

  test.each([4, 5, 6, 9])('%i calls: the reflection at the end keeps its call', async (maxCalls) => {
    const { asked } = await run({ maxIterations: 20, budget: { maxCalls }, lessons: { alwaysReflect: true } });
    expect(asked.length).toBeLessThanOrEqual(maxCalls);
    expect(asked.at(-1)?.role).toBe('lesson');
  });
});
