import { fullRewrite } from './full-rewrite.ts';
import { incremental } from './incremental.ts';
import type { AppliedStrategy, Strategy } from './strategy.ts';
import { targetedEdit } from './targeted-edit.ts';

/** Every way of revising by its name. */
export const STRATEGIES: Record<AppliedStrategy, Strategy> = {
  full_rewrite: fullRewrite,
  targeted_edit: targetedEdit,
  incremental,
};
