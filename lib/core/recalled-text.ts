import type { Spend } from './history.ts';
import type { LessonKind } from './lesson-kinds.ts';

/** A lesson of the library for a prompt. `score`: how well it fits the task, 0 to 1; null where it was not looked for by that. */
export type RecalledText = { id: string; kind: LessonKind; text: string; score: number | null };

/** What the library gives a step, in the order of the prompt, and what finding it cost. */
export type Recalled = { lessons: RecalledText[]; spend: Spend };

export const RECALL_EFFECTS = ['helpful', 'harmful', 'neutral'] as const;
/** How a recalled lesson turned out, by what the evaluation of its version says. */
export type RecallEffect = (typeof RECALL_EFFECTS)[number];

/** Recalls lessons for the open step; null when it was called off. */
export type Recall = () => Promise<Recalled | null>;
