import type { LessonRecall } from '#lib/core/lesson-library.ts';

/** What came of a lesson in a prompt: a sign and a word; null where nothing stands to compare with. */
export function LessonEffect({ effect }: { effect: LessonRecall['effect'] }) {
  switch (effect) {
    case 'helpful':
      return (
        <span className="whitespace-nowrap font-medium text-better">
          <span aria-hidden>▲</span> helped
        </span>
      );
    case 'harmful':
      return (
        <span className="whitespace-nowrap font-medium text-worse">
          <span aria-hidden>▼</span> hurt
        </span>
      );
    case 'neutral':
      return <span className="whitespace-nowrap font-medium text-ink-3">= neutral</span>;
    case null:
      return <span className="text-ink-3">not evaluated</span>;
  }
}
