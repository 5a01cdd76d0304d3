/** Modes of a run after an evaluation: revise the output, draft it again, or tune its prompt. */
export const MODES = ['revise', 'retry', 'tune'] as const;
export type Mode = (typeof MODES)[number];

export const BEST_VERSION_RULES = ['highest_score', 'latest', 'first_satisfactory', 'weighted_recency'] as const;

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
