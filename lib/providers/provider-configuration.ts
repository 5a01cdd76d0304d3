import type { RefusableParameter } from './refused-parameter-record.ts';

export const PROVIDER_KINDS = ['openai', 'anthropic', 'google', 'openai-compatible', 'practice'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** What a model costs, in US dollars a million tokens. */
export type ModelPrices = { inputPerMillionUsd: number; outputPerMillionUsd: number };

/** How to reach a provider. `baseUrl` null = the provider's own address; `prices` are a person's own, by model. */
export type ProviderConfiguration = {
  name: string;
  kind: ProviderKind;
  baseUrl: string | null;
  apiKey: string | null;
  prices: Record<string, ModelPrices>;
  /** Whether its models are told of tools by the provider's own means or in the prompt. Left out or null: native until one refuses. */
  toolsBy?: ToolsBy | null;
  /** Seconds after which a call is given up, see `DEFAULT_TIMEOUT_SECONDS`. */
  timeoutSeconds?: number | null;
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

const OWN_BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

/** Where requests to a provider go, without a slash at the end; null where none is set and the kind has none of its own. */
export function baseUrlOf(configuration: ProviderConfiguration): string | null {
  const own =
    configuration.kind === 'openai-compatible' || configuration.kind === 'practice'
      ? null
      : OWN_BASE_URLS[configuration.kind];
  const url = configuration.baseUrl?.trim() || own;
  return url === null ? null : url.replace(/\/+$/, '');
}

/** The provider as it may be shown in a message: its name and address, without user name, password or query. */
export function placeOf(configuration: ProviderConfiguration): string {
  const url = baseUrlOf(configuration);
  if (url === null || !URL.canParse(url)) return `provider "${configuration.name}"`;
  const { origin, pathname } = new URL(url);
  return `provider "${configuration.name}" (${origin}${pathname.replace(/\/+$/, '')})`;
}
