import type { BaseSettings } from '#lib/core/agents/base-settings.ts';

/** A base whose agents do not have one of the tools; all else is as it was. */
export function withoutTool(base: BaseSettings, tool: string): BaseSettings {
  const left = (tools: string[]) => tools.filter((name) => name !== tool);
  switch (base.type) {
    case 'single':
      return base;
    case 'react':
      return { ...base, tools: left(base.tools), approve: left(base.approve) };
    case 'supervisor':
      return {
        ...base,
        tools: left(base.tools),
        approve: left(base.approve),
        workers: base.workers.map((worker) => ({ ...worker, tools: left(worker.tools) })),
      };
  }
}
