import type { BaseSettings } from './base-settings.ts';

/** Every tool that an agent of the base may use, each once: its own first, then its workers'. */
export function usedTools(base: BaseSettings): string[] {
  switch (base.type) {
    case 'single':
      return [];
    case 'react':
      return [...new Set(base.tools)];
    case 'supervisor':
      return [...new Set([...base.tools, ...base.workers.flatMap(({ tools }) => tools)])];
  }
}
