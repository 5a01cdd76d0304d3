import { NO_SPEND, type RecalledLesson, type Spend, type WrittenLesson } from './history.ts';
import type { Recall, RecalledText } from './recalled-text.ts';
import type { ExperimentSettings } from './settings.ts';

/** The lessons of one prompt: the run's own, those of the library, all of them as they are recorded, and what finding them cost. */
export type StepLessons = {
  own: WrittenLesson[];
  recalled: RecalledText[];
  recalledLessons: RecalledLesson[];
  spend: Spend;
};

/** Recalls for a step that makes a version. What an own lesson and a recalled one both say stands once. Null when it was called off. */
export async function stepLessons(own: WrittenLesson[], recall: Recall | undefined): Promise<StepLessons | null> {
  const found = recall === undefined ? { lessons: [], spend: NO_SPEND } : await recall();
  if (found === null) return null;
  const recalled = unsaid(own, found.lessons);
  const all = [...own.map(({ id }) => ({ id, score: null })), ...recalled];
  const recalledLessons = all.map(({ id, score }, position) => ({ lessonId: id, rank: position + 1, score }));
  return { own, recalled, recalledLessons, spend: found.spend };
}

/** The lessons that a run's next attempt is given of its own: what is only staged waits for its review, what was withheld for a person. */
export function ownLessons(lessons: WrittenLesson[], { lessons: { write } }: ExperimentSettings): WrittenLesson[] {
  return write === 'learn' ? lessons.filter(({ kind, withheld }) => kind === 'lesson' && withheld !== true) : [];
}

function unsaid(own: WrittenLesson[], recalled: RecalledText[]): RecalledText[] {
  const said = new Set(own.flatMap(({ id, text }) => [id, essence(text)]));
  return recalled.filter(({ id, text }) => {
    const isNew = !said.has(id) && !said.has(essence(text));
    said.add(id).add(essence(text));
    return isNew;
  });
}

/** A text without case, marks and spaces. */
function essence(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
