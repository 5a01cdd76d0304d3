import type { ToolChoice } from '#components/experiment/tool-choice.ts';
import { BUILT_IN_TOOLS, type BuiltInTool } from '#lib/reflection/agents/base-settings.ts';

/** The tools a form offers to agents: Hone's own. */
export function toolChoices(): ToolChoice[] {
  return BUILT_IN_TOOLS.map((name) => ({ name, description: MEANING[name], server: null }));
}

const MEANING: Record<BuiltInTool, string> = {
  calculator: 'Works out numbers',
  javascript: 'Runs JavaScript in a sandbox',
  lesson_search: 'Searches promoted lessons of the library',
  http_get: 'Reads pages of the hosts you name',
};
