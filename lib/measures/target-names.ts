/** The five targets of the scorecard, as they are named in addresses and in the API. Source: Reflection requirements, success criteria. */
export const TARGETS = ['final_better', 'within_three', 'issues_resolved', 'scored_alike', 'ended_by_rule'] as const;
export type Target = (typeof TARGETS)[number];

/** How a judging model's word may stand to the truth: passed what is not good, failed what is good, or said the same. */
export const JUDGE_FINDINGS = ['let_through', 'held_back', 'agreed'] as const;
export type JudgeFinding = (typeof JUDGE_FINDINGS)[number];
