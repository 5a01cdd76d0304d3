'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { branchRun } from '#lib/batches/branch-run.ts';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { type SavedRunPrompt, saveRunPrompt } from '#lib/prompts/save-run-prompt.ts';
import { decide } from '#lib/runs/decide.ts';
import { requestAblation, stopAblation } from '#lib/runs/request-ablation.ts';
import { rescoreVersion } from '#lib/runs/rescore-version.ts';
import { stopRun } from '#lib/runs/stop-run.ts';
import { refreshPages } from '../../refresh-pages.ts';

/** Answers a pause, or acts on a run: accept, continue, stop, override. */
export const decideOnRunAction = defineAction(
  'decideOnRunAction',
  { role: 'reviewer', id: 'run', audit: ['decided', 'scored'] },
  async (actor, runId: string, input: unknown): Promise<Result<unknown>> => {
    const result = await decide(await getAppContext(), actor, runId, input);
    revalidatePath('/', 'layout');
    return result;
  },
);

export const stopTheRunAction = defineAction(
  'stopTheRunAction',
  { role: 'reviewer', id: 'run', audit: 'decided' },
  async (actor, runId: string): Promise<Result<unknown>> => {
    const result = await stopRun(await getAppContext(), actor, runId);
    revalidatePath('/', 'layout');
    return result;
  },
);

/** `input`: with which budgets it goes on. */
export const resumeTheRunAction = defineAction(
  'resumeTheRunAction',
  { role: 'editor', id: 'run', limit: 'start', audit: 'resumed' },
  async (actor, runId: string, input?: unknown): Promise<Result<unknown>> => {
    const result = await resumeRun(await getAppContext(), actor, runId, input);
    revalidatePath('/', 'layout');
    return result;
  },
);

/** Starts a new run from a version, or from `output`, an edit of it. The run is watched. */
export const branchTheRunAction = defineAction(
  'branchTheRunAction',
  { role: 'editor', id: 'run', limit: 'start', audit: 'started' },
  async (actor, runId: string, version: number, output?: string): Promise<Result<{ runId: string }>> =>
    refreshPages(await branchRun(await getAppContext(), actor, runId, { version, output }, { watched: true })),
);

/** Asks for more judgements of a stored version; a worker makes them. */
export const rescoreOnRunAction = defineAction(
  'rescoreOnRunAction',
  { role: 'editor', id: 'run', limit: 'start', audit: 'rescored' },
  async (actor, runId: string, version: number, times: number): Promise<Result<unknown>> => {
    return rescoreVersion(await getAppContext(), actor, runId, version, { times });
  },
);

/** Measures what each change of the winning prompt contributed; a worker does. */
export const measureChangesAction = defineAction(
  'measureChangesAction',
  { role: 'editor', id: 'run', limit: 'start', audit: 'measured' },
  async (actor, runId: string, maxTries: number): Promise<Result<unknown>> => {
    return requestAblation(await getAppContext(), actor, runId, { maxTries });
  },
);

export const stopMeasuringAction = defineAction(
  'stopMeasuringAction',
  { role: 'editor', id: 'run', audit: 'measured' },
  async (actor, runId: string): Promise<Result<unknown>> => stopAblation(await getAppContext(), actor, runId),
);

/** Saves a prompt that a tuning run made as a version of the library, and labels it where that is asked. */
export const saveThePromptAction = defineAction(
  'saveThePromptAction',
  { role: 'editor', id: 'run', audit: ['created', 'changed', 'labelled'] },
  async (actor, runId: string, input: unknown): Promise<Result<SavedRunPrompt>> =>
    refreshPages(await saveRunPrompt(await getAppContext(), actor, runId, input)),
);
