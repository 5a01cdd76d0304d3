import { describe, expect, test } from 'vitest';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/reflection/settings.ts';
import { newCriterion } from './criterion-draft.ts';
import { fromDraft, toDraft } from './experiment-draft.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';

const generator = { provider: 'practice', model: 'practice-1' };
const judged = { name: 'clarity', evaluator: 'llm' as const };

function stored(settings: Omit<ExperimentSettingsInput, 'generator'>) {
  return settingsSchema.parse({ ...settings, generator });
}

function sent(draft: ReturnType<typeof toDraft>) {
  const { name, ...settings } = fromDraft(draft);
  return { name, settings: settingsSchema.safeParse(settings) };
}

describe('settings come back from the form as they went in', () => {
  test.each<{ name: string; settings: ReturnType<typeof stored> }>([
    { name: 'all defaults', settings: stored({ mode: 'revise', criteria: [judged] }) },
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
          pinned: ['11111111-1111-4111-8111-111111111111'],
          write: 'stage',
          agent: 'a',
          reflectOnEnd: true,
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
        budget: { maxCalls: 40, maxTokens: 1000, maxCostUsd: 0.05, maxSeconds: 90 },
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
    { name: 'a budget of nothing', draft: { ...draft, maxCostUsd: '0' }, path: 'budget.maxCostUsd' },
  ])('$name → $path', ({ draft: wrong, path }) => {
    const { settings } = sent(wrong);
    expect(settings.error?.issues[0]?.path.join('.')).toBe(path);
  });

  test('a comma is a decimal point', () => {
    expect(sent({ ...draft, qualityThreshold: '0,85' }).settings.data?.qualityThreshold).toBe(0.85);
  });
});
