import { describe, expect, test } from 'vitest';
import type { ReflectionDecision } from './code-decision.ts';
import { createEngine, type EngineOptions } from './engine.ts';
import type { Verdict } from './engine-services.ts';
import type { ModelRequest } from './model-request.ts';

const TASK = 'Write a greeting.';
const NOW = new Date('2026-01-05T10:00:00.000Z');

/** A model that numbers its drafts, and a criterion that returns the scores in order and repeats the last one. */
function options(scores: Verdict[], given: Partial<EngineOptions> & { asked?: ModelRequest[] } = {}): EngineOptions {
  const { asked = [], ...changes } = given;
  let drafts = 0;
  let judged = 0;
  return {
    settings: {
      generator: { provider: 'own', model: 'm' },
      maxIterations: 3,
      convergence: null,
      revision: { strategy: 'full_rewrite' },
      criteria: [{ name: 'quality', validate: () => scores[Math.min(judged++, scores.length - 1)] ?? 0 }],
    },
    ask: async (request) => {
      asked.push(request);
      if (request.role === 'generate' || request.role === 'revise') return `draft ${drafts++}`;
      return request.role === 'lesson'
        ? 'Be kinder.'
        : JSON.stringify({ summary: 'Dull.', issues: [], suggestions: [] });
    },
    now: () => NOW,
    ...changes,
  };
}

describe('execute', () => {
  test('loops until the quality is met and returns the outcome in the API format', async () => {
    const engine = createEngine(options([0.4, 0.6, 0.9]));
    const result = await engine.execute(TASK);
    expect(result).toMatchObject({
      success: true,
      convergenceReason: 'quality_met',
      iterationsUsed: 2,
      bestVersion: 2,
      finalVersion: 2,
      bestOutput: 'draft 2',
      finalOutput: 'draft 2',
      finalEvaluation: { overallScore: 0.9 },
      failure: null,
    });
    expect(result.history).toEqual(engine.getHistory());
    expect(result.history.versions.map(({ evaluation }) => evaluation?.overallScore)).toEqual([0.4, 0.6, 0.9]);
    expect(engine.getBestVersion()).toMatchObject({ number: 2, output: 'draft 2' });
  });

  test('rejects a task without a required reference before any model call', async () => {
    const asked: ModelRequest[] = [];
    const base = options([0.4], { asked, evaluate: () => Promise.reject(new Error('never asked')) });
    const criteria = [{ name: 'exact', evaluator: 'reference' as const, config: { match: 'exact' as const } }];
    const engine = createEngine({ ...base, settings: { ...base.settings, criteria } });
    await expect(engine.execute(TASK)).rejects.toThrow('has no reference, and "exact"');
    expect(asked).toEqual([]);
  });

  test('the best output may differ from the final one', async () => {
    const result = await createEngine(options([0.7, 0.5, 0.6, 0.6])).execute(TASK);
    expect(result).toMatchObject({
      success: false,
      convergenceReason: 'max_iterations',
      bestVersion: 0,
      bestOutput: 'draft 0',
      finalVersion: 3,
    });
  });

  test('retry mode: makes attempts with lessons', async () => {
    const base = options([0.4, 0.9]);
    const result = await createEngine({ ...base, settings: { ...base.settings, mode: 'retry' } }).execute(TASK);
    expect(result.history.versions.map(({ origin }) => origin)).toEqual(['retried', 'retried']);
    expect(result.history.lessons).toMatchObject([{ version: 0, text: 'Be kinder.' }]);
  });

  test('starts fresh when called again', async () => {
    const engine = createEngine(options([0.9]));
    await engine.execute(TASK);
    expect((await engine.execute(TASK)).history.versions).toMatchObject([{ number: 0, output: 'draft 1' }]);
  });

  test('rejects a concurrent call', async () => {
    const engine = createEngine(options([0.9]));
    const first = engine.execute(TASK);
    await expect(engine.execute(TASK)).rejects.toThrow('this engine is already running');
    expect((await first).success).toBe(true);
  });
});

describe('function as a criterion', () => {
  test.each<[string, Verdict, object]>([
    ['returns a score', 0.25, { overallScore: 0.25, status: 'scored', issues: [] }],
    ['returns true', [true, 'It parses'], { overallScore: 1, reasons: { quality: 'It parses' }, issues: [] }],
    [
      'returns false',
      [false, 'It does not parse'],
      { overallScore: 0, issues: [{ text: 'It does not parse', criterion: 'quality' }] },
    ],
    [
      'returns a score with feedback',
      { score: 0.5, reason: 'Half', issues: ['No name'], suggestions: ['Add one'] },
      { overallScore: 0.5, reasons: { quality: 'Half' }, issues: [{ text: 'No name' }], suggestions: ['Add one'] },
    ],
    ['returns a score above 1', 1.5, { overallScore: null, status: 'partial', satisfactory: false }],
    ['returns no number', Number.NaN, { overallScore: null, status: 'partial', satisfactory: false }],
  ])('%s', async (_name, verdict, expected) => {
    const base = options([verdict]);
    const result = await createEngine({ ...base, settings: { ...base.settings, maxIterations: 0 } }).execute(TASK);
    expect(result.finalEvaluation).toMatchObject(expected);
  });

  test('ends the loop after throwing twice for a version, which stays unscored', async () => {
    const base = options([]);
    const criteria = [
      {
        name: 'broken',
        validate: () => {
          throw new Error('no such file');
        },
      },
    ];
    const engine = createEngine({ ...base, settings: { ...base.settings, criteria } });
    const result = await engine.execute(TASK);
    expect(result).toMatchObject({ success: false, convergenceReason: 'evaluation_failed', finalOutput: 'draft 0' });
    expect(result).toMatchObject({ bestVersion: null, bestOutput: null, finalVersion: 0 });
    expect(engine.getBestVersion()).toBeNull();
    expect(result.finalEvaluation?.reasons).toEqual({ broken: 'Not scored: its function failed: no such file.' });
  });

  test('passes its feedback to the critic and the reviser', async () => {
    const asked: ModelRequest[] = [];
    await createEngine(options([[false, 'It says goodbye'], 1], { asked })).execute(TASK);
    const promptOf = (role: string) => asked.find((request) => request.role === role)?.prompt ?? '';
    expect(promptOf('reflect')).toContain('quality: It says goodbye');
    expect(promptOf('revise')).toContain('<issues>\n- It says goodbye\n</issues>');
  });
});

describe('callbacks', () => {
  test('receive every draft, evaluation and revision, in order', async () => {
    const events: unknown[] = [];
    await createEngine(
      options([0.4, 0.9], {
        onGeneration: (output, iteration) => void events.push(['generation', output, iteration]),
        onReflection: ({ overallScore }, iteration) => {
          events.push(['reflection', overallScore, iteration]);
          return undefined;
        },
        onRevision: async (old, output, iteration) => void events.push(['revision', old, output, iteration]),
      }),
    ).execute(TASK);
    expect(events).toEqual([
      ['generation', 'draft 0', 0],
      ['reflection', 0.4, 0],
      ['revision', 'draft 0', 'draft 1', 1],
      ['reflection', 0.9, 1],
    ]);
  });

  test.each<[string, Verdict[], ReflectionDecision[], object]>([
    ['auto applies the stop rules', [0.9], ['auto'], { convergenceReason: 'quality_met', finalVersion: 0 }],
    ['accept', [0.4], ['accept'], { convergenceReason: 'user_accepted', success: true, finalVersion: 0 }],
    [
      'accept an earlier version',
      [0.6, 0.4],
      ['auto', { decision: 'accept', version: 0 }],
      { convergenceReason: 'user_accepted', finalOutput: 'draft 0' },
    ],
    ['stop', [0.4], [{ decision: 'stop', reason: 'too dear' }], { convergenceReason: 'user_stopped', success: false }],
    [
      'continue after the quality is met',
      [0.9, 0.95],
      ['continue', 'auto'],
      { convergenceReason: 'quality_met', finalVersion: 1 },
    ],
    [
      'continue at the cap grants one more iteration',
      [0.4, 0.4, 0.4, 0.4, 0.4],
      ['auto', 'auto', 'auto', 'continue', 'auto'],
      { convergenceReason: 'max_iterations', iterationsUsed: 4 },
    ],
    [
      'override the overall score',
      [0.4],
      [{ decision: 'override', score: 0.95 }],
      { convergenceReason: 'quality_met', finalEvaluation: { by: 'person', actor: 'code', overallScore: 0.95 } },
    ],
    [
      'override a criterion',
      [0.9, 0.4],
      [{ decision: 'override', score: 0.1, criterion: 'quality' }, 'stop'],
      { convergenceReason: 'user_stopped', iterationsUsed: 1 },
    ],
    [
      'a manual edit, which is judged next',
      [0.4, 0.9],
      [{ decision: 'edit', output: 'mine' }, 'auto'],
      { convergenceReason: 'quality_met', finalOutput: 'mine', iterationsUsed: 0 },
    ],
    [
      'revert to another version',
      [0.6, 0.5, 0.9],
      ['auto', { decision: 'revert', version: 0 }, 'auto'],
      { convergenceReason: 'quality_met', history: { versions: [{}, {}, { parents: [0] }] } },
    ],
    [
      'guidance, also at the cap',
      [0.4, 0.4, 0.4, 0.4, 0.9],
      ['auto', 'auto', 'auto', { decision: 'revise', guidance: 'Be brief.', version: 1 }, 'auto'],
      {
        convergenceReason: 'quality_met',
        iterationsUsed: 4,
        history: {
          versions: [{}, {}, {}, {}, { parents: [1], improvementsApplied: expect.arrayContaining(['Be brief.']) }],
        },
      },
    ],
  ])('%s', async (_name, scores, answers, expected) => {
    let at = 0;
    const onReflection = () => answers[at++] ?? 'auto';
    const result = await createEngine(options(scores, { onReflection })).execute(TASK);
    expect(result).toMatchObject(expected);
    const byCode = result.history.decisions.filter(({ by }) => by === 'code').map(({ decision }) => decision);
    const decisions = answers.map((answer) => (typeof answer === 'string' ? answer : answer.decision));
    expect(byCode).toEqual(decisions.filter((decision) => decision !== 'auto'));
  });

  test.each<[string, Verdict[], Pick<EngineOptions, 'onGeneration' | 'onRevision'>, object]>([
    [
      'a draft is accepted without a score',
      [0.4],
      { onGeneration: () => 'accept' },
      { convergenceReason: 'user_accepted', finalVersion: 0, finalEvaluation: null, finalOutput: 'draft 0' },
    ],
    [
      'a draft is revised with guidance before it is scored',
      [0.9],
      { onGeneration: () => ({ decision: 'revise', guidance: 'Be brief.' }) },
      {
        convergenceReason: 'quality_met',
        finalVersion: 1,
        history: { versions: [{ evaluations: [], critiques: [] }, { improvementsApplied: ['Be brief.'] }] },
      },
    ],
    [
      'a revision is accepted in part',
      [0.4, 0.9],
      { onRevision: (old, output) => ({ decision: 'merge', output: `${old} and ${output}`, parents: [0, 1] }) },
      {
        finalOutput: 'draft 0 and draft 1',
        history: { versions: [{}, { evaluations: [] }, { origin: 'merged', parents: [0, 1] }] },
      },
    ],
    [
      'a revision is stopped',
      [0.4],
      { onRevision: () => ({ decision: 'stop', reason: 'Worse.' }) },
      { convergenceReason: 'user_stopped', bestVersion: 0, finalVersion: 1 },
    ],
    [
      'continue scores the revision and no more',
      [0.9],
      { onGeneration: () => 'continue' },
      { convergenceReason: 'quality_met', iterationsUsed: 0 },
    ],
  ])('before an evaluation: %s', async (_name, scores, callbacks, expected) => {
    const result = await createEngine(options(scores, callbacks)).execute(TASK);
    expect(result).toMatchObject(expected);
    const [hook] = Object.keys(callbacks);
    expect(result.history.decisions.filter(({ by }) => by === 'code')).toMatchObject([{ hook, pauseId: null }]);
  });

  test.each<[string, Pick<EngineOptions, 'onGeneration' | 'onReflection'>, string]>([
    [
      'a score for an unevaluated version',
      { onGeneration: () => ({ decision: 'override', score: 1 }) },
      'onGeneration answered override, but version 0 was not evaluated yet',
    ],
    [
      'restoring a score that was not overridden',
      { onReflection: () => ({ decision: 'restore' }) },
      'onReflection answered restore, but the score of version 0 is not overridden',
    ],
    [
      'merging unknown changes',
      { onGeneration: () => ({ decision: 'merge', output: 'x', parents: [0, 1] }) },
      'onGeneration answered merge of version 1, but there are versions 0 to 0',
    ],
  ])('an invalid decision at a hook throws: %s', async (_name, callbacks, message) => {
    await expect(createEngine(options([0.4], callbacks)).execute(TASK)).rejects.toThrow(message);
  });

  test.each<[string, ReflectionDecision, string]>([
    [
      'an unknown version',
      { decision: 'accept', version: 4 },
      'answered accept of version 4, but there are versions 0 to 0',
    ],
    ['a score out of range', { decision: 'override', score: 2 }, 'the score 2, not a number from 0 to 1'],
    ['an unknown criterion', { decision: 'override', score: 1, criterion: 'style' }, 'the criterion style'],
  ])('an invalid decision throws: %s', async (_name, answer, message) => {
    const engine = createEngine(options([0.4], { onReflection: () => answer }));
    await expect(engine.execute(TASK)).rejects.toThrow(message);
  });

  test('propagate their errors, and the engine can be used again', async () => {
    let fails = true;
    const engine = createEngine(
      options([0.9], {
        onGeneration: () => {
          if (fails) throw new Error('my log is full');
        },
      }),
    );
    await expect(engine.execute(TASK)).rejects.toThrow('my log is full');
    fails = false;
    expect((await engine.execute(TASK)).success).toBe(true);
  });
});

describe('models', () => {
  test('a throwing model fails the run; the result has the cause and the versions so far', async () => {
    const base = options([0.4]);
    const result = await createEngine({
      ...base,
      ask: (request, options) =>
        request.role === 'reflect' ? Promise.reject(new Error('no route to host')) : base.ask(request, options),
    }).execute(TASK);
    expect(result).toMatchObject({
      success: false,
      convergenceReason: 'model_failed',
      finalOutput: 'draft 0',
      failure: { role: 'reflect', message: 'no route to host' },
    });
  });

  test('counts the usage of detailed responses', async () => {
    const reply = {
      text: 'Hello',
      finishReason: 'stop',
      tokenUsage: { input: 10, output: 5, total: 15 },
      costUsd: 0.25,
      latencyMs: 40,
      attempts: 1,
      warnings: [],
    };
    const result = await createEngine({ ...options([0.9]), ask: async () => ({ ok: true, reply }) }).execute(TASK);
    expect(result).toMatchObject({
      tokenUsage: { total: 15 },
      costUsd: 0.25,
      unpriced: false,
      executionTimeMs: 40,
      finalOutput: 'Hello',
    });
  });
});

describe('reflect and revise outside a loop', () => {
  test('reflect scores and critiques an output, revise fixes it, and neither keeps state', async () => {
    const asked: ModelRequest[] = [];
    const engine = createEngine(options([[false, 'It says goodbye'], 1], { asked }));
    const reflected = await engine.reflect('So long!', TASK);
    if (!reflected.ok) throw new Error(reflected.problem.message);
    expect(reflected.value).toMatchObject({ evaluation: { overallScore: 0 }, critique: { text: 'Dull.' } });
    const revised = await engine.revise('So long!', reflected.value, TASK);
    expect(revised).toEqual({ ok: true, value: 'draft 0' });
    expect(asked.at(-1)?.prompt).toContain('<draft>\nSo long!\n</draft>');
    expect(asked.at(-1)?.prompt).toContain('It says goodbye');
    expect(engine.getHistory()).toMatchObject({ versions: [], convergenceReason: null });
    expect(engine.getBestVersion()).toBeNull();
  });

  test('reflect returns no critique for a satisfactory output and defaults to the last executed task', async () => {
    const asked: ModelRequest[] = [];
    const engine = createEngine(options([1], { asked }));
    await engine.execute('Write a farewell.');
    expect(await engine.reflect('So long!')).toMatchObject({ ok: true, value: { critique: null } });
    const reflection = { evaluation: (await judged(engine)).evaluation, critique: null };
    await engine.revise('So long!', reflection);
    expect(asked.at(-1)?.prompt).toContain('<task>\nWrite a farewell.\n</task>');
  });

  test('a failing model returns a problem, a missing task throws', async () => {
    const engine = createEngine({ ...options([0.2]), ask: () => Promise.reject(new Error('down')) });
    expect(await engine.reflect('Hi', TASK)).toMatchObject({
      ok: false,
      problem: { code: 'unavailable', message: expect.stringContaining('down') },
    });
    await expect(engine.reflect('Hi')).rejects.toThrow('pass the task');
  });

  async function judged(engine: ReturnType<typeof createEngine>) {
    const reflected = await engine.reflect('So long!');
    if (!reflected.ok) throw new Error(reflected.problem.message);
    return reflected.value;
  }
});

describe('settings', () => {
  test.each<[string, Partial<EngineOptions['settings']>, string]>([
    ['out of range', { maxIterations: 51 }, 'maxIterations: must be a whole number from 0 to 50, got 51'],
    ['no criteria', { criteria: [] }, 'criteria: must contain at least one criterion'],
    [
      'omitted criteria of a custom task',
      { criteria: undefined },
      'criteria: must be a list of at least one criterion, or left out',
    ],
    [
      'default criteria without a judge',
      { taskType: 'code', criteria: undefined },
      'correctness (llm) needs "evaluate"',
    ],
    [
      'a function with a weight out of range',
      { criteria: [{ name: 'a', weight: -1, validate: () => 1 }] },
      'criteria.0.weight',
    ],
    [
      'two criteria with the same name',
      {
        criteria: [
          { name: 'a', validate: () => 1 },
          { name: 'a', validate: () => 0 },
        ],
      },
      'must not contain two criteria with the same name',
    ],
    ['a mode that needs a dataset', { mode: 'tune' }, 'mode: an engine loops over one task'],
    ['a pause', { callbacks: { pause: 'always' } }, 'Decide in onReflection'],
    [
      'a pause before revisions are judged',
      { callbacks: { review: { revisions: true } } },
      'callbacks.review.revisions: an engine cannot wait for a person. Decide in onRevision',
    ],
    ['a webhook', { callbacks: { webhook: 'gatekeeper' } }, 'callbacks.webhook: an engine cannot wait'],
    ['a criterion for a person', { criteria: [{ name: 'taste', evaluator: 'human' }] }, 'taste waits for a person'],
    [
      'a criterion that cannot be scored',
      { criteria: [{ name: 'clarity', evaluator: 'llm' }] },
      'clarity (llm) needs "evaluate"',
    ],
  ])('rejected: %s', (_name, changes, message) => {
    const base = options([1]);
    expect(() => createEngine({ ...base, settings: { ...base.settings, ...changes } })).toThrow(message);
  });
});
