import type { CriterionDraft } from './criterion-draft.ts';

/** What the fields of one evaluator kind are given. */
export type CriterionConfigProps = {
  criterion: CriterionDraft;
  /** Names of the installation's webhooks. */
  webhooks: readonly string[];
  /** Whether an owner has turned Python on. */
  isPythonOn: boolean;
  /** What is wrong with a field, by its path within the criterion: `config.pattern`. */
  errorAt: (field: string) => string | null;
  onChange: (changes: Partial<CriterionDraft>) => void;
};
