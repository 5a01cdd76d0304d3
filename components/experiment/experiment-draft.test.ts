import { describe, expect, test } from 'vitest';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { newWorker } from './base-draft.ts';
import { newCriterion } from './criterion-draft.ts';
import { fromDraft, toDraft } from './experiment-draft.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';

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

function sent(draft: ReturnType<typeof toDraft>) {
  const { name, ...settings } = fromDraft(draft);
  return { name, settings: settingsSchema.safeParse(settings) };
}

describe('settings come back from the form as they went in', () => {
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
    { name: 'no early stops', settings: stored({ mode: 'retry', criteria: [judged], convergence: null }) },
    {
      name: 'every criterion kind',
      settings: stored({
        mode: 'retry',
        criteria: [
          { ...judged, config: { rubric: 'Be strict.' } },
          { name: 'form', evaluator: 'json_schema', config: { schema: { type: 'object', required: ['a'] } } },
          { name: 'beside', evaluator: 'comparison', config: { against: 'best' } },
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
      name: 'everything else set',
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
    const { name, settings: parsed } = sent(toDraft('Mine', settings));
    expect(name).toBe('Mine');
    expect(parsed.data).toEqual(settings);
  });
});

describe('what was typed wrong is refused under its own field', () => {
  const draft = toDraft('Mine', stored({ mode: 'revise', criteria: [judged] }));
  test.each([
    { name: 'threshold out of range', draft: { ...draft, qualityThreshold: '1.5' }, path: 'qualityThreshold' },
    { name: 'a word for a number', draft: { ...draft, maxIterations: 'three' }, path: 'maxIterations' },
    { name: 'an empty number', draft: { ...draft, maxAttempts: '' }, path: 'maxAttempts' },
    {
      name: 'a negative weight',
      draft: { ...draft, criteria: [{ ...newCriterion(0), name: 'x', weight: '-1' }] },
      path: 'criteria.0.weight',
    },
    {
      name: 'no pattern',
      draft: { ...draft, criteria: [{ ...newCriterion(0), name: 'x', evaluator: 'regex' as const }] },
      path: 'criteria.0.config.pattern',
    },
    { name: 'no criterion', draft: { ...draft, criteria: [] }, path: 'criteria' },
    { name: 'no lesson at most', draft: { ...draft, lessonTopK: '0' }, path: 'lessons.topK' },
    { name: 'too many tokens of lessons', draft: { ...draft, lessonTokens: '100001' }, path: 'lessons.tokenBudget' },
    { name: 'a minibatch of none', draft: { ...draft, minibatchSize: '0' }, path: 'tune.minibatchSize' },
    { name: 'all held out', draft: { ...draft, heldOutShare: '1' }, path: 'tune.heldOutShare' },
    { name: 'no call', draft: { ...draft, maxCalls: '0' }, path: 'budget.maxCalls' },
    { name: 'all runs for nothing', draft: { ...draft, maxExperimentTokens: '0' }, path: 'budget.maxExperimentTokens' },
    {
      name: 'a look after no turn',
      draft: { ...draft, stepInterval: '0', base: { ...draft.base, type: 'react' as const } },
      path: 'triggers.stepInterval',
    },
    { name: 'a budget of nothing', draft: { ...draft, maxCostUsd: '0' }, path: 'budget.maxCostUsd' },
    {
      name: 'no worker',
      draft: { ...draft, base: { ...draft.base, type: 'supervisor' as const } },
      path: 'generator.base.workers',
    },
    {
      name: 'a worker without a name',
      draft: { ...draft, base: { ...draft.base, type: 'supervisor' as const, workers: [newWorker([])] } },
      path: 'generator.base.workers.0.name',
    },
    {
      name: 'too many turns',
      draft: { ...draft, base: { ...draft.base, type: 'react' as const, maxSteps: '201' } },
      path: 'generator.base.maxSteps',
    },
    {
      name: 'http_get without a host',
      draft: { ...draft, base: { ...draft.base, type: 'react' as const, tools: ['http_get'] } },
      path: 'generator.base.httpHosts',
    },
    {
      name: 'a host that is an address',
      draft: { ...draft, base: { ...draft.base, type: 'react' as const, httpHosts: 'a.org\n\nhttps://b.org/' } },
      path: 'generator.base.httpHosts.1',
    },
  ])('$name → $path', ({ draft: wrong, path }) => {
    const { settings } = sent(wrong);
    expect(settings.error?.issues[0]?.path.join('.')).toBe(path);
  });

  test('a comma is a decimal point', () => {
    expect(sent({ ...draft, qualityThreshold: '0,85' }).settings.data?.qualityThreshold).toBe(0.85);
  });
});

describe('what has no use is left out', () => {
  const { base, ...draft } = toDraft('Mine', stored({ mode: 'retry', criteria: [judged] }, supervisor));

  test('approval of a tool that nobody has any more', () => {
    const [first, ...others] = base.workers;
    const workers = [...(first ? [{ ...first, tools: [] }] : []), ...others];
    const { settings } = sent({ ...draft, base: { ...base, workers } });
    expect(settings.data?.generator.base).toMatchObject({ approve: ['javascript'] });
  });

  test('tools and workers of a base that is not chosen, and what would be reflected on', () => {
    const { settings } = sent({
      ...draft,
      stepInterval: '3',
      onTools: ['javascript'],
      base: { ...base, type: 'single' },
    });
    expect(settings.data?.generator.base).toEqual({ type: 'single' });
    expect(settings.data?.triggers).toMatchObject({ stepInterval: null, onTools: [] });
  });

  test('an agent where a prompt is tuned', () => {
    const { settings } = sent({ ...draft, base, mode: 'tune' });
    expect(settings.data?.generator.base).toEqual({ type: 'single' });
  });
});
