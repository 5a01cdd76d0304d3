import { type ModelPrices, PROVIDER_DEFINITIONS, type ProviderKind, type ProviderOptions } from './provider-kinds.ts';
import type { RefusableParameter } from './refused-parameter-record.ts';

/** Connection to a provider. `baseUrl` null means the provider's own URL. `prices` are a person's own, by model. */
export type ProviderConfiguration = {
  name: string;
  kind: ProviderKind;
  baseUrl: string | null;
  apiKey: string | null;
  /** Options required by its kind. Omitted if there are none. */
  options?: ProviderOptions;
  /** Headers sent with every request. Their values may be secret. */
  headers?: Readonly<Record<string, string>>;
  prices: Record<string, ModelPrices>;
  /** Transport of tools: the provider's native API, or the prompt. If omitted or null, native is used until a model refuses. */
  toolsBy?: ToolsBy | null;
  /** Timeout of a call in seconds, see `DEFAULT_TIMEOUT_SECONDS`. */
  timeoutSeconds?: number | null;
  /** Key state from the last conclusive call. Null or omitted if unknown. */
  keyState?: 'works' | 'refused' | null;
  /** Parameters that its models are known to refuse. */
  refused?: readonly { model: string; parameter: RefusableParameter }[];
};

/** Default timeout of a call, in seconds. It applies to the whole response, or to each next piece of a streamed one. */
export const DEFAULT_TIMEOUT_SECONDS = 300;
/** Maximum total duration of a streamed response, as a multiple of its timeout. */
export const MAX_STREAM_TIMEOUT_FACTOR = 10;

export const TOOLS_BY = ['native', 'prompt'] as const;
export type ToolsBy = (typeof TOOLS_BY)[number];

/** Returns the base URL of a provider without a trailing slash. Null if none is set and the kind has no default. */
export function baseUrlOf({
  kind,
  baseUrl,
  options = {},
}: Pick<ProviderConfiguration, 'kind' | 'baseUrl' | 'options'>): string | null {
  const { baseUrl: own, baseUrlFrom } = PROVIDER_DEFINITIONS[kind];
  const url = baseUrl?.trim() || (baseUrlFrom?.(options) ?? own);
  return url === null ? null : url.replace(/\/+$/, '');
}

/** Formats a provider for a message: its name and URL, without user name, password or query. */
export function serverLabel(configuration: ProviderConfiguration): string {
  if (configuration.kind === 'target') return `the target "${configuration.name}"`;
  const url = baseUrlOf(configuration);
  if (url === null || !URL.canParse(url)) return `provider "${configuration.name}"`;
  const { origin, pathname } = new URL(url);
  return `provider "${configuration.name}" (${origin}${pathname.replace(/\/+$/, '')})`;
}

/** Returns true if requests use the older chat API, in which the token limit has two names. */
export function usesChatApi({ kind, baseUrl, options }: ProviderConfiguration): boolean {
  const { chatCompletions } = PROVIDER_DEFINITIONS[kind];
  if (options?.api !== undefined) return options.api === 'chat';
  return chatCompletions === 'everywhere' || (chatCompletions === 'at_other_base_urls' && baseUrl !== null);
}

/** Built-in provider that needs no key and no network. */
export const PRACTICE_PROVIDER: ProviderConfiguration = {
  name: 'practice',
  kind: 'practice',
  baseUrl: null,
  apiKey: null,
  prices: {},
};
/** The practice provider's only model that generates text. */
export const PRACTICE_MODEL = 'practice-1';
