import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { REVIEW_PARTS, type ReviewPart } from './review-queue.ts';

const PARSERS = {
  lesson: parseAsString,
  part: parseAsStringLiteral(REVIEW_PARTS).withDefault('all'),
  show: parseAsStringLiteral(['item', 'list'] as const).withDefault('item'),
};

/** What of the review stands in the address: the chosen lesson, which are listed, and on narrow pages whether the list or the lesson is seen. */
export function useReviewState() {
  const [{ lesson, part, show }, set] = useQueryStates(PARSERS);
  return {
    lesson,
    part,
    show,
    choose: (id: string | null) => void set({ lesson: id, show: null }),
    /** Holds fast to the lesson in sight while the list around it changes. */
    hold: (id: string) => void set({ lesson: id }),
    setPart: (next: ReviewPart) => void set({ part: next, lesson: null }),
    setShow: (next: 'item' | 'list') => void set({ show: next }),
  };
}
