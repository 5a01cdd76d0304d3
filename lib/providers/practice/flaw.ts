import type { TaskTerms } from './task-terms.ts';

export type CritiqueReply = {
  summary: string;
  issues: { text: string; criterion: string | null; scope: Flaw['scope']; sameAs: string | null }[];
  suggestions: string[];
};

/** One way in which a text can fall short, that can be seen in the text itself and mended in its place. */
export type Flaw = {
  id: string;
  /** Mended where it stands, or by adding what is missing. */
  scope: 'local' | 'missing';
  /** What was found, for the issue's text; null when the text is free of it. An empty text = found, nothing to show. */
  find(text: string, task: TaskTerms): string | null;
  /** What is wrong, given what was found. */
  issue(found: string): string;
  suggestion: string;
  /** The advice of a lesson, after "Next time, ". */
  advice: string;
  /** Whether a remark speaks of it. */
  mentions: RegExp;
  /** The sentence or paragraph a flawed draft has in this place ('' = it lacks one), and the good one. */
  flawed(task: TaskTerms): string;
  good(task: TaskTerms): string;
  /** Mends any text, changing as little as it can. */
  mend(text: string, task: TaskTerms): string;
};
