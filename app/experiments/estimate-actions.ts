'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { estimateDraft, estimateStart } from '#lib/batches/estimate-start.ts';
import { type ControlPlan, planControl } from '#lib/batches/plan-control.ts';
import { type StartedControl, startControl } from '#lib/batches/start-control.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { RunEstimate } from '#lib/estimates/run-estimate.ts';
import { runsAtOnce } from '#lib/runs/runs-at-once.ts';

/** What starting an experiment may take. Nothing is stored or asked of a model. */
export const estimateRunsAction = defineAction(
  'estimateRunsAction',
  { role: 'editor', limit: 'read', audit: { none: 'only looks: calls of models it may make are in the spend' } },
  async (_actor, experimentId: string, input: unknown): Promise<Result<RunEstimate>> => {
    return estimateStart(await getAppContext(), experimentId, input, runsAtOnce());
  },
);

/** What runs may take under settings that are still being written. */
export const estimateFormAction = defineAction(
  'estimateFormAction',
  { role: 'editor', limit: 'read', audit: { none: 'only looks: calls of models it may make are in the spend' } },
  async (_actor, input: unknown): Promise<Result<RunEstimate>> => {
    return estimateDraft(await getAppContext(), input, runsAtOnce());
  },
);

/** What a control of a batch would run and take. */
export const previewControlAction = defineAction(
  'previewControlAction',
  { role: 'editor', limit: 'read', audit: { none: 'only looks: calls of models it may make are in the spend' } },
  async (_actor, batchId: string, input: unknown): Promise<Result<Pick<ControlPlan, 'budget' | 'estimate'>>> => {
    const planned = await planControl(await getAppContext(), batchId, input, runsAtOnce());
    if (!planned.ok) return planned;
    const { budget, estimate } = planned.value;
    return succeed({ budget, estimate });
  },
);

/** Runs a control of a batch. */
export const runControlAction = defineAction(
  'runControlAction',
  { role: 'editor', limit: 'start', audit: 'started' },
  async (actor, batchId: string, input: unknown): Promise<Result<StartedControl>> => {
    const result = await startControl(await getAppContext(), actor, batchId, input, runsAtOnce());
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);
