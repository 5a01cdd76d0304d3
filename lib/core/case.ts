import type { CaseCriteria } from './case-criteria.ts';

/**
 * One task of a run: what goes in, and what people know about the right answer. `criteria`: how it is scored otherwise than the experiment
 * says; left out or null: not at all.
 */
export type Case = {
  input: string;
  reference: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  criteria?: CaseCriteria | null | undefined;
};
