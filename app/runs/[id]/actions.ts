'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { branchRun } from '#lib/batches/branch-run.ts';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { saveRunPrompt } from '#lib/prompts/save-run-prompt.ts';

/** Resumes a run. `input`: the budgets for the rest of the run. */
export const resumeTheRunAction = defineAction(
  'resumeTheRunAction',
  { role: 'editor', id: 'run', limit: 'start', audit: 'resumed' },
  async (actor, runId: string, input?: unknown) => resumeRun(await getAppContext(), actor, runId, input),
);

/**
 * Starts a new run from a version, or from `output`, an edited copy of it. Streams text from the first call, because a user is about to
 * watch it.
 */
export const branchTheRunAction = defineAction(
  'branchTheRunAction',
  { role: 'editor', id: 'run', limit: 'start', audit: 'started' },
  async (actor, runId: string, version: number, output?: string) =>
    branchRun(await getAppContext(), actor, runId, { version, output }, { watched: true }),
);

/** Saves a prompt from a tuning run as a version in the prompt library and labels it on request. */
export const saveThePromptAction = defineAction(
  'saveThePromptAction',
  { role: 'editor', id: 'run', audit: ['created', 'changed', 'labelled'] },
  async (actor, runId: string, input: unknown) => saveRunPrompt(await getAppContext(), actor, runId, input),
);
