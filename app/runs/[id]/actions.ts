'use server';

import { revalidatePath } from 'next/cache';
import type { Result } from '#lib/reflection/problem.ts';
import { branchRun } from '#lib/runs/branch-run.ts';
import { decide } from '#lib/runs/decide.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { type SavedRunPrompt, saveRunPrompt } from '#lib/runs/prompts/save-run-prompt.ts';
import { rescoreVersion } from '#lib/runs/rescore-version.ts';
import { resumeRun } from '#lib/runs/resume-run.ts';
import { stopRun } from '#lib/runs/stop-run.ts';
import { authorize } from '#lib/team/authorize.ts';

/** Answers a pause, or acts on a run: accept, continue, stop, override. */
export async function decideOnRun(runId: string, input: unknown): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action decideOnRun', role: 'reviewer' });
  const result = await decide(await getWorkshop(), actor, runId, input);
  revalidatePath('/', 'layout');
  return result;
}

export async function stopTheRun(runId: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action stopTheRun', role: 'reviewer' });
  const result = await stopRun(await getWorkshop(), actor, runId);
  revalidatePath('/', 'layout');
  return result;
}

/** `input`: with which budgets it goes on. */
export async function resumeTheRun(runId: string, input?: unknown): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action resumeTheRun', role: 'editor' });
  const result = await resumeRun(await getWorkshop(), actor, runId, input);
  revalidatePath('/', 'layout');
  return result;
}

/** Begins a new run with the text of a version; somebody is about to watch it. */
export async function branchTheRun(runId: string, version: number): Promise<Result<{ runId: string }>> {
  const actor = await authorize({ name: 'action branchTheRun', role: 'editor' });
  const result = await branchRun(await getWorkshop(), actor, runId, { version }, { watched: true });
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Asks for more judgements of a stored version; a worker makes them. */
export async function rescoreOnRun(runId: string, version: number, times: number): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action rescoreOnRun', role: 'editor' });
  return rescoreVersion(await getWorkshop(), actor, runId, version, { times });
}

/** Saves a prompt that a tuning run made as a version of the library, and labels it where that is asked. */
export async function saveThePrompt(runId: string, input: unknown): Promise<Result<SavedRunPrompt>> {
  const actor = await authorize({ name: 'action saveThePrompt', role: 'editor' });
  const result = await saveRunPrompt(await getWorkshop(), actor, runId, input);
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
