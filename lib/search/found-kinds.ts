/** Kinds of things that are found, in the order in which they are shown. */
export const FOUND_KINDS = ['experiment', 'prompt', 'dataset', 'run', 'lesson', 'case', 'output', 'doc'] as const;
