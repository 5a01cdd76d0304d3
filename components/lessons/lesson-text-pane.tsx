import { PencilLine } from 'lucide-react';
import { MayButton } from '#components/access/may-button.tsx';
import { DescriptionList } from '#components/ui/description-list.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { LESSON_FIELDS } from '#lib/core/lesson-schema.ts';
import { MarkedText } from './marked-text.tsx';

/** What a lesson says, by its fields where its kind has some; what the screening found in it is marked. */
export function LessonLabel({ lesson, onEdit }: { lesson: LessonDetail; onEdit: () => void }) {
  const matches = lesson.findings.map(({ matched }) => matched);
  const filled = LESSON_FIELDS[lesson.kind].filter(({ name }) => (lesson.fields[name] ?? '') !== '');
  return (
    <Pane data-testid="lesson-text">
      <PaneHeader>
        <h2>{filled.length === 0 ? 'The lesson' : 'Fields'}</h2>
        {matches.length === 0 ? null : <span className="text-ink-3 text-sm">marked: what the screening found</span>}
        <span className="ml-auto">
          <MayButton needs="reviewer" variant="ghost" size="small" onClick={onEdit}>
            <PencilLine className="size-3.25" aria-hidden />
            Edit <kbd>e</kbd>
          </MayButton>
        </span>
      </PaneHeader>
      {filled.length === 0 ? (
        <p className="prose">
          <MarkedText text={lesson.text} matches={matches} />
        </p>
      ) : (
        <DescriptionList>
          {filled.map(({ name, label }) => (
            <div key={name} className="contents">
              <dt>{label}</dt>
              <dd className="max-w-[68ch]">
                <MarkedText text={lesson.fields[name] ?? ''} matches={matches} />
              </dd>
            </div>
          ))}
        </DescriptionList>
      )}
    </Pane>
  );
}
