/** How a run goes on after an evaluation: the output is revised, drafted again, or its prompt is tuned. */
export const MODES = ['revise', 'retry', 'tune'] as const;
export type Mode = (typeof MODES)[number];
