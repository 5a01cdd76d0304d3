import type { z } from 'zod';

/** All revision strategies of the settings. Their implementations are in `choose-strategy.ts`. */
export const STRATEGY_DEFINITIONS = {
  full_rewrite: { label: 'a whole new text', help: 'The model answers with the whole new text' },
  targeted_edit: {
    label: 'exact edits',
    help: 'The model answers with exact replacements. Everything else stays unchanged',
  },
  incremental: {
    label: 'section changes',
    help: 'The model adds or rewrites sections. The others stay unchanged',
  },
  hybrid: {
    label: 'whichever fits the issues',
    help: 'Default. Up to three small issues are edited in place, missing parts are added, anything else is rewritten',
  },
} satisfies Record<string, { label: string; help: string }>;

export type RevisionStrategy = keyof typeof STRATEGY_DEFINITIONS;

export const REVISION_STRATEGIES: readonly RevisionStrategy[] = Object.keys(STRATEGY_DEFINITIONS).filter(
  (name): name is RevisionStrategy => name in STRATEGY_DEFINITIONS,
);

/** Strategies that a version can be revised with. `hybrid` selects one of them. */
export type AppliedStrategy = Exclude<RevisionStrategy, 'hybrid'>;

/** The revised text, or the problems of the response as messages for the model. */
export type Revised = { ok: true; output: string } | { ok: false; wrong: string[] };

/** A revision strategy: the answer format for the model, and the parser that applies its answer. Pure. */
export type Strategy = {
  name: AppliedStrategy;
  /** Default instructions for the model. A user-written revise prompt replaces them. */
  instructions: string;
  /** Returns the sections of the prompt with the answer format, after the feedback. */
  form(draft: string, structured: boolean): string[];
  /** Schema of a structured answer. Null if the answer is the text itself. */
  output: { name: string; schema: z.ZodType } | null;
  read(draft: string, response: string): Revised;
};
