import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Case } from '#lib/core/case.ts';
import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import {
  CALL_SPEND,
  resumed,
  type ScriptedLoop,
  type ScriptedModel,
  scriptedLoop,
  verdict,
} from '#lib/testing/scripted-loop.test-support.ts';

const TASK: Case = { input: 'What is 2 + 3 × 4?', reference: '14', tags: [], metadata: {} };

function settingsWith(changes: Partial<ExperimentSettingsInput>): ExperimentSettings {
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'p', model: 'writer' },
    evaluatorModel: { provider: 'p', model: 'judge' },
    criteria: [{ name: 'quality', threshold: 0, evaluator: 'llm' }],
    ...changes,
  });
}

const RETRY = settingsWith({
  mode: 'retry',
  maxAttempts: 4,
  qualityThreshold: 1,
  criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } }],
});

/** Responses by role, each list in order; the last response repeats. */
function byRole(answers: Partial<Record<ModelRequest['role'], (string | object)[]>>): ScriptedModel {
  return ({ role }, asked) => {
    const list = answers[role] ?? [];
    const reply = list[Math.min(asked.filter((request) => request.role === role).length, list.length - 1)];
    if (reply === undefined) throw new Error(`${role} was not expected to be asked`);
    return reply;
  };
}

function prompts(loop: ScriptedLoop, role: ModelRequest['role']): string[] {
  return loop.asked.filter((request) => request.role === role).map(({ prompt }) => prompt);
}

function roles(loop: ScriptedLoop): string[] {
  return loop.asked.map(({ role }) => role);
}

describe('a retry loop', () => {
  const lessons = ['Multiply first.', 'Then add 2,\nand check: "12 + 2".'];
  const model = byRole({ generate: ['Finish[20]', 'Finish[12]', 'So it is Finish[14]'], lesson: lessons });

  test('gives each later attempt the exact lessons of all failed ones', async () => {
    const loop = await scriptedLoop(RETRY, TASK, model);
    expect(loop.ending).toMatchObject({
      reason: 'quality_met',
      success: true,
      bestVersion: 2,
      finalVersion: 2,
      iterationsUsed: 3,
    });
    expect(roles(loop)).toEqual(['generate', 'lesson', 'generate', 'lesson', 'generate']);
    const [first = '', second = '', third = ''] = prompts(loop, 'generate');
    expect(first).not.toContain('<lessons>');
    expect(second).toContain('<lessons>\n- Multiply first.\n</lessons>');
    expect(third).toContain('<lessons>\n- Multiply first.\n- Then add 2,\nand check: "12 + 2".\n</lessons>');
    expect(loop.history.lessons.map(({ version, text }) => ({ version, text }))).toEqual(
      lessons.map((text, version) => ({ version, text })),
    );
  });

  test('records the recalled lessons of each attempt', async () => {
    const { history } = await scriptedLoop(RETRY, TASK, model);
    const ids = history.lessons.map(({ id }) => id);
    expect(history.versions.map(({ recalledLessons }) => recalledLessons.map(({ lessonId }) => lessonId))).toEqual([
      [],
      ids.slice(0, 1),
      ids,
    ]);
    expect(history.versions.map(({ origin, iteration, parents }) => ({ origin, iteration, parents }))).toEqual(
      [0, 1, 2].map((iteration) => ({ origin: 'retried', iteration, parents: [] })),
    );
  });

  test('requests a lesson with the attempt and its evaluation, but never with the reference', async () => {
    const loop = await scriptedLoop(RETRY, TASK, model);
    const [first = '', second = ''] = prompts(loop, 'lesson');
    expect(first).toContain('<attempt>\nFinish[20]\n</attempt>');
    expect(first).toContain('score 0.00\nincorrect');
    expect(second).toContain('<lessons>\n- Multiply first.\n</lessons>');
    for (const prompt of [...prompts(loop, 'lesson'), ...prompts(loop, 'generate')])
      expect(prompt).not.toMatch(/\b14\b/);
  });

  test('writes no lesson after the last attempt', async () => {
    const loop = await scriptedLoop(
      { ...RETRY, maxAttempts: 2 },
      TASK,
      byRole({ generate: ['Finish[1]', 'Finish[2]'], lesson: ['Try again.'] }),
    );
    expect(loop.ending).toMatchObject({ reason: 'max_iterations', alsoHeld: [], success: false });
    expect(roles(loop)).toEqual(['generate', 'lesson', 'generate']);
  });

  test('without lessons, sends the same prompt for every attempt', async () => {
    const loop = await scriptedLoop(
      { ...RETRY, maxAttempts: 3, lessons: { ...RETRY.lessons, write: 'off' } },
      TASK,
      byRole({ generate: ['Finish[1]', 'Finish[2]', 'Finish[3]'] }),
    );
    expect(new Set(prompts(loop, 'generate')).size).toBe(1);
    expect(loop.history.versions.map(({ output }) => output)).toEqual(['Finish[1]', 'Finish[2]', 'Finish[3]']);
  });

  test('stops after three equal answers, ignoring the surrounding text', async () => {
    const loop = await scriptedLoop(
      RETRY,
      TASK,
      byRole({ generate: ['I say Finish[The 20]', 'Finish[20.]', 'Once more: Finish[20]'], lesson: ['Try again.'] }),
    );
    expect(loop.ending).toMatchObject({ reason: 'semantic_stability', bestVersion: 2 });
  });

  test('keeps a lesson of 2,000 characters and truncates a longer one without splitting a character', async () => {
    const loop = await scriptedLoop(
      RETRY,
      TASK,
      byRole({
        generate: ['Finish[1]', 'Finish[2]', 'Finish[14]'],
        lesson: ['x'.repeat(2_000), `${'x'.repeat(1_999)}😀`],
      }),
    );
    expect(loop.history.lessons.map(({ text }) => [text.length, text.isWellFormed()])).toEqual([
      [2_000, true],
      [2_000, true],
    ]);
  });
});

describe('a revise loop', () => {
  const critique = {
    summary: 'It rambles.',
    issues: [{ text: 'No example', criterion: 'quality' }],
    suggestions: ['Add an example'],
  };
  const model = byRole({
    generate: ['First draft.'],
    revise: ['Second draft.', 'Third draft.'],
    evaluate: [verdict({ quality: 0.5 }, ['Vague']), verdict({ quality: 0.6 }), verdict({ quality: 0.9 })],
    reflect: [critique, { ...critique, summary: 'Better.', issues: [{ text: 'Too long', criterion: null }] }],
  });

  test('sends the feedback of judge and critic to the revision', async () => {
    const loop = await scriptedLoop(settingsWith({}), TASK, model);
    expect(loop.ending).toMatchObject({ reason: 'quality_met', bestVersion: 2, iterationsUsed: 2 });
    expect(roles(loop)).toEqual([
      'generate',
      'evaluate',
      'reflect',
      'revise',
      'evaluate',
      'reflect',
      'revise',
      'evaluate',
    ]);
    const [review = ''] = prompts(loop, 'reflect');
    expect(review).toContain('- quality: 0.50 (needs 0.00): quality is 0.5');
    expect(review).toContain('<open_issues>\n- i1 (quality): Vague\n</open_issues>');
    const [first = '', second = ''] = prompts(loop, 'revise');
    expect(first).toContain('<draft>\nFirst draft.\n</draft>');
    expect(first).toContain('<issues>\n- No example\n</issues>');
    expect(first).toContain('<suggestions>\n- Add an example\n</suggestions>');
    expect(second).toContain('<draft>\nSecond draft.\n</draft>');
    expect(second).toContain('<issues>\n- Too long\n</issues>');
    expect(second).toContain('  - Critique: It rambles.\n  - Issue: No example\n');
    expect(loop.history.versions.map(({ parents, improvementsApplied }) => ({ parents, improvementsApplied }))).toEqual(
      [
        { parents: [], improvementsApplied: [] },
        { parents: [0], improvementsApplied: ['No example'] },
        { parents: [1], improvementsApplied: ['Too long'] },
      ],
    );
  });

  test('after a regression, revises the best version without a second critique', async () => {
    const loop = await scriptedLoop(
      settingsWith({}),
      TASK,
      byRole({
        generate: ['First draft.'],
        revise: ['Spoilt draft.', { edits: [{ find: 'First', replace: 'Good', occurrence: null }] }],
        evaluate: [verdict({ quality: 0.7 }), verdict({ quality: 0.4 }, ['Lost the point']), verdict({ quality: 0.9 })],
        reflect: [critique],
      }),
    );
    expect(roles(loop)).toEqual(['generate', 'evaluate', 'reflect', 'revise', 'evaluate', 'revise', 'evaluate']);
    const [, again = ''] = prompts(loop, 'revise');
    expect(again).toContain('<draft>\nFirst draft.\n</draft>');
    expect(again).toMatch(/<went_wrong>\n.*scored 0\.30 lower.*\n- Lost the point\n<\/went_wrong>/);
    expect(loop.history.versions[2]).toMatchObject({
      parents: [0],
      iteration: 2,
      output: 'Good draft.',
      strategy: 'targeted_edit',
      strategyNote: 'targeted edit instead of full rewrite: version 1, made by full rewrite, fell.',
    });
  });

  test('uses a critique in prose if structured output is off or missing', async () => {
    const plain = await scriptedLoop(
      settingsWith({ structuredReflection: false, maxIterations: 1 }),
      TASK,
      byRole({
        generate: ['A'],
        revise: ['B'],
        evaluate: ['quality: 0.5 - vague', 'quality: 0.6 - better'],
        reflect: ['It needs an example.'],
      }),
    );
    expect(plain.history.critiques).toMatchObject([{ text: 'It needs an example.', issues: [] }]);
    expect(prompts(plain, 'revise')[0]).toContain('It needs an example.');
    const broken = await scriptedLoop(
      settingsWith({ maxIterations: 1 }),
      TASK,
      byRole({
        generate: ['A'],
        revise: ['B'],
        evaluate: [verdict({ quality: 0.5 })],
        reflect: ['It needs an example.'],
      }),
    );
    expect(prompts(broken, 'revise')[0]).toContain('It needs an example.');
  });

  test('calls each role with its own model and limits', async () => {
    const own = settingsWith({
      reflectionModel: { provider: 'q', model: 'critic' },
      revision: { maxTokens: 77 },
      generator: { provider: 'p', model: 'writer', temperature: 0.7 },
    });
    const { asked, history } = await scriptedLoop(own, TASK, model);
    const byRole = new Map(
      asked.map(({ role, model: { model: name }, temperature, maxOutputTokens }) => [
        role,
        [name, temperature, maxOutputTokens],
      ]),
    );
    expect(Object.fromEntries(byRole)).toEqual({
      generate: ['writer', 0.7, null],
      evaluate: ['judge', 0, null],
      reflect: ['critic', null, null],
      revise: ['writer', 0.7, 77],
    });
    expect(history.evaluations.every(({ sameModelJudge }) => !sameModelJudge)).toBe(true);
    const same = await scriptedLoop(settingsWith({ evaluatorModel: null, maxIterations: 0 }), TASK, model);
    expect(same.history.evaluations[0]?.sameModelJudge).toBe(true);
  });

  test('stops before a call that would exceed its budget', async () => {
    // Draft, judge and critic use 45 tokens; a revision and its evaluation would use 30 more.
    const loop = await scriptedLoop(
      settingsWith({ budget: { maxTokens: 74 }, generator: { provider: 'p', model: 'writer' } }),
      { ...TASK, input: 'x' },
      model,
      shortEstimate(),
    );
    expect(roles(loop)).toEqual(['evaluate', 'reflect']);
    expect(loop.ending).toMatchObject({ reason: 'token_budget', bestVersion: 0 });
    expect(spendOfRun(loop.history).tokenUsage.total).toBe(45);
  });

  /** A loop that starts after its first draft, because the estimate before a draft is far above the cost of the scripted calls. */
  function shortEstimate(): ScriptedLoop {
    const draft = {
      number: 0,
      iteration: 0,
      origin: 'generated' as const,
      parents: [],
      output: 'First draft.',
      strategy: null,
      strategyNote: null,
      outputDropped: false,
      improvementsApplied: [],
      finishReason: 'stop',
      interrupted: false,
      recalledLessons: [],
      proposal: null,
      createdAt: '',
      step: 0,
      tokenUsage: CALL_SPEND.tokenUsage,
      costUsd: 0.01,
      durationMs: 100,
    };
    const none = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, durationMs: 0 };
    return {
      history: {
        inputLength: 1,
        versions: [draft],
        evaluations: [],
        critiques: [],
        lessons: [],
        turns: [],
        observations: [],
        decisions: [],
        cases: [],
        tries: [],
        redraw: null,
        pause: null,
        failure: null,
        lostSpend: none,
        calls: 0,
        step: 1,
        activeMs: 100,
      },
      ending: null,
      asked: [],
      journal: [],
    };
  }
});

describe('a paused loop', () => {
  test('pauses before its end, stores the stop reason and makes no further calls', async () => {
    const loop = await scriptedLoop(
      settingsWith({ maxIterations: 0, callbacks: { pause: 'before_finish' } }),
      TASK,
      byRole({ generate: ['A'], evaluate: [verdict({ quality: 0.5 })] }),
    );
    expect(loop.ending).toBeNull();
    expect(loop.history.pause).toMatchObject({ version: 0, wouldStopAs: 'max_iterations', hook: 'onReflection' });
  });
});

describe('failures', () => {
  test('retries an unparsable judge response, repeats the evaluation once, and then ends the run', async () => {
    const loop = await scriptedLoop(settingsWith({}), TASK, byRole({ generate: ['A'], evaluate: ['no idea'] }));
    expect(loop.ending).toMatchObject({ reason: 'evaluation_failed', bestVersion: null, finalVersion: 0 });
    expect(roles(loop)).toEqual(['generate', 'evaluate', 'evaluate', 'evaluate', 'evaluate']);
    expect(loop.history.evaluations.map(({ status, overallScore }) => [status, overallScore])).toEqual([
      ['partial', null],
      ['partial', null],
    ]);
    expect(loop.history.lessons).toEqual([]);
  });

  test('a second evaluation may succeed', async () => {
    const loop = await scriptedLoop(
      settingsWith({ maxIterations: 0 }),
      TASK,
      byRole({ generate: ['A'], evaluate: ['no idea', 'none', verdict({ quality: 0.9 })] }),
    );
    expect(loop.ending).toMatchObject({ reason: 'quality_met', bestVersion: 0 });
  });

  test('an unavailable model ends the run; stored results are kept and their cost counted', async () => {
    const loop = await scriptedLoop(settingsWith({}), TASK, ({ role }) => (role === 'generate' ? 'A' : 'DOWN'));
    expect(loop.ending).toMatchObject({ reason: 'model_failed', bestVersion: null, finalVersion: 0, success: false });
    expect(loop.history.failure).toMatchObject({
      role: 'evaluate',
      message: 'The model is down.',
      remedy: 'Try later.',
    });
    expect(spendOfRun(loop.history).tokenUsage.total).toBe(30);
  });

  test('an aborted call stores nothing', async () => {
    const loop = await scriptedLoop(settingsWith({}), TASK, ({ role }) => (role === 'generate' ? 'A' : 'ABORTED'));
    expect(loop.ending).toBeNull();
    expect(loop.history).toMatchObject({ failure: null, evaluations: [], step: 1 });
  });

  test('a resumed loop repeats the failed step and ends like one that never failed', async () => {
    const smooth = byRole({ generate: ['Finish[20]', 'Finish[14]'], lesson: ['Multiply first.'] });
    const whole = await scriptedLoop(RETRY, TASK, smooth);
    const failed = await scriptedLoop(RETRY, TASK, (request, asked) =>
      request.role === 'lesson' ? 'DOWN' : smooth(request, asked),
    );
    expect(failed.ending).toMatchObject({ reason: 'model_failed' });
    const rest = await scriptedLoop(
      RETRY,
      TASK,
      byRole({ generate: ['Finish[14]'], lesson: ['Multiply first.'] }),
      resumed(failed),
    );
    expect(roles(rest)).toEqual(['lesson', 'generate']);
    expect(rest.ending).toEqual(whole.ending);
    expect(rest.history.versions.map(({ output }) => output)).toEqual(
      whole.history.versions.map(({ output }) => output),
    );
    expect(rest.history.lessons.map(({ text }) => text)).toEqual(['Multiply first.']);
  });

  test('a resumed step repeats only the failed call and reuses its saved response', async () => {
    const failed = await scriptedLoop(settingsWith({ maxIterations: 0 }), TASK, ({ role }, asked) =>
      role === 'generate' ? 'A' : asked.length === 1 ? 'no idea' : 'DOWN',
    );
    expect(roles(failed)).toEqual(['generate', 'evaluate', 'evaluate']);
    const rest = await scriptedLoop(
      settingsWith({ maxIterations: 0 }),
      TASK,
      () => verdict({ quality: 0.9 }),
      resumed(failed),
    );
    expect(rest.asked).toEqual([failed.asked[2]]);
    expect(rest.ending).toMatchObject({ reason: 'quality_met' });
    // The cost of the evaluation covers both judge calls, including the saved one.
    expect(rest.history.evaluations[0]?.tokenUsage.total).toBe(30);
  });
});

describe('reference leaks', () => {
  test.each([
    { name: 'to no model', evaluate: null, toldTo: [] },
    {
      name: 'only to a judge whose prompt contains it, even if the judge quotes it',
      evaluate: '{{reference}}',
      toldTo: ['evaluate'],
    },
  ])('for any responses, the reference is sent $name', async ({ evaluate, toldTo }) => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '[', ']', 'Finish[', '{', '"', '</task>', '7'),
      maxLength: 20,
    });
    const both = (mode: 'revise' | 'retry') =>
      settingsWith({
        mode,
        maxIterations: 3,
        maxAttempts: 3,
        convergence: null,
        revision: { includePriorVersions: true },
        prompts: { generate: '{{input}} {{reference}}', evaluate },
        criteria: [
          {
            name: 'exact',
            threshold: 0,
            evaluator: 'reference',
            config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' },
          },
          { name: 'near', threshold: 0, evaluator: 'reference', config: { match: 'contains' } },
          { name: 'number', threshold: 0, evaluator: 'reference', config: { match: 'numeric' } },
          { name: 'quality', threshold: 0, evaluator: 'llm' },
        ],
      });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('revise' as const, 'retry' as const),
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 1e6 }),
        async (mode, texts, secret) => {
          const reference = `5${secret}424242`;
          const model: ScriptedModel = ({ role }, asked) =>
            role === 'evaluate'
              ? verdict({ quality: 0.4 }, toldTo.length === 0 ? texts : [...texts, `It should be ${reference}.`])
              : (texts[asked.length % texts.length] ?? '');
          const loop = await scriptedLoop(both(mode), { ...TASK, reference }, model);
          expect(loop.asked.length).toBeGreaterThan(3);
          const withReference = loop.asked.filter((asked) =>
            `${asked.instructions}\n${asked.prompt}`.includes(reference),
          );
          expect([...new Set(withReference.map(({ role }) => role))]).toEqual(toldTo);
          // The detail is shown only to people.
          expect(loop.history.evaluations[0]?.detail).toContain(reference);
        },
      ),
      { numRuns: 40 },
    );
  });
});
