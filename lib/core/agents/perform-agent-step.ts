import { drafting } from '../drafting.ts';
import type { StepContext } from '../perform-step.ts';
import type { Step, StepResult } from '../step.ts';
import { agentBase } from './agent-base.ts';
import { concludedVersion } from './concluded-version.ts';
import { performTools } from './perform-tools.ts';
import { performTurn } from './perform-turn.ts';

type AgentStep = Extract<Step, { type: 'turn' | 'use_tools' | 'conclude' }>;

/** Does one step of an agent's; null when it was called off. Throws where no agent makes the attempts. */
export async function performAgentStep(step: AgentStep, context: StepContext): Promise<StepResult | null> {
  const { history, settings } = context;
  const base = agentBase(settings);
  if (base === null) throw new Error('no agent makes the attempts of this run');
  switch (step.type) {
    case 'turn':
      return performTurn(step, context, base);
    case 'use_tools':
      return performTools(step, context, base);
    case 'conclude': {
      const drafted = await drafting(context);
      if (drafted === null) return null;
      const { recalledLessons } = drafted.lessons;
      return { type: 'version', version: concludedVersion(step, history, settings, recalledLessons, context.now()) };
    }
  }
}
