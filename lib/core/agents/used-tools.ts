import type { BaseSettings } from './base-settings.ts';

type ToolUsers = {
  type: BaseSettings['type'];
  tools?: readonly string[];
  workers?: readonly { tools: readonly string[] }[];
};

/** Returns all tools that an agent of the base may use, without duplicates: its own first, then its workers'. */
export function usedTools({ type, tools = [], workers = [] }: ToolUsers): string[] {
  switch (type) {
    case 'single':
      return [];
    case 'react':
      return [...new Set(tools)];
    case 'supervisor':
      return [...new Set([...tools, ...workers.flatMap((worker) => worker.tools)])];
  }
}
