import { describe, expect, test } from 'vitest';
import type { FormPart } from '#lib/runs/edit-form-path.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { type FormSettings, newWorker, toFormSettings } from './form-settings.ts';
import { summaryOf } from './form-summary.ts';

const [, writing] = EXPERIMENT_TEMPLATES;
if (writing === undefined) throw new Error('there is no template');
const form = toFormSettings('any', writing.settings);
const { triggers, lessons, callbacks, budget } = form;
const withBase = (base: Partial<FormSettings['generator']['base']>) => ({
  generator: { ...form.generator, base: { ...form.generator.base, ...base } },
});
const withTarget = (components: Record<string, string>, tuned: string[] | null) => ({
  generator: { ...form.generator, target: { name: 'my-app', components, tuned } },
});

describe('summary of a folded part', () => {
  test.each<{ part: FormPart; changes: Partial<FormSettings>; says: string }>([
    { part: 'prompts', changes: {}, says: 'default prompts' },
    { part: 'base', changes: {}, says: 'one call' },
    { part: 'tuning', changes: {}, says: 'custom prompt, 3 cases per proposal, 0.25 held out' },
    {
      part: 'tuning',
      changes: { tune: { ...form.tune, task: 'Sort mail.' } },
      says: 'first prompt by the reflection model, 3 cases per proposal, 0.25 held out',
    },
    {
      part: 'tuning',
      changes: withTarget({ planner: 'Plan.', writer: 'Write.' }, null),
      says: 'planner, 3 cases per proposal, 0.25 held out',
    },
    {
      part: 'tuning',
      changes: withTarget({ planner: 'Plan.', writer: 'Write.' }, ['writer']),
      says: 'writer, 3 cases per proposal, 0.25 held out',
    },
    {
      part: 'tuning',
      changes: withTarget({}, null),
      says: 'no components, 3 cases per proposal, 0.25 held out',
    },
    {
      part: 'base',
      changes: withBase({ type: 'react', tools: ['calculator'], approve: ['calculator', 'gone'] }),
      says: 'an agent, with calculator, approval for calculator, up to 10 turns',
    },
    {
      part: 'base',
      changes: withBase({ type: 'supervisor', maxSteps: null, workers: [{ ...newWorker([]), name: 'solver' }] }),
      says: 'a supervisor of solver, without tools, up to ? turns',
    },
    {
      part: 'reflection',
      changes: {
        triggers: { ...triggers, stepInterval: 3, onTools: ['calculator'] },
        ...withBase({ type: 'react', tools: ['calculator'] }),
      },
      says: 'whichever fits the issues, reflects on results of calculator, reflects every 3 turns',
    },
    { part: 'reflection', changes: { triggers: { ...triggers, stepInterval: 3 } }, says: 'whichever fits the issues' },
    {
      part: 'prompts',
      changes: { prompts: { ...form.prompts, evaluate: 'x', lesson: ' ', revise: 'y' } },
      says: 'custom prompts: evaluate, revise',
    },
    { part: 'reflection', changes: {}, says: 'whichever fits the issues' },
    {
      part: 'reflection',
      changes: {
        revision: { ...form.revision, strategy: 'targeted_edit' },
        triggers: { ...triggers, onQualityDrop: true, onError: true },
      },
      says: 'exact edits, reflects on drops and unusable answers',
    },
    {
      part: 'reflection',
      changes: { mode: 'retry', triggers: { ...triggers, onError: true } },
      says: 'lessons from failed attempts, reflects on unusable answers',
    },
    { part: 'lessons', changes: {}, says: 'recalls the most relevant, up to 3, new lessons stored' },
    {
      part: 'lessons',
      changes: { lessons: { ...lessons, store: 'block', write: 'off', pinned: ['a'], reflectOnEnd: true } },
      says: 'recalls the whole block, 1 pinned, new lessons not written, reflects at the end',
    },
    { part: 'people', changes: { budget: { ...budget, maxTokens: 500 } }, says: 'no pauses, 500 tokens' },
    {
      part: 'people',
      changes: { budget: { ...budget, maxCostUsd: 1, maxExperimentCostUsd: 20 } },
      says: 'no pauses, $1, $20 over all runs',
    },
    {
      part: 'people',
      changes: { callbacks: { ...callbacks, review: { drafts: true, revisions: true } } },
      says: 'no pauses, review of first drafts and revisions, no budget',
    },
    {
      part: 'people',
      changes: { mode: 'retry', callbacks: { ...callbacks, review: { drafts: true, revisions: true } } },
      says: 'no pauses, review of attempts, no budget',
    },
  ])('$part: $says', ({ part, changes, says }) => {
    expect(summaryOf(part, { ...form, ...changes })).toBe(says);
  });
});
