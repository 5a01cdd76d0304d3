import type { ExperimentDraft } from './experiment-draft.ts';

/** What each part of the experiment form is given. */
export type FormPartProps = {
  draft: ExperimentDraft;
  change: (changes: Partial<ExperimentDraft>) => void;
  /** What is wrong with a field, by its path in the request: `budget.maxTokens`. */
  errorAt: (path: string) => string | null;
};
