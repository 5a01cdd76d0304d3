import type { ExperimentSettings } from '../settings.ts';
import type { AgentBase } from './base-settings.ts';

/** The agent that makes an experiment's drafts and attempts; null where single calls make them, and where a prompt is tuned. */
export function agentBase({ mode, generator: { base } }: ExperimentSettings): AgentBase | null {
  return mode === 'tune' || base.type === 'single' ? null : base;
}
