import { agentBase } from '#lib/core/agents/agent-base.ts';
import type { AgentBase } from '#lib/core/agents/base-settings.ts';
import { type ExperimentSettings, type ModelReference, modelFor } from '#lib/core/settings.ts';
import type { CallRange } from './calls-of-run.ts';

/** About the most turns of an attempt: all of the agent's, and of each worker on one task. */
export function turnsOfAttempt(base: AgentBase): number {
  const workers = base.type === 'supervisor' ? base.workers : [];
  return base.maxSteps + workers.reduce((sum, { maxSteps }) => sum + maxSteps, 0);
}

/** The turns of a run by the models that make them: the agent's own come first, and all of the fewest are its. */
export function turnsByModel(
  settings: ExperimentSettings,
  calls: CallRange,
): { model: ModelReference; calls: CallRange }[] {
  const own = modelFor(settings, 'generate');
  const base = agentBase(settings);
  if (base === null || base.type === 'react') return [{ model: own, calls }];
  const attempts = calls.highest / turnsOfAttempt(base);
  const found = [{ model: own, calls: { lowest: calls.lowest, highest: attempts * base.maxSteps } }];
  for (const { provider, model, maxSteps } of base.workers) {
    const asked = { provider: provider ?? own.provider, model: model ?? own.model };
    const known = found.find((one) => one.model.provider === asked.provider && one.model.model === asked.model);
    if (known === undefined) found.push({ model: asked, calls: { lowest: 0, highest: attempts * maxSteps } });
    else known.calls.highest += attempts * maxSteps;
  }
  return found;
}
