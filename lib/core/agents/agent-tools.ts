import type { AgentTask } from './agent-progress.ts';
import { DELEGATE_TOOL, type ToolDefinition } from './agent-records.ts';
import type { AgentBase } from './base-settings.ts';

/** The tools that an agent is told of for a task, in the order of its settings; those that are not there are left out. */
export function agentTools(
  base: AgentBase,
  { tools, delegation }: AgentTask,
  definitions: readonly ToolDefinition[],
): ToolDefinition[] {
  const own = tools.flatMap((name) => definitions.find((definition) => definition.name === name) ?? []);
  return base.type === 'supervisor' && delegation === null ? [delegateTool(base), ...own] : own;
}

function delegateTool({ workers }: Extract<AgentBase, { type: 'supervisor' }>): ToolDefinition {
  return {
    name: DELEGATE_TOOL,
    description:
      'Gives a task to one of your workers and returns its answer. Use it several times in one turn to have workers work at the same time.',
    parameters: {
      type: 'object',
      properties: {
        worker: { type: 'string', enum: workers.map(({ name }) => name), description: 'who is to do it' },
        task: {
          type: 'string',
          description: 'what it is to do, with everything it needs to know: it sees nothing else',
        },
      },
      required: ['worker', 'task'],
      additionalProperties: false,
    },
  };
}
