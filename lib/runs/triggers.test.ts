import { describe, expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import type { Case } from '#lib/core/case.ts';
import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import {
  resumed,
  type ScriptedLoop,
  type ScriptedModel,
  type ScriptedResponse,
  scriptedLoop,
  verdict,
} from '#lib/testing/scripted-loop.test-support.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  storedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { listModelCalls } from './list-model-calls.test-support.ts';
import { loadRun } from './load-run.ts';

const db = useTestDatabase();
const TASK: Case = { input: 'Say where we are.', reference: 'SECRET-42', tags: [], metadata: {} };

function settingsWith(changes: Partial<ExperimentSettingsInput>): ExperimentSettings {
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'p', model: 'writer' },
    criteria: [{ name: 'quality', threshold: 0, evaluator: 'llm' }],
    revision: { strategy: 'full_rewrite' },
    ...changes,
  });
}

/** Returns a fake model with a list of responses per role, used in order; the last one repeats. */
function byRole(answers: Partial<Record<ModelRequest['role'], ScriptedResponse[]>>): ScriptedModel {
  return ({ role }, asked) => {
    const list = answers[role] ?? [];
    const response = list[Math.min(asked.filter((request) => request.role === role).length, list.length - 1)];
    if (response === undefined) throw new Error(`${role} was not expected to be asked`);
    return response;
  };
}

const roles = ({ asked }: ScriptedLoop) => asked.map(({ role }) => role);
const prompts = ({ asked }: ScriptedLoop, wanted: ModelRequest['role']) =>
  asked.filter(({ role }) => role === wanted).map(({ prompt }) => prompt);
const critique = (summary: string) => ({
  summary,
  issues: [{ text: `${summary} first`, criterion: null }],
  suggestions: [],
});

describe('onQualityDrop', () => {
  const DROP = { triggers: { onQualityDrop: true } };

  test('reflects on the drop with both texts and scores, and passes the result to the next revision', async () => {
    const loop = await scriptedLoop(
      settingsWith(DROP),
      TASK,
      byRole({
        generate: ['Rome.'],
        evaluate: [verdict({ quality: 0.6 }), verdict({ quality: 0.3 }, ['No place']), verdict({ quality: 0.9 })],
        reflect: [critique('Too short'), critique('The place was lost')],
        // After a drop the next revision uses another strategy.
        revise: ['Here.', { edits: [{ find: 'Rome.', replace: 'In Rome, near the river.', occurrence: null }] }],
      }),
    );
    expect(roles(loop).slice(5)).toEqual(['reflect', 'revise', 'evaluate']);
    const [, why = ''] = prompts(loop, 'reflect');
    expect(why).toContain('<prior_version>\nRome.\n</prior_version>');
    expect(why).toContain('<prior_scores>\n- quality: 0.60');
    expect(why).toContain('<candidate>\nHere.\n</candidate>');
    expect(why).toContain('<scores>\n- quality: 0.30');
    expect(why).toContain('- No place');
    const [, again = ''] = prompts(loop, 'revise');
    expect(again).toContain('<draft>\nRome.\n</draft>');
    expect(again).toMatch(/<went_wrong>\n[\s\S]*The place was lost\n- The place was lost first\n<\/went_wrong>/);
    expect(again).toContain('- Too short first');
    expect(loop.history.critiques.map(({ trigger, version }) => [trigger, version])).toEqual([
      ['completion', 0],
      ['quality_drop', 1],
    ]);
    expect(loop.ending).toMatchObject({ reason: 'quality_met', bestVersion: 2 });
    expect(JSON.stringify(loop.asked)).not.toContain('SECRET');
  });

  test('in retry mode, passes the result to the next attempt only, next to the lessons', async () => {
    const loop = await scriptedLoop(
      settingsWith({ ...DROP, mode: 'retry', maxAttempts: 4, convergence: null }),
      TASK,
      byRole({
        generate: ['A', 'B', 'C', 'D'],
        evaluate: [verdict({ quality: 0.6 }), verdict({ quality: 0.3 }), verdict({ quality: 0.5 })],
        lesson: ['Be exact.'],
        reflect: [critique('It guessed')],
      }),
    );
    const [, , third = '', fourth = ''] = prompts(loop, 'generate');
    expect(third).toContain('<went_wrong>\n- It guessed\n- It guessed first\n</went_wrong>');
    expect(third).toContain('<lessons>\n- Be exact.\n</lessons>');
    expect(fourth).not.toContain('It guessed');
  });

  test('stores the trigger of each critique in the database', async () => {
    const context = testContext(db.database());
    const real = testWorkerContext(context);
    const runId = await queuedRun(context, { ...PRACTICE_WRITING, ...DROP }, { input: 'Explain our rate limits' });
    let revisions = 0;
    const call: ModelCaller = async (request, options) => {
      const outcome = await real.call(request, options);
      if (request.role !== 'revise' || ++revisions !== 1 || !outcome.ok) return outcome;
      return { ok: true, reply: { ...outcome.reply, text: 'Nothing.' } };
    };
    await performRun({ ...real, call }, runId);
    const stored = await loadRun(db.database(), runId);
    const fallen = stored?.history.critiques.filter(({ trigger }) => trigger === 'quality_drop') ?? [];
    expect(fallen.map(({ version }) => version)).toEqual([1]);
    expect(stored?.history.versions[2]?.parents).toEqual([0]);
    expect(stored?.run.status).toBe('finished');
  });
});

describe('onError', () => {
  const ERROR = { triggers: { onError: true }, maxIterations: 1 };

  test('reflects on the error and repeats the draft with the result', async () => {
    const loop = await scriptedLoop(
      settingsWith(ERROR),
      TASK,
      byRole({
        generate: ['REFUSED', 'Rome.'],
        evaluate: [verdict({ quality: 0.9 })],
        reflect: [critique('It took the task for an attack')],
      }),
    );
    expect(roles(loop)).toEqual(['generate', 'reflect', 'generate', 'evaluate']);
    expect(prompts(loop, 'reflect')[0]).toContain('<error>\nThe model refused to answer.\n</error>');
    expect(prompts(loop, 'generate')[1]).toContain('- It took the task for an attack');
    expect(loop.ending).toMatchObject({ reason: 'quality_met', finalVersion: 0 });
    expect(loop.history).toMatchObject({ failure: null, critiques: [{ trigger: 'error', version: 0 }] });
    expect(spendOfRun(loop.history).tokenUsage.total).toBe(60);
    expect(JSON.stringify(loop.asked)).not.toContain('SECRET');
  });

  test('reflects on a failed revision with its draft, in addition to the critique', async () => {
    const loop = await scriptedLoop(
      settingsWith({ ...ERROR, maxIterations: 2 }),
      TASK,
      byRole({
        generate: ['Rome.'],
        evaluate: [verdict({ quality: 0.4 }), verdict({ quality: 0.5 }), verdict({ quality: 0.9 })],
        reflect: [critique('Too short'), critique('It stopped at once'), critique('Still too short')],
        revise: ['REFUSED', 'In Rome.', 'In Rome, near the river.'],
      }),
    );
    expect(prompts(loop, 'reflect')[1]).toContain('<draft>\nRome.\n</draft>');
    const revisions = prompts(loop, 'revise');
    expect(revisions.map((prompt) => prompt.includes('It stopped at once'))).toEqual([false, true, false]);
    expect(loop.history.critiques.map(({ trigger, version }) => [trigger, version])).toEqual([
      ['completion', 0],
      ['error', 1],
      ['completion', 1],
    ]);
  });

  test('ends the run after a second failure; a resumed run may reflect once more', async () => {
    const refusing = byRole({ generate: ['REFUSED'], reflect: [critique('x')] });
    const loop = await scriptedLoop(settingsWith(ERROR), TASK, refusing);
    expect(roles(loop)).toEqual(['generate', 'reflect', 'generate']);
    expect(loop.ending).toMatchObject({ reason: 'model_failed', finalVersion: null });
    const again = await scriptedLoop(settingsWith(ERROR), TASK, refusing, resumed(loop));
    expect(roles(again)).toEqual(['generate', 'reflect', 'generate']);
  });

  test.each<[string, ExperimentSettingsInput['triggers'], ScriptedResponse]>([
    ['turned off', { onError: false }, 'REFUSED'],
    ['an unavailable provider', { onError: true }, 'DOWN'],
  ])('%s: the run ends at once', async (_name, triggers, response) => {
    const loop = await scriptedLoop(settingsWith({ triggers }), TASK, byRole({ generate: [response] }));
    expect(roles(loop)).toEqual(['generate']);
    expect(loop.ending).toMatchObject({ reason: 'model_failed' });
  });

  test('reflects once after a worker dies between the failure and the reflection', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, { ...PRACTICE_WRITING, ...ERROR }, { input: 'Explain our rate limits' });
    const real = testWorkerContext(context);
    let drafts = 0;
    let lives = 0;
    const call: ModelCaller = async (request, options) => {
      if (request.role === 'reflect' && lives === 1) throw new Error('the process died');
      if (request.role !== 'generate' || ++drafts > 1) return real.call(request, options);
      const spend = { tokenUsage: { input: 7, output: 0, total: 7 }, costUsd: 0, latencyMs: 1 };
      const failure = { message: 'The model refused.', remedy: 'Ask otherwise.', status: 200, attempts: 1 };
      return { ok: false, failure: { kind: 'refused', ...failure, ...spend } };
    };
    lives = 1;
    await expect(performRun({ ...real, call }, runId)).rejects.toThrow('the process died');
    lives = 2;
    await performRun({ ...real, call }, runId);
    const stored = await storedRun(db.database(), runId);
    const { run, history } = stored;
    expect(run).toMatchObject({ status: 'finished', failure: null });
    expect(history.critiques.filter(({ trigger }) => trigger === 'error')).toMatchObject([{ version: 0 }]);
    const calls = await listModelCalls(db.database(), runId);
    expect(calls.slice(0, 3).map(({ role }) => role)).toEqual(['generate', 'reflect', 'generate']);
    expect(spendOfRun(history).tokenUsage.total).toBe(calls.reduce((sum, one) => sum + one.tokenUsage.total, 0));
  });

  test('resumes a run whose failure was stored without a cause', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, { ...PRACTICE_WRITING, ...ERROR }, { input: 'Explain our rate limits' });
    const real = testWorkerContext(context);
    const spend = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, latencyMs: 1 };
    const failure = { message: 'Down.', remedy: '', status: 503, attempts: 3 };
    const down: ModelCaller = async () => ({ ok: false, failure: { kind: 'unavailable', ...failure, ...spend } });
    await performRun({ ...real, call: down }, runId);
    await db.database().pool.query(`UPDATE runs SET failure = (failure::jsonb - 'cause') WHERE id = $1`, [runId]);
    expect((await loadRun(db.database(), runId))?.history.failure).toMatchObject({ cause: null });
    unwrap(await resumeRun(context, TESTER, runId));
    await performRun(real, runId);
    expect((await loadRun(db.database(), runId))?.run.status).toBe('finished');
  });
});
