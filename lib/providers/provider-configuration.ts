import { type ModelPrices, PROVIDER_DEFINITIONS, type ProviderKind, type ProviderOptions } from './provider-kinds.ts';
import type { RefusableParameter } from './refused-parameter-record.ts';

/** How to reach a provider. `baseUrl` null = the provider's own address; `prices` are a person's own, by model. */
export type ProviderConfiguration = {
  name: string;
  kind: ProviderKind;
  baseUrl: string | null;
  apiKey: string | null;
  /** Entries that its kind needs beside address and key; left out where there are none. */
  options?: ProviderOptions;
  /** Headers that every request to it has. Their values may be secret. */
  headers?: Readonly<Record<string, string>>;
  prices: Record<string, ModelPrices>;
  /** Whether its models are told of tools by the provider's own means or in the prompt. Left out or null: native until one refuses. */
  toolsBy?: ToolsBy | null;
  /** Seconds after which a call is given up, see `DEFAULT_TIMEOUT_SECONDS`. */
  timeoutSeconds?: number | null;
  /** What the last call that told said of its key; null or left out where none has. */
  keyState?: 'works' | 'refused' | null;
  /** Parameters that its models are known to refuse. */
  refused?: readonly { model: string; parameter: RefusableParameter }[];
};

/**
 * The time limit of a call where its provider has none of its own, in seconds: for the whole response, or for each next piece of one that
 * is streamed.
 */
export const DEFAULT_TIMEOUT_SECONDS = 300;
/** How many times its limit a streamed response may take in all. */
export const LONGEST_STREAM = 10;

export const TOOLS_BY = ['native', 'prompt'] as const;
export type ToolsBy = (typeof TOOLS_BY)[number];

/** Where requests to a provider go, without a slash at the end; null where none is set and the kind has none of its own. */
export function baseUrlOf({
  kind,
  baseUrl,
  options = {},
}: Pick<ProviderConfiguration, 'kind' | 'baseUrl' | 'options'>): string | null {
  const { baseUrl: own, baseUrlFrom } = PROVIDER_DEFINITIONS[kind];
  const url = baseUrl?.trim() || (baseUrlFrom?.(options) ?? own);
  return url === null ? null : url.replace(/\/+$/, '');
}

/** The provider as it may be shown in a message: its name and address, without user name, password or query. */
export function placeOf(configuration: ProviderConfiguration): string {
  if (configuration.kind === 'target') return `the target "${configuration.name}"`;
  const url = baseUrlOf(configuration);
  if (url === null || !URL.canParse(url)) return `provider "${configuration.name}"`;
  const { origin, pathname } = new URL(url);
  return `provider "${configuration.name}" (${origin}${pathname.replace(/\/+$/, '')})`;
}

/** Whether requests to a provider go to the older chat call, whose limit of tokens has two names. */
export function speaksChat({ kind, baseUrl, options }: ProviderConfiguration): boolean {
  const { chatCompletions } = PROVIDER_DEFINITIONS[kind];
  if (options?.api !== undefined) return options.api === 'chat';
  return chatCompletions === 'everywhere' || (chatCompletions === 'at_other_base_urls' && baseUrl !== null);
}

/** The provider that is always there: needs no key and no network. */
export const PRACTICE_PROVIDER: ProviderConfiguration = {
  name: 'practice',
  kind: 'practice',
  baseUrl: null,
  apiKey: null,
  prices: {},
};
/** The one model of the practice provider that writes texts. */
export const PRACTICE_MODEL = 'practice-1';
