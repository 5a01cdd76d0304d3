/** Where a provider is used: how many experiments and prompts name it, and the last changed of them with what for. */
export type ProviderUse = {
  experiments: number;
  prompts: number;
  named: { kind: 'experiment' | 'prompt'; id: string; name: string; roles: string[] }[];
};
