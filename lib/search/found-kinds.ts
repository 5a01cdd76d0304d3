/** Kinds of search results in display order. */
export const FOUND_KINDS = ['experiment', 'prompt', 'dataset', 'run', 'lesson', 'case', 'output', 'doc'] as const;
