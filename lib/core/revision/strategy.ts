import type { RevisionStrategy } from '../history.ts';
import type { ModelRequest } from '../model-request.ts';

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
  output: ModelRequest['output'];
  read(draft: string, reply: string): Revised;
};
