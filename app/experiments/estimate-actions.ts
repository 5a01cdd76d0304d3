'use server';

import { revalidatePath } from 'next/cache';
import { type Result, succeed } from '#lib/reflection/problem.ts';
import type { RunEstimate } from '#lib/reflection/run-estimate.ts';
import { type ControlPlan, planControl } from '#lib/runs/controls/plan-control.ts';
import { type StartedControl, startControl } from '#lib/runs/controls/start-control.ts';
import { estimateDraft, estimateStart } from '#lib/runs/estimate-start.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { runsAtOnce } from '#lib/runs/runs-at-once.ts';
import { authorize } from '#lib/team/authorize.ts';

/** What starting an experiment may take. Nothing is stored or asked of a model. */
export async function estimateRuns(experimentId: string, input: unknown): Promise<Result<RunEstimate>> {
  await authorize({ name: 'action estimateRuns', role: 'editor' });
  return estimateStart(await getWorkshop(), experimentId, input, runsAtOnce());
}

/** What runs may take under settings that are still being written. */
export async function estimateForm(input: unknown): Promise<Result<RunEstimate>> {
  await authorize({ name: 'action estimateForm', role: 'editor' });
  return estimateDraft(await getWorkshop(), input, runsAtOnce());
}

/** What a control of a batch would run and take. */
export async function previewControl(
  batchId: string,
  input: unknown,
): Promise<Result<Pick<ControlPlan, 'budget' | 'estimate'>>> {
  await authorize({ name: 'action previewControl', role: 'editor' });
  const planned = await planControl(await getWorkshop(), batchId, input, runsAtOnce());
  if (!planned.ok) return planned;
  const { budget, estimate } = planned.value;
  return succeed({ budget, estimate });
}

/** Runs a control of a batch. */
export async function runControl(batchId: string, input: unknown): Promise<Result<StartedControl>> {
  const actor = await authorize({ name: 'action runControl', role: 'editor' });
  const result = await startControl(await getWorkshop(), actor, batchId, input, runsAtOnce());
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}
