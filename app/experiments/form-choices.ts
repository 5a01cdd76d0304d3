import type { ProviderChoice } from '#components/experiment/model-choice.tsx';
import type { FormChoices } from '#components/experiment/setting-fields.tsx';
import type { ToolChoice } from '#components/experiment/tool-checks.tsx';
import type { AppContext } from '#lib/context/app-context.ts';
import { BUILT_IN_TOOLS, type BuiltInTool } from '#lib/core/agents/base-settings.ts';
import { listTunableDatasets } from '#lib/datasets/queries.ts';
import { listTools } from '#lib/mcp-servers/mcp-tools.ts';
import type { OfferedTool } from '#lib/mcp-servers/schema.ts';
import { firstTextModel } from '#lib/models/default-models.ts';
import { listProviders, type ProviderView } from '#lib/models/list-providers.ts';
import { PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import { getPythonSetting } from '#lib/settings/python.ts';
import { listTargetChoices } from '#lib/targets/list-targets.ts';
import { listWebhooks } from '#lib/webhooks/queries.ts';

/** Loads the options of the experiment form. `datasetId`: a dataset to include even if it is old. */
export async function loadFormChoices(context: AppContext, datasetId: string | null): Promise<FormChoices> {
  const [providers, webhooks, python, datasets, tools, targets] = await Promise.all([
    listProviders(context),
    listWebhooks(context),
    getPythonSetting(context),
    listTunableDatasets(context.database, { datasetId, limit: 50 }),
    listTools(context),
    listTargetChoices(context),
  ]);
  return {
    providers: providerChoices(providers),
    tools: toolChoices(tools),
    targets,
    webhooks: webhooks.map(({ name }) => name),
    datasets,
    isPythonOn: python?.value === true,
  };
}

/** Returns the providers a form offers with their known models. The first model is the default. */
export function providerChoices(providers: readonly ProviderView[]): ProviderChoice[] {
  return providers.map(({ name, kind, prices, test, refused }) => {
    const listed = test?.models ?? [];
    const known = PROVIDER_DEFINITIONS[kind].models;
    if ('fixed' in known) return { name, models: [...known.fixed] };
    const first = firstTextModel(listed, PROVIDER_DEFINITIONS[kind].usualModels);
    return {
      name,
      models: [...new Set([...Object.keys(prices), ...listTestedModels(test), ...(first === null ? [] : [first])])],
      listed,
      refused: refused.map(({ model, parameter }) => ({ model, parameter })),
    };
  });
}

/** Returns the model of the last successful test call. */
function listTestedModels(test: ProviderView['test']): string[] {
  return test?.call?.ok ? [test.call.model] : [];
}

/** Returns the tools a form offers to agents, with short descriptions. Tools of MCP servers use the server's description. */
function toolChoices(offered: readonly OfferedTool[]): ToolChoice[] {
  return offered.map(({ name, description, server }) => {
    const builtIn = server === null ? BUILT_IN_TOOLS.find((one) => one === name) : undefined;
    return { name, description: builtIn === undefined ? description : MEANING[builtIn], server };
  });
}

const MEANING: Record<BuiltInTool, string> = {
  calculator: 'Evaluates arithmetic expressions',
  javascript: 'Runs JavaScript in a sandbox, without network or files',
  lesson_search: 'Searches promoted lessons of the library',
  http_get: 'Reads pages from allowed hosts',
};
