import { expect, test } from 'vitest';
import { inLogForm, logTools, PUBLISHED_LOG, readLog } from '#lib/core/published-log.test-support.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { completion, startScriptedServer } from '#lib/testing/scripted-server.test-support.ts';
import { queuedRun, recordOf, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { makeToolbox } from '#lib/tools/toolbox.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
/** Settings accept only existing tools, so two built-in tools stand in for those of the log. */
const NAMES: Record<string, string> = { lesson_search: 'Search', calculator: 'Lookup' };
const nameOf = (action: string) => Object.keys(NAMES).find((name) => NAMES[name] === action) ?? action;

test('replays a published log exactly through the worker and over HTTP, and stops as logged', async () => {
  const log = readLog(PUBLISHED_LOG);
  const turns: { trial: number; turn: number }[] = [];
  const stepAt = (trial: number, turn: number) => {
    const step = log.trials[trial]?.steps[turn];
    if (step === undefined) throw new Error(`the log has no step ${turn + 1} in trial ${trial + 1}`);
    return step;
  };
  const server = await startScriptedServer([
    (response, body, request) => {
      const asked = JSON.stringify(body.messages);
      if (asked.includes('An attempt at a task failed')) return completion(log.reflection)(response, body, request);
      const trial = asked.includes(log.reflection) ? 1 : 0;
      const turn = Array.isArray(body.messages) ? body.messages.filter(({ role }) => role === 'assistant').length : 0;
      turns.push({ trial, turn });
      const { thought, action, argument } = stepAt(trial, turn);
      const text = `Thought ${turn + 1}: ${thought}\nAction ${turn + 1}: ${nameOf(action)}[${argument}]\n`;
      return completion(text)(response, body, request);
    },
  ]);
  try {
    const context = testContext(db.database());
    const provider = { name: 'logged', kind: 'openai-compatible', baseUrl: server.baseUrl, toolsBy: 'prompt' };
    unwrap(await saveProvider(context, TESTER, provider));
    const tools = Object.keys(NAMES);
    const runId = await queuedRun(
      context,
      {
        mode: 'retry',
        generator: { provider: 'logged', model: 'm', base: { type: 'react', tools, maxSteps: 7 } },
        criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
        qualityThreshold: 1,
        maxAttempts: 3,
      },
      { input: log.question, reference: log.reference },
    );
    const toolbox = makeToolbox(
      logTools(tools).map((definition) => ({
        definition,
        timeoutMs: null,
        run: async () => {
          const { trial, turn } = turns.at(-1) ?? { trial: 0, turn: 0 };
          return { status: 'ok' as const, text: stepAt(trial, turn).observation };
        },
      })),
    );
    await performRun({ ...testWorkerContext(context), openTools: async () => toolbox }, runId);
    const run = await recordOf(db.database(), runId);
    expect(inLogForm(run, 0, NAMES, 'Answer is INCORRECT')).toBe(log.trials[0]?.text);
    expect(inLogForm(run, 1, NAMES, 'Answer is CORRECT')).toBe(log.trials[1]?.text);
    expect(run).toMatchObject({
      success: true,
      convergenceReason: 'quality_met',
      finalOutput: '1874',
      iterationsUsed: 2,
    });
    expect(server.requests).toHaveLength(8);
    expect(run.tokenUsage.total).toBe(8 * 17);
    expect(run.versions.reduce((sum, { totalSpend }) => sum + totalSpend.tokenUsage.total, 0)).toBe(8 * 17);
  } finally {
    await server.close();
  }
});
