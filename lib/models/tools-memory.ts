import type { ProviderConfiguration, ToolsBy } from './provider-configuration.ts';

/** Stands on replies that were asked for in this way. */
export const TOOLS_IN_TEXT =
  'The model was told of its tools in the prompt, and its text was read for the ones it uses.';

/**
 * By what means the models of providers are told of tools: as the provider says, else by its own until a model refuses them. That is
 * remembered as long as the process lives.
 */
export function toolsMemory() {
  const refused = new Set<string>();
  const nameOf = ({ name, kind, baseUrl }: ProviderConfiguration, model: string) =>
    JSON.stringify([name, kind, baseUrl, model]);
  return {
    toolsBy: (configuration: ProviderConfiguration, model: string): ToolsBy =>
      configuration.toolsBy ?? (refused.has(nameOf(configuration, model)) ? 'prompt' : 'native'),
    refused: (configuration: ProviderConfiguration, model: string) => {
      refused.add(nameOf(configuration, model));
    },
  };
}
