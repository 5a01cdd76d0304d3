import type { Row } from './row.ts';

const INPUT = { input: 'Explain a zeppelin.' };
const PROMPT = { name: 'made/by-nobody', text: 'Answer: {{input}}' };

/** Entries that require the editor role: experiments, datasets, prompts, runs, deleting and restoring. */
export const EDITOR_ROWS: Record<string, Row> = {
  'page /datasets/new': {},
  'page /experiments/{id}/edit': {},
  'page /experiments/new': {},
  'page /lessons/import': {},
  'page /lessons/new': {},
  'page /prompts/new': {},
  'page /runs/import': {},
  'action branchTheRunAction': { args: ({ runs }) => [runs, 0] },
  'action checkNewExperimentAction': { args: () => [{}] },
  'action createPromptAction': { args: () => [{}, []] },
  'action previewScoresAction': { args: ({ experiments }) => [experiments, {}] },
  'action evaluatePromptLabelAction': { args: ({ prompts }) => [prompts, [1]] },
  'action resumeTheRunAction': { args: ({ runs }) => [runs] },
  'action rollBackPromptLabelAction': { args: ({ prompts, labels }) => [prompts, labels, { reason: 'Back' }] },
  'action saveDraftAction': { args: ({ prompts }) => [prompts, { text: PROMPT.text, message: 'Mine', parent: 1 }] },
  'action saveThePromptAction': { args: ({ runs }) => [runs, {}] },
  'action startNewExperimentAction': { args: () => [{}] },
  'action startRunsAction': { args: ({ experiments }) => [experiments, INPUT] },
  'action startSampleAction': { args: () => ['none'] },
};
