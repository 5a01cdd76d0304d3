import type { ToolChoice } from '#components/experiment/tool-choice.ts';
import { BUILT_IN_TOOLS, type BuiltInTool } from '#lib/core/agents/base-settings.ts';
import type { OfferedTool } from '#lib/mcp-servers/schema.ts';

/** The tools that a form offers to agents, with what each does in a few words for people; servers speak for their own. */
export function toolChoices(offered: readonly OfferedTool[]): ToolChoice[] {
  return offered.map(({ name, description, server }) => {
    const builtIn = server === null ? BUILT_IN_TOOLS.find((one) => one === name) : undefined;
    return { name, description: builtIn === undefined ? description : MEANING[builtIn], server };
  });
}

const MEANING: Record<BuiltInTool, string> = {
  calculator: 'Works out numbers',
  javascript: 'Runs JavaScript in a sandbox, without network or files',
  lesson_search: 'Searches promoted lessons of the library',
  http_get: 'Reads pages of the hosts you name',
};
