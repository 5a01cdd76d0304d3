import type { BaseSettings } from '#lib/core/agents/base-settings.ts';

/** What makes an attempt, in a few words: `one call`, `an agent with calculator, http_get`, `a supervisor of planner, solver`. */
export function agentBaseLabel(base: BaseSettings): string {
  switch (base.type) {
    case 'single':
      return 'one call';
    case 'react':
      return base.tools.length === 0 ? 'an agent without tools' : `an agent with ${base.tools.join(', ')}`;
    case 'supervisor':
      return `a supervisor of ${base.workers.map(({ name }) => name).join(', ')}`;
  }
}
