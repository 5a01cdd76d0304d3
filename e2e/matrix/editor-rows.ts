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
  'action measureChangesAction': { args: ({ runs }) => [runs, 100] },
  'action movePromptLabelAction': { args: ({ prompts }) => [prompts, 'staging', { version: 1, reason: 'Try it' }] },
  'action previewScoresAction': { args: ({ experiments }) => [experiments, {}] },
  'action evaluatePromptLabelAction': { args: ({ prompts }) => [prompts, [1]] },
  'action rescoreOnRunAction': { args: ({ runs }) => [runs, 0, 1] },
  'action resumeTheRunAction': { args: ({ runs }) => [runs] },
  'action rollBackPromptLabelAction': { args: ({ prompts, labels }) => [prompts, labels, { reason: 'Back' }] },
  'action saveChangedExperimentAction': { args: ({ experiments }) => [experiments, { maxIterations: 5 }] },
  'action saveDraftAction': { args: ({ prompts }) => [prompts, { text: PROMPT.text, message: 'Mine', parent: 1 }] },
  'action saveNewExperimentAction': { args: () => [{}] },
  'action saveThePromptAction': { args: ({ runs }) => [runs, {}] },
  'action startNewExperimentAction': { args: () => [{}] },
  'action startRunsAction': { args: ({ experiments }) => [experiments, INPUT] },
  'action startSampleAction': { args: () => ['none'] },
  'action stopMeasuringAction': { args: ({ runs }) => [runs] },
  'action takeOffPromptLabelAction': { args: ({ prompts, labels }) => [prompts, labels] },
  'action updatePromptSetupAction': { args: ({ prompts }) => [prompts, { text: 1 }] },
};
