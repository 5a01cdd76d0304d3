import type { TokenScope } from '#lib/reflection/api-token.ts';

/** What a program may do with a scope. */
export const SCOPE_WORDS: Record<TokenScope, string> = {
  'lessons:read': 'Recall, read and export lessons',
  'lessons:write': 'Hand in, edit and delete lessons; people alone review them',
  'runs:read': 'Read and export runs, experiments, datasets, prompts and reports',
  'runs:write': 'Start, decide, stop and delete runs; change experiments, datasets and prompts. Spends money on models',
};
