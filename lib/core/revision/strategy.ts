import type { z } from 'zod';

/** Every way a revision can be made in, as settings name it. `choose-strategy.ts` has what each really does. */
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

/** The ways a version can really be revised in; `hybrid` picks one of them. */
export type AppliedStrategy = Exclude<RevisionStrategy, 'hybrid'>;

/** The text a reply gives, or what was wrong with the reply in words that can be said to the model. */
export type Revised = { ok: true; output: string } | { ok: false; wrong: string[] };

/** One way of revising: the form a model is asked to answer in, and how its answer becomes the new text. Pure. */
export type Strategy = {
  name: AppliedStrategy;
  /** What a model is told it does; a person's own revise prompt stands in its place. */
  instructions: string;
  /** Sections of the prompt, behind the feedback, that say how to answer. */
  form(draft: string, structured: boolean): string[];
  /** The shape of a structured answer; null where the answer is the text itself. */
  output: { name: string; schema: z.ZodType } | null;
  read(draft: string, reply: string): Revised;
};
