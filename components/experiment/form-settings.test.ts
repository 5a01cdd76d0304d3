import { describe, expect, test } from 'vitest';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { newCriterion } from './criterion-draft.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import {
  type FormSettings,
  fromFormSettings,
  newWorker,
  type SettingPath,
  settingAt,
  toFormSettings,
  withSetting,
} from './form-settings.ts';

const generator = { provider: 'practice', model: 'practice-1' };
const solver = { name: 'solver', tools: ['calculator', 'http_get'] };
const supervisor = {
  type: 'supervisor',
  workers: [
    { ...solver, description: 'Numbers', instructions: 'Be exact.', provider: 'openai', model: 'small', maxSteps: 4 },
    { name: 'critic' },
  ],
  tools: ['javascript'],
  approve: ['http_get', 'javascript'],
  httpHosts: ['example.org', '*.example.com'],
  maxSteps: 20,
  stallAfter: 5,
} as const satisfies BaseInput;
type BaseInput = ExperimentSettingsInput['generator']['base'];
const judged = { name: 'clarity', evaluator: 'llm' as const };

function stored(settings: Omit<ExperimentSettingsInput, 'generator'>, base?: BaseInput) {
  return settingsSchema.parse({ ...settings, generator: { ...generator, base } });
}

function sent(form: FormSettings) {
  const { name, ...settings } = fromFormSettings(form);
  return { name, settings: settingsSchema.safeParse(settings) };
}

describe('settings round-trip through the form', () => {
  test.each<{ name: string; settings: ReturnType<typeof stored> }>([
    { name: 'all defaults', settings: stored({ mode: 'revise', criteria: [judged] }) },
    { name: 'an agent without tools', settings: stored({ mode: 'revise', criteria: [judged] }, { type: 'react' }) },
    {
      name: 'a supervisor',
      settings: stored(
        { mode: 'retry', criteria: [judged], triggers: { stepInterval: 3, onTools: ['calculator'] } },
        supervisor,
      ),
    },
    {
      name: 'model settings',
      settings: stored({
        mode: 'revise',
        criteria: [judged],
        modelSettings: {
          generate: {
            ...{ maxOutputTokens: 100, topP: 0.9, seed: 7, stopSequences: ['END', '\n\n'], reasoningEffort: 'low' },
            ...{ providerOptions: { user: 'x', nested: { list: [1, null] } }, headers: { 'X-Team': 'a: b' } },
          },
          revise: { topP: 0.5 },
        },
      }),
    },
    { name: 'no early stopping', settings: stored({ mode: 'retry', criteria: [judged], convergence: null }) },
    {
      name: 'every criterion kind',
      settings: stored({
        mode: 'retry',
        criteria: [
          { ...judged, config: { rubric: 'Be strict.' } },
          { name: 'form', evaluator: 'json_schema', config: { schema: { type: 'object', required: ['a'] } } },
          { name: 'next_to', evaluator: 'comparison', config: { against: 'best' } },
          { name: 'list', evaluator: 'checklist', config: { items: ['Gives an example', 'Ends well'] } },
          {
            name: 'numbers',
            evaluator: 'regex',
            weight: 0.5,
            config: { pattern: '\\d+', flags: 'i', mustMatch: false, min: 0, max: 3 },
          },
          {
            name: 'answer',
            evaluator: 'reference',
            threshold: 1,
            config: { match: 'numeric', normalize: 'trim', extract: '(.*)', tolerance: 0.5 },
          },
        ],
      }),
    },
    {
      name: 'all other settings',
      settings: stored({
        mode: 'revise',
        criteria: [judged],
        taskType: 'code',
        evaluatorModel: { provider: 'openai', model: 'judge' },
        embeddingModel: { provider: 'openai', model: 'vectors' },
        reflectionModel: { provider: 'google', model: 'critic' },
        prompts: { revise: 'Do {{input}}' },
        qualityThreshold: 0,
        maxIterations: 0,
        structuredReflection: false,
        preserveAllVersions: false,
        triggers: { qualityDropThreshold: 0.3, onError: true, onQualityDrop: true },
        revision: {
          strategy: 'targeted_edit',
          includePriorVersions: true,
          includeReflectionHistory: false,
          maxTokens: 800,
        },
        convergence: {
          plateauIterations: 4,
          improvementThreshold: 0,
          detectOscillation: false,
          detectStability: false,
        },
        bestVersion: 'weighted_recency',
        lessons: {
          store: 'block',
          block: 'mine',
          topK: 20,
          tokenBudget: 900,
          embeddings: { provider: 'openai', model: 'vectors' },
          check: { provider: 'openai', model: 'guard' },
          pinned: ['11111111-1111-4111-8111-111111111111'],
          write: 'stage',
          agent: 'a',
          recallAgents: 'all',
          reflectOnEnd: true,
          alwaysReflect: true,
          lookBackEvery: 20,
          lookBackRuns: 4,
          retentionPerAgent: null,
        },
        callbacks: { pause: 'before_finish', review: { drafts: true, revisions: true }, webhook: 'gatekeeper' },
        tune: {
          prompt: { name: 'support-triage', version: 3 },
          minibatchSize: 5,
          selection: 'best',
          acceptance: 'not_worse',
          validationShare: 0,
          heldOutShare: 0.5,
          maxPromptTokens: 300,
          feedback: false,
          seed: 7,
        },
        budget: {
          maxCalls: 40,
          maxTokens: 1000,
          maxCostUsd: 0.05,
          maxSeconds: 90,
          maxExperimentCostUsd: 2.5,
          maxExperimentTokens: 2_000_000,
        },
      }),
    },
    ...EXPERIMENT_TEMPLATES.map(({ id, settings }) => ({ name: `template ${id}`, settings })),
  ])('$name', ({ settings }) => {
    const { name, settings: parsed } = sent(toFormSettings('Mine', settings));
    expect(name).toBe('Mine');
    expect(parsed.data).toEqual(settings);
  });
});

describe('invalid input is reported under its own field', () => {
  const form = toFormSettings('Mine', stored({ mode: 'revise', criteria: [judged] }));
  const { lessons, tune, budget } = form;
  const withBase = (base: Partial<FormSettings['generator']['base']>): FormSettings => ({
    ...form,
    generator: { ...form.generator, base: { ...form.generator.base, ...base } },
  });
  test.each<{ name: string; form: FormSettings; path: string }>([
    { name: 'threshold out of range', form: { ...form, qualityThreshold: 1.5 }, path: 'qualityThreshold' },
    { name: 'a word instead of a number', form: { ...form, maxIterations: 'three' }, path: 'maxIterations' },
    { name: 'an empty number', form: { ...form, maxAttempts: null }, path: 'maxAttempts' },
    {
      name: 'a negative weight',
      form: { ...form, criteria: [{ ...newCriterion(0), name: 'x', weight: '-1' }] },
      path: 'criteria.0.weight',
    },
    {
      name: 'an empty pattern',
      form: { ...form, criteria: [{ ...newCriterion(0), name: 'x', evaluator: 'regex' as const }] },
      path: 'criteria.0.config.pattern',
    },
    { name: 'no criteria', form: { ...form, criteria: [] }, path: 'criteria' },
    { name: 'a maximum of zero lessons', form: { ...form, lessons: { ...lessons, topK: 0 } }, path: 'lessons.topK' },
    {
      name: 'a lesson token limit above the maximum',
      form: { ...form, lessons: { ...lessons, tokenBudget: 100_001 } },
      path: 'lessons.tokenBudget',
    },
    { name: 'an empty minibatch', form: { ...form, tune: { ...tune, minibatchSize: 0 } }, path: 'tune.minibatchSize' },
    { name: 'all cases held out', form: { ...form, tune: { ...tune, heldOutShare: 1 } }, path: 'tune.heldOutShare' },
    { name: 'a budget of zero calls', form: { ...form, budget: { ...budget, maxCalls: 0 } }, path: 'budget.maxCalls' },
    {
      name: 'a held-out share without validation runs',
      form: { ...form, budget: { ...budget, maxExperimentTokens: 0 } },
      path: 'budget.maxExperimentTokens',
    },
    {
      name: 'a critique after turn zero',
      form: { ...withBase({ type: 'react' }), triggers: { ...form.triggers, stepInterval: 0 } },
      path: 'triggers.stepInterval',
    },
    { name: 'a budget of zero', form: { ...form, budget: { ...budget, maxCostUsd: 0 } }, path: 'budget.maxCostUsd' },
    {
      name: 'no workers',
      form: withBase({ type: 'supervisor' }),
      path: 'generator.base.workers',
    },
    {
      name: 'a worker without a name',
      form: withBase({ type: 'supervisor', workers: [newWorker([])] }),
      path: 'generator.base.workers.0.name',
    },
    {
      name: 'too many turns',
      form: withBase({ type: 'react', maxSteps: 201 }),
      path: 'generator.base.maxSteps',
    },
    {
      name: 'http_get without a host',
      form: withBase({ type: 'react', tools: ['http_get'] }),
      path: 'generator.base.httpHosts',
    },
    {
      name: 'an IP address as host',
      form: withBase({ type: 'react', httpHosts: ['a.org', 'https://b.org/'] }),
      path: 'generator.base.httpHosts.1',
    },
  ])('$name → $path', ({ form: wrong, path }) => {
    const { settings } = sent(wrong);
    expect(settings.error?.issues[0]?.path.join('.')).toBe(path);
  });

  test('accepts a comma as decimal separator', () => {
    expect(sent({ ...form, qualityThreshold: parseNumberEntry('0,85') }).settings.data?.qualityThreshold).toBe(0.85);
  });
});

describe('settings without effect are omitted', () => {
  const form = toFormSettings('Mine', stored({ mode: 'retry', criteria: [judged] }, supervisor));
  const { base } = form.generator;
  const withBase = (changes: Partial<typeof base>) => ({ ...form.generator, base: { ...base, ...changes } });

  test('approval of a tool that no worker uses', () => {
    const [first, ...others] = base.workers;
    const workers = [...(first ? [{ ...first, tools: [] }] : []), ...others];
    const { settings } = sent({ ...form, generator: withBase({ workers }) });
    expect(settings.data?.generator.base).toMatchObject({ approve: ['javascript'] });
  });

  test('tools and workers of an unselected base, and its reflection triggers', () => {
    const { settings } = sent({
      ...form,
      triggers: { ...form.triggers, stepInterval: 3, onTools: ['javascript'] },
      generator: withBase({ type: 'single' }),
    });
    expect(settings.data?.generator.base).toEqual({ type: 'single' });
    expect(settings.data?.triggers).toMatchObject({ stepInterval: null, onTools: [] });
  });

  test('a supervisor in tune mode', () => {
    const { settings } = sent({ ...form, mode: 'tune' });
    expect(settings.data?.generator.base).toEqual({ type: 'single' });
  });

  test('approvals and triggers of an agent in tune mode', () => {
    const tuned = {
      ...{ ...form, mode: 'tune' as const },
      triggers: { ...form.triggers, stepInterval: 3, onTools: ['javascript'] },
      generator: withBase({ type: 'react', tools: ['javascript'], approve: ['javascript'] }),
    };
    const { settings } = sent(tuned);
    expect(settings.data?.generator.base).toMatchObject({ type: 'react', tools: ['javascript'], approve: [] });
    expect(settings.data?.triggers).toMatchObject({ stepInterval: null, onTools: [] });
  });
});

describe('tuned components', () => {
  const components = { planner: 'Plan {{input}}.', writer: 'Write.' };

  test.each([
    ['the selected ones', ['writer'], ['writer']],
    ['the first one if none is selected', null, 'planner'],
    ['the first one after the last one is deselected', [], 'planner'],
  ])('are %s', (_name, tuned, expected) => {
    const form = toFormSettings('Mine', stored({ mode: 'tune', criteria: [judged] }));
    const target = { name: 'my-app', components, tuned };
    const sent = (mode: FormSettings['mode']) =>
      fromFormSettings({ ...form, mode, generator: { ...form.generator, target } }).generator.target;
    expect(sent('tune')).toEqual({ ...target, tuned: expected });
    expect(sent('revise')).toEqual({ ...target, tuned: null });
  });
});

describe('withSetting', () => {
  const form = toFormSettings('Mine', stored({ mode: 'retry', criteria: [judged] }, supervisor));

  test.each<{ path: SettingPath; value: unknown }>([
    { path: 'name', value: 'Other' },
    { path: 'lessons.topK', value: 'many' },
    { path: 'callbacks.review.drafts', value: true },
    { path: 'generator.base.workers.1.name', value: 'judge' },
    { path: 'convergence', value: null },
  ])('$path', ({ path, value }) => {
    const changed = withSetting(form, path, value as never);
    expect(settingAt(changed, path)).toBe(value);
    expect(withSetting(changed, path, settingAt(form, path) as never)).toEqual(form);
  });

  test('keeps lists and sibling values unchanged', () => {
    const changed = withSetting(form, 'generator.base.workers.0.maxSteps', 9);
    expect(changed.generator.base.workers.map(({ name, maxSteps }) => ({ name, maxSteps }))).toEqual([
      { name: 'solver', maxSteps: 9 },
      { name: 'critic', maxSteps: 6 },
    ]);
    expect(changed.lessons).toBe(form.lessons);
  });
});
