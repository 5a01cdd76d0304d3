'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { branchRun } from '#lib/batches/branch-run.ts';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { saveRunPrompt } from '#lib/prompts/save-run-prompt.ts';
import { requestAblation, stopAblation } from '#lib/runs/ablations.ts';
import { decide } from '#lib/runs/decide.ts';
import { rescoreVersion } from '#lib/runs/rescores.ts';
import { stopRun } from '#lib/runs/stop-runs.ts';

/** Decides on a paused run, or acts on any run: accept, continue, stop, override. */
export const decideOnRunAction = defineAction(
  'decideOnRunAction',
  { role: 'reviewer', id: 'run', audit: ['decided', 'scored'], refreshes: 'always' },
  async (actor, runId: string, input: unknown) => decide(await getAppContext(), actor, runId, input),
);

export const stopTheRunAction = defineAction(
  'stopTheRunAction',
  { role: 'reviewer', id: 'run', audit: 'decided', refreshes: 'always' },
  async (actor, runId: string) => stopRun(await getAppContext(), actor, runId),
);

/** Resumes a run. `input`: the budgets for the rest of the run. */
export const resumeTheRunAction = defineAction(
  'resumeTheRunAction',
  { role: 'editor', id: 'run', limit: 'start', audit: 'resumed', refreshes: 'always' },
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

/** Requests more judgements of a stored version. A worker makes them. */
export const rescoreOnRunAction = defineAction(
  'rescoreOnRunAction',
  { role: 'editor', id: 'run', limit: 'start', audit: 'rescored' },
  async (actor, runId: string, version: number, times: number) =>
    rescoreVersion(await getAppContext(), actor, runId, version, { times }),
);

/** Requests a measurement of the contribution of each change in the winning prompt. A worker performs it. */
export const measureChangesAction = defineAction(
  'measureChangesAction',
  { role: 'editor', id: 'run', limit: 'start', audit: 'measured' },
  async (actor, runId: string, maxTries: number) => requestAblation(await getAppContext(), actor, runId, { maxTries }),
);

export const stopMeasuringAction = defineAction(
  'stopMeasuringAction',
  { role: 'editor', id: 'run', audit: 'measured' },
  async (actor, runId: string) => stopAblation(await getAppContext(), actor, runId),
);

/** Saves a prompt from a tuning run as a version in the prompt library and labels it on request. */
export const saveThePromptAction = defineAction(
  'saveThePromptAction',
  { role: 'editor', id: 'run', audit: ['created', 'changed', 'labelled'] },
  async (actor, runId: string, input: unknown) => saveRunPrompt(await getAppContext(), actor, runId, input),
);
