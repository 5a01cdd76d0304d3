import type { LessonRecall } from '#lib/core/lesson-library.ts';

/** Icon and label for the effect of a recalled lesson. Renders nothing without a version to compare with. */
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
