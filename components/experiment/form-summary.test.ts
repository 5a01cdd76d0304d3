import { describe, expect, test } from 'vitest';
import { newWorker } from './base-draft.ts';
import { toDraft } from './experiment-draft.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import type { FormPart } from './form-part.ts';
import { summaryOf } from './form-summary.ts';

const [writing] = EXPERIMENT_TEMPLATES;
if (writing === undefined) throw new Error('there is no template');
const draft = toDraft('any', writing.settings);

describe('what a folded part says', () => {
  test.each<{ part: FormPart; changes: Partial<typeof draft>; says: string }>([
    { part: 'prompts', changes: {}, says: 'Hone’s own for every role' },
    { part: 'base', changes: {}, says: 'one call' },
    {
      part: 'base',
      changes: { base: { ...draft.base, type: 'react', tools: ['calculator'], approve: ['calculator', 'gone'] } },
      says: 'an agent, with calculator, asks before calculator, up to 10 turns',
    },
    {
      part: 'base',
      changes: {
        base: { ...draft.base, type: 'supervisor', maxSteps: '', workers: [{ ...newWorker([]), name: 'solver' }] },
      },
      says: 'a supervisor of solver, without tools, up to ? turns',
    },
    {
      part: 'reflection',
      changes: {
        stepInterval: '3',
        onTools: ['calculator'],
        base: { ...draft.base, type: 'react', tools: ['calculator'] },
      },
      says: 'whichever fits the issues; reflects on results of calculator too; reflects every 3 turns',
    },
    { part: 'reflection', changes: { stepInterval: '3' }, says: 'whichever fits the issues' },
    {
      part: 'prompts',
      changes: { prompts: { ...draft.prompts, evaluate: 'x', lesson: ' ', revise: 'y' } },
      says: 'own for evaluate, revise',
    },
    { part: 'reflection', changes: {}, says: 'whichever fits the issues' },
    {
      part: 'reflection',
      changes: { strategy: 'targeted_edit', onQualityDrop: true, onError: true },
      says: 'exact edits; reflects on drops and unusable answers too',
    },
    {
      part: 'reflection',
      changes: { mode: 'retry', onError: true },
      says: 'lessons of failed attempts; reflects on unusable answers too',
    },
    { part: 'lessons', changes: {}, says: 'recalls those that fit best, up to 3; what it learns is stored' },
    {
      part: 'lessons',
      changes: { lessonStore: 'block', lessonWrite: 'off', pinnedLessons: ['a', ''], reflectOnEnd: true },
      says: 'recalls all of its block; 1 always given; what it learns is not written; reflects at its end',
    },
    { part: 'people', changes: { maxTokens: '500' }, says: 'never asks; 500 tokens' },
    {
      part: 'people',
      changes: { maxCostUsd: '1', maxExperimentCostUsd: '20' },
      says: 'never asks; $1, $20 over all runs',
    },
    {
      part: 'people',
      changes: { reviewDrafts: true, reviewRevisions: true },
      says: 'never asks, shows first drafts and revisions before they are judged; no budget',
    },
    {
      part: 'people',
      changes: { mode: 'retry', reviewDrafts: true, reviewRevisions: true },
      says: 'never asks, shows attempts before they are judged; no budget',
    },
  ])('$part: $says', ({ part, changes, says }) => {
    expect(summaryOf(part, { ...draft, ...changes })).toBe(says);
  });
});
