/** Modes of a run after an evaluation: revise the output, draft it again, or tune its prompt. */
export const MODES = ['revise', 'retry', 'tune'] as const;
export type Mode = (typeof MODES)[number];
