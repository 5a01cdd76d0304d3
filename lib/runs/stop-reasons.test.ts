import { describe, expect, test } from 'vitest';
import { runRecordSchema } from '#lib/core/run-record.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { verdict } from '#lib/testing/scripted-loop.test-support.ts';
import { PRACTICE_WRITING, queuedRun, recordOf, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { findRun } from './queries.ts';

const db = useTestDatabase();
const TASK = { input: 'Explain our rate limits to a new user' };
const PLAIN: ExperimentSettingsInput = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'quality', threshold: 0, evaluator: 'llm' }],
  maxIterations: 9,
  revision: { strategy: 'full_rewrite' },
};

type Script = { scores: (number | null)[]; outputs?: string[]; issues?: string[]; finishReasons?: string[] };

/** Returns a fake model that answers the calls of each version from the lists; a call takes 300 tokens, $0.01 and 0.3 s. */
function scripted({ scores, outputs, issues, finishReasons }: Script): ModelCaller {
  const asked = new Map<ModelRequest['role'], number>();
  return async ({ role }) => {
    const at = asked.get(role) ?? 0;
    asked.set(role, at + 1);
    const made = (asked.get('generate') ?? 0) + (asked.get('revise') ?? 0) - 1;
    const score = scores[Math.min(made, scores.length - 1)] ?? null;
    const response = {
      tokenUsage: { input: 200, output: 100, total: 300 },
      costUsd: 0.01,
      latencyMs: 300,
      attempts: 1,
      warnings: [],
      finishReason: role === 'generate' || role === 'revise' ? (finishReasons?.[made] ?? 'stop') : 'stop',
    };
    switch (role) {
      case 'evaluate':
        return {
          ok: true,
          reply: {
            ...response,
            text:
              score === null ? 'I like it.' : JSON.stringify(verdict({ quality: score }, issues ?? [`Issue ${made}`])),
          },
        };
      case 'reflect':
        return {
          ok: true,
          reply: { ...response, text: JSON.stringify({ summary: 'So.', issues: [], suggestions: [] }) },
        };
      default:
        return {
          ok: true,
          reply: { ...response, text: outputs?.[made] ?? `${'abcdefgh'.charAt(made).repeat(50)} ${made}` },
        };
    }
  };
}

async function performed(settings: ExperimentSettingsInput, call?: ModelCaller) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, settings, TASK);
  await performRun(testWorkerContext(context, call), runId);
  return runRecordSchema.parse(await recordOf(db.database(), runId));
}

describe('each stop reason, from the queue to the record', () => {
  test.each<[StopReason, ExperimentSettingsInput, Script, { versions: number; best: number | null; status?: string }]>([
    ['quality_met', PLAIN, { scores: [0.5, 0.9] }, { versions: 2, best: 1 }],
    ['evaluation_failed', PLAIN, { scores: [null] }, { versions: 1, best: null, status: 'failed' }],
    [
      'semantic_stability',
      PLAIN,
      { scores: [0.5], outputs: ['The same.', 'The same.', 'The same.'] },
      { versions: 3, best: 2 },
    ],
    ['repeated_issues', PLAIN, { scores: [0.5], issues: ['Vague'] }, { versions: 3, best: 2 }],
    ['oscillation', PLAIN, { scores: [0.5, 0.7, 0.6, 0.7] }, { versions: 4, best: 3 }],
    ['plateau', PLAIN, { scores: [0.5] }, { versions: 3, best: 2 }],
    ['diminishing', PLAIN, { scores: [0.5, 0.52, 0.53] }, { versions: 3, best: 2 }],
    ['max_iterations', { ...PLAIN, maxIterations: 1 }, { scores: [0.5, 0.6] }, { versions: 2, best: 1 }],
    ['token_budget', { ...PLAIN, budget: { maxTokens: 1_000 } }, { scores: [0.5] }, { versions: 1, best: 0 }],
    ['cost_budget', { ...PLAIN, budget: { maxCostUsd: 0.035 } }, { scores: [0.5] }, { versions: 1, best: 0 }],
    ['time_budget', { ...PLAIN, budget: { maxSeconds: 1 } }, { scores: [0.5] }, { versions: 1, best: 0 }],
  ])('%s', async (reason, settings, expected, { versions, best, status = 'finished' }) => {
    const record = await performed(settings, scripted(expected));
    expect(record).toMatchObject({ convergenceReason: reason, status, bestVersion: best });
    expect(record.versions).toHaveLength(versions);
    expect(record.success).toBe(reason === 'quality_met');
  });
});

describe('failure modes, from the queue to the record', () => {
  test('a cut-off version is marked, loses a tie for best, and is not revised further', async () => {
    const settings: ExperimentSettingsInput = { ...PLAIN, maxIterations: 2, convergence: null };
    const record = await performed(
      settings,
      scripted({ scores: [0.5, 0.5, 0.4], finishReasons: ['stop', 'length', 'length', 'length', 'length'] }),
    );
    expect(record.versions.map(({ cutOff, parents }) => [cutOff, parents])).toEqual([
      [false, []],
      [true, [0]],
      // The response to the edit request had no valid form twice, and the full rewrite was cut off again.
      [true, [0]],
    ]);
    expect(record.versions[2]?.strategyNote).toMatch(
      /was cut off.*Targeted edit could not be applied, even after a second request/,
    );
    expect(record.bestVersion).toBe(0);
  });
});

describe('the practice model with every strategy', () => {
  const forms = (['full_rewrite', 'targeted_edit', 'incremental', 'hybrid'] as const).flatMap((strategy) =>
    [true, false].map((structuredReflection) => ({ strategy, structuredReflection })),
  );

  test.each(forms)('$strategy, structured: $structuredReflection: reaches the pass threshold', async (form) => {
    const { structuredReflection, strategy } = form;
    const record = await performed({ ...PRACTICE_WRITING, structuredReflection, revision: { strategy } });
    expect(record).toMatchObject({ convergenceReason: 'quality_met', success: true });
    const used = record.versions.slice(1).map((version) => version.strategy);
    if (strategy === 'hybrid') expect(used).not.toContain('hybrid');
    else expect(new Set(used)).toEqual(new Set([strategy]));
    expect(record.versions.map(({ strategyNote }) => strategyNote)).toEqual(record.versions.map(() => null));
  });

  test.each(forms)('$strategy, structured: $structuredReflection: does not improve without feedback', async (form) => {
    const { structuredReflection, strategy } = form;
    const context = testContext(db.database());
    const settings = { ...PRACTICE_WRITING, maxIterations: 2, structuredReflection, revision: { strategy } };
    const runId = await queuedRun(context, settings, TASK);
    const real = testWorkerContext(context);
    const withoutFeedback = (prompt: string) =>
      prompt.replace(/<(issues|suggestions|critique|earlier_critiques|went_wrong)>[\s\S]*?<\/\1>/g, '');
    const call: ModelCaller = (request, options) =>
      real.call(request.role === 'revise' ? { ...request, prompt: withoutFeedback(request.prompt) } : request, options);
    await performRun({ ...real, call }, runId);
    const found = await findRun(db.database(), runId);
    const outputs = found?.record.versions.map(({ output }) => output) ?? [];
    expect(outputs.length).toBeGreaterThan(1);
    expect(new Set(outputs).size).toBe(1);
  });
});
