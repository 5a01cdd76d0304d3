import { showValue } from '../show-value.ts';
import type { BaseSettings } from './base-settings.ts';
import { usedTools } from './used-tools.ts';

type Checked = {
  mode: string;
  generator: { base: BaseSettings };
  triggers: { stepInterval: number | null; onTools: string[] };
};

/** What of an experiment's settings does not go with the base of its attempts, by the path of the setting. */
export function baseProblems({
  mode,
  generator: { base },
  triggers,
}: Checked): { path: (string | number)[]; message: string }[] {
  const problems: { path: (string | number)[]; message: string }[] = [];
  if (mode === 'tune' && base.type !== 'single')
    problems.push({
      path: ['generator', 'base'],
      message: `must be single in tune mode (a prompt is tuned on single calls), got ${base.type}`,
    });
  if (base.type === 'single' && triggers.stepInterval !== null)
    problems.push({
      path: ['triggers', 'stepInterval'],
      message: `must be null (a single call has no steps), got ${showValue(triggers.stepInterval)}`,
    });
  const tools = usedTools(base);
  triggers.onTools.forEach((tool, place) => {
    if (tools.includes(tool)) return;
    const message =
      base.type === 'single'
        ? `must be left out (a single call uses no tools), got ${showValue(tool)}`
        : `must be one of the agent's tools, got ${showValue(tool)}`;
    problems.push({ path: ['triggers', 'onTools', place], message });
  });
  return problems;
}
