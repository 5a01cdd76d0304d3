/** Where a provider is used: how many experiments and prompts name it, and the last changed of them with what for. */
export type ProviderUse = {
  experiments: number;
  prompts: number;
  /** The models they name, the most used first. */
  models: { model: string; uses: number; roles: string[] }[];
  named: { kind: 'experiment' | 'prompt'; id: string; name: string; roles: string[] }[];
};
