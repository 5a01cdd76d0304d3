import { describe, expect, test } from 'vitest';
import type { Case } from '#lib/core/case.ts';
import type { AppliedStrategy } from '#lib/core/revision/strategy.ts';
import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import {
  CALL_SPEND,
  CutOffResponse,
  type ScriptedLoop,
  type ScriptedModel,
  type ScriptedResponse,
  scriptedLoop,
  verdict,
} from '#lib/testing/scripted-loop.test-support.ts';

const TASK: Case = { input: 'Explain tides', reference: null, tags: [], metadata: {} };
const DRAFT = 'Tides come.\n\nThe moon pulls.\n\nThe end.';

function settingsWith(changes: Partial<ExperimentSettingsInput>): ExperimentSettings {
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'p', model: 'writer' },
    criteria: [{ name: 'quality', threshold: 0, evaluator: 'llm' }],
    maxIterations: 1,
    ...changes,
  });
}

type Answers = Partial<Record<ModelRequest['role'], ScriptedResponse[]>>;

/** Responses by role, each list in order; the last response repeats. */
function byRole(answers: Answers): ScriptedModel {
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

function critique(...scopes: string[]): object {
  const issues = scopes.map((scope, at) => ({ text: `Issue ${at}`, criterion: null, scope }));
  return { summary: 'Look here.', issues, suggestions: [] };
}

function edits(...pairs: [string, string][]): object {
  return { edits: pairs.map(([find, replace]) => ({ find, replace, occurrence: null })) };
}

const RISING = [verdict({ quality: 0.5 }), verdict({ quality: 0.7 }), verdict({ quality: 0.75 })];

function revising(changes: Partial<ExperimentSettingsInput>, revise: ScriptedResponse[], answers: Answers = {}) {
  const plain = changes.structuredReflection === false;
  const evaluate = plain ? ['quality: 0.5 - vague', 'quality: 0.7 - better'] : RISING;
  const reflect = plain ? ['It rambles.'] : [critique('whole')];
  return scriptedLoop(
    settingsWith(changes),
    TASK,
    byRole({ generate: [DRAFT], evaluate, reflect, revise, ...answers }),
  );
}

const REWRITTEN = 'All new.';
const EDITED = DRAFT.replace('The moon', 'The Moon');
const ADDED = `${DRAFT}\n\nIn short: tides.`;
const REPLIES: [AppliedStrategy, boolean, ScriptedResponse, string][] = [
  ['full_rewrite', true, REWRITTEN, REWRITTEN],
  ['full_rewrite', false, REWRITTEN, REWRITTEN],
  ['targeted_edit', true, edits(['The moon', 'The Moon']), EDITED],
  ['targeted_edit', false, '<find>\nThe moon\n</find>\n<replace>\nThe Moon\n</replace>', EDITED],
  ['incremental', true, { changes: [{ change: 'add_after', section: 3, text: 'In short: tides.' }] }, ADDED],
  ['incremental', false, '<add after="3">\nIn short: tides.\n</add>', ADDED],
];

describe('every strategy in the loop', () => {
  test.each(REPLIES)('%s, structured: %s', async (strategy, structuredReflection, reply, output) => {
    const loop = await revising({ structuredReflection, revision: { strategy } }, [reply]);
    expect(loop.history.versions[1]).toMatchObject({ output, strategy, strategyNote: null, finishReason: 'stop' });
    expect(prompts(loop, 'revise')).toHaveLength(1);
    expect(loop.ending).toMatchObject({ reason: 'max_iterations', bestVersion: 1 });
    const asked = loop.asked.find(({ role }) => role === 'revise');
    expect(asked?.output === null).toBe(!structuredReflection || strategy === 'full_rewrite');
    expect(prompts(loop, 'revise')[0]?.includes('<answer_form>')).toBe(strategy !== 'full_rewrite');
  });

  test.each<[string, string[], ScriptedResponse, AppliedStrategy, string]>([
    ['local issues', ['local', 'local'], edits(['The moon', 'The Moon']), 'targeted_edit', EDITED],
    [
      'missing parts',
      ['missing'],
      { changes: [{ change: 'add_after', section: 3, text: 'In short: tides.' }] },
      'incremental',
      ADDED,
    ],
    ['global issues', ['local', 'whole'], REWRITTEN, 'full_rewrite', REWRITTEN],
  ])('hybrid, by the critique: %s', async (_name, scopes, reply, strategy, output) => {
    const loop = await revising({}, [reply], { reflect: [critique(...scopes)] });
    expect(loop.history.versions[1]).toMatchObject({ output, strategy, strategyNote: null });
    expect(loop.history.critiques[0]?.issues.map(({ scope }) => scope)).toEqual(scopes);
  });

  test('hybrid, by the scope marks of a critique in prose', async () => {
    const loop = await revising({ structuredReflection: false }, ['<find>The moon</find><replace>The Moon</replace>'], {
      reflect: ['A slip.\n- [local] The moon has a capital.\n- Write it so.'],
    });
    expect(prompts(loop, 'reflect')[0]).toContain('- [missing] a missing part');
    expect(loop.history.versions[1]).toMatchObject({
      output: EDITED,
      strategy: 'targeted_edit',
      improvementsApplied: ['The moon has a capital.'],
    });
    expect(prompts(loop, 'revise')[0]).toContain('- Write it so.');
  });

  test.each(REPLIES)(
    '%s, structured: %s, includes the configured context and its own token limit',
    async (strategy, structuredReflection, reply) => {
      for (const wanted of [true, false]) {
        const loop = await revising(
          {
            structuredReflection,
            maxIterations: 2,
            convergence: null,
            revision: {
              strategy,
              includePriorVersions: wanted,
              includeReflectionHistory: wanted,
              maxTokens: wanted ? 99 : null,
            },
          },
          [reply, REWRITTEN],
        );
        const [first = '', second = ''] = prompts(loop, 'revise');
        expect(first).not.toContain('<prior_version>');
        expect(second.includes(`<prior_version>\n(version 0, score 0.50)\n${DRAFT}`)).toBe(wanted);
        expect(second.includes('<earlier_critiques>')).toBe(wanted);
        const limits = loop.asked.filter(({ role }) => role === 'revise').map((request) => request.maxOutputTokens);
        expect(new Set(limits)).toEqual(new Set([wanted ? 99 : null]));
      }
    },
  );
});

describe('edits that do not apply', () => {
  const TARGETED = { revision: { strategy: 'targeted_edit' as const } };

  test('are retried with the error, which the version records', async () => {
    const loop = await revising(TARGETED, [edits(['The sun', 'The Sun']), edits(['The moon', 'The Moon'])]);
    const [first = '', again = ''] = prompts(loop, 'revise');
    expect(again.startsWith(first)).toBe(true);
    expect(again).toContain('<not_applied>\n- edit 1: "The sun" is not in the draft\n</not_applied>');
    expect(loop.history.versions[1]).toMatchObject({
      output: EDITED,
      strategy: 'targeted_edit',
      strategyNote:
        'The first targeted edit could not be applied (edit 1: "The sun" is not in the draft). The second one could.',
    });
  });

  test.each<[AppliedStrategy, ScriptedResponse, RegExp]>([
    [
      'targeted_edit',
      edits(['The sun', 'The Sun']),
      /^Targeted edit could not be applied, even after a second request \(edit 1: "The sun"/,
    ],
    ['targeted_edit', 'I would begin anew.', /^Targeted edit .*there is no edit in the answer/],
    ['incremental', { changes: [{ change: 'fix', section: 9, text: 'x' }] }, /^Incremental .*there is no section 9/],
    ['incremental', new CutOffResponse('<add after="1">\nMore'), /^Incremental .*cut off at its length limit/],
  ])(
    '%s twice: the text is rewritten in full, the version says so, and all calls are paid for',
    async (strategy, reply, note) => {
      const loop = await revising({ revision: { strategy } }, [reply, reply, REWRITTEN]);
      const [version] = loop.history.versions.slice(1);
      expect(version).toMatchObject({ output: REWRITTEN, strategy: 'full_rewrite', finishReason: 'stop' });
      expect(version?.strategyNote).toMatch(note);
      expect(version?.strategyNote).toMatch(/rewritten in full instead\.$/);
      expect(version?.tokenUsage.total).toBe(3 * CALL_SPEND.tokenUsage.total);
      expect(prompts(loop, 'revise')[2]).not.toMatch(/<answer_form>|<not_applied>/);
      expect(loop.history.versions).toHaveLength(2);
    },
  );

  test('are all discarded if the response was cut off', async () => {
    const cut = new CutOffResponse('<find>The moon</find><replace>The Moon</replace>\n<find>The e');
    const loop = await revising(TARGETED, [cut, edits(['The end', 'That is all'])]);
    expect(loop.history.versions[1]?.output).toBe(DRAFT.replace('The end', 'That is all'));
    expect(loop.history.versions[1]?.strategyNote).toMatch(/cut off at its length limit: be brief/);
  });

  test('a loop aborted after the first response does not pay for it again', async () => {
    const answers = { generate: [DRAFT], evaluate: RISING, reflect: [critique('whole')] };
    const wrong = edits(['The sun', 'The Sun']);
    const broken = await scriptedLoop(settingsWith(TARGETED), TASK, byRole({ ...answers, revise: [wrong, 'ABORTED'] }));
    expect(broken.ending).toBeNull();
    const rest = await scriptedLoop(
      settingsWith(TARGETED),
      TASK,
      byRole({ ...answers, evaluate: RISING.slice(1), revise: [edits(['The moon', 'The Moon'])] }),
      broken,
    );
    expect(prompts(rest, 'revise')).toHaveLength(1);
    expect(rest.history.versions[1]).toMatchObject({ output: EDITED, strategy: 'targeted_edit' });
    expect(rest.history.versions[1]?.tokenUsage.total).toBe(2 * CALL_SPEND.tokenUsage.total);
  });
});

describe('after a regression', () => {
  test.each<[AppliedStrategy, ScriptedResponse, AppliedStrategy, ScriptedResponse]>([
    ['full_rewrite', 'Spoilt.', 'targeted_edit', edits(['The moon', 'The Moon'])],
    ['targeted_edit', edits(['Tides', 'Cats']), 'full_rewrite', REWRITTEN],
    ['incremental', { changes: [{ change: 'fix', section: 1, text: 'Cats.' }] }, 'full_rewrite', REWRITTEN],
  ])(
    'after a drop by %s: the best version is revised by another strategy, with the reason in the prompt',
    async (strategy, failed, other, reply) => {
      const evaluate = [verdict({ quality: 0.6 }), verdict({ quality: 0.3 }, ['Lost it']), verdict({ quality: 0.7 })];
      const loop = await revising({ maxIterations: 2, revision: { strategy } }, [failed, reply], { evaluate });
      expect(loop.history.versions.map((version) => [version.strategy, version.parents])).toEqual([
        [null, []],
        [strategy, [0]],
        [other, [0]],
      ]);
      expect(loop.history.versions[2]?.strategyNote).toContain(
        `version 1, made by ${strategy.replace('_', ' ')}, fell`,
      );
      expect(prompts(loop, 'revise')[1]).toMatch(/<went_wrong>\n.*scored 0\.30 lower.*\n- Lost it\n<\/went_wrong>/);
    },
  );
});

describe('truncated output', () => {
  const twice = { maxIterations: 2, convergence: null, revision: { strategy: 'full_rewrite' as const } };

  test.each([
    ['with an equal score to', 0.5],
    ['with a slightly lower score than', 0.45],
  ])(
    'a truncated revision %s its parent is not revised further: another strategy starts from the parent',
    async (_name, score) => {
      const evaluate = [verdict({ quality: 0.5 }), verdict({ quality: score }), verdict({ quality: 0.4 })];
      const loop = await revising(twice, [new CutOffResponse('All ne'), edits(['The moon', 'The Moon'])], { evaluate });
      expect(loop.history.versions[1]).toMatchObject({ finishReason: 'length', output: 'All ne' });
      expect(loop.history.versions[2]).toMatchObject({ parents: [0], strategy: 'targeted_edit', output: EDITED });
      expect(loop.history.versions[2]?.strategyNote).toContain('version 1, made by full rewrite, was cut off');
      expect(prompts(loop, 'revise')[1]).toMatch(/version 1\) was cut off at its length limit.*be shorter/);
      expect(loop.ending?.bestVersion).toBe(0);
    },
  );

  test('a truncated revision that scores higher is revised, with the truncation stated in the prompt', async () => {
    const loop = await revising(twice, [new CutOffResponse('All ne'), REWRITTEN]);
    expect(loop.history.versions[2]).toMatchObject({ parents: [1], strategy: 'full_rewrite', strategyNote: null });
    expect(prompts(loop, 'revise')[1]).toContain('The draft was cut off at its length limit');
    expect(prompts(loop, 'reflect')[1]).toContain('The candidate was cut off at its length limit');
  });

  test('a truncated attempt is evaluated unchanged, and its lesson prompt states the truncation', async () => {
    const loop = await scriptedLoop(
      settingsWith({ mode: 'retry', maxAttempts: 2 }),
      TASK,
      byRole({ generate: [new CutOffResponse('Tides co'), 'Tides.'], evaluate: RISING, lesson: ['Be short.'] }),
    );
    expect(prompts(loop, 'lesson')[0]).toContain('The attempt was cut off at its length limit');
    expect(loop.history.versions.map(({ finishReason }) => finishReason)).toEqual(['length', 'stop']);
    expect(loop.ending).toMatchObject({ reason: 'max_iterations', bestVersion: 1 });
  });
});

describe('models that return reasoning text', () => {
  const THOUGHT = '<think>\nScore: 0.9? {"edits":[]} - [whole] no\n</think>\n\n';
  const thinking = (reply: object) => THOUGHT + JSON.stringify(reply);

  test.each([true, false])(
    'keeps reasoning out of outputs, scores, issues and edits, but in the stored calls (structured: %s)',
    async (structuredReflection) => {
      const loop = await revising(
        { structuredReflection, revision: { strategy: 'targeted_edit' } },
        [
          structuredReflection
            ? thinking(edits(['The moon', 'The Moon']))
            : `${THOUGHT}<find>The moon</find><replace>The Moon</replace>`,
        ],
        {
          generate: [THOUGHT + DRAFT],
          evaluate: structuredReflection
            ? [thinking(verdict({ quality: 0.5 })), thinking(verdict({ quality: 0.7 }))]
            : [`${THOUGHT}quality: 0.5 - vague`, `${THOUGHT}quality: 0.7 - better`],
          reflect: structuredReflection ? [thinking(critique('local'))] : [`${THOUGHT}It rambles.`],
        },
      );
      expect(loop.history.versions.map(({ output }) => output)).toEqual([DRAFT, EDITED]);
      expect(loop.history.evaluations.map(({ overallScore }) => overallScore)).toEqual([0.5, 0.7]);
      expect(JSON.stringify([loop.history, loop.asked.map(({ prompt }) => prompt)])).not.toContain('think');
      expect(loop.journal).toHaveLength(5);
      for (const { text } of loop.journal) expect(text?.startsWith(THOUGHT)).toBe(true);
    },
  );

  test('keeps reasoning out of lessons', async () => {
    const loop = await scriptedLoop(
      settingsWith({ mode: 'retry', maxAttempts: 2 }),
      TASK,
      byRole({ generate: ['A', 'B'], evaluate: RISING, lesson: [`${THOUGHT}Be short.`] }),
    );
    expect(loop.history.lessons.map(({ text }) => text)).toEqual(['Be short.']);
  });
});
