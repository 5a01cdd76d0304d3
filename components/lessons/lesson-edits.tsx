import { DiffView } from '#components/run/diff-view.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonEdit } from '#lib/core/lesson-library.ts';
import { formatAgo, formatMoment } from '#lib/format.ts';
import { scopeLabel } from './lesson-labels.ts';

/** What people changed of a lesson, latest first: who, why, and each change word by word. */
export function LessonEdits({ edits, now }: { edits: readonly LessonEdit[]; now: Date }) {
  if (edits.length === 0) return null;
  return (
    <Pane data-testid="lesson-edits">
      <PaneHeader>
        <h2>Edits</h2>
        <span className="text-ink-3 text-sm">{edits.length}</span>
      </PaneHeader>
      <ol className="flex flex-col gap-4">
        {edits.toReversed().map((edit) => (
          <li key={edit.number}>
            <p className="wrap-anywhere mb-1.5 text-sm">
              <b className="font-medium">Edit {edit.number + 1}</b>{' '}
              <span className="text-ink-2">
                {edit.actor}, <time title={formatMoment(edit.createdAt)}>{formatAgo(edit.createdAt, now)}</time>
                {edit.reason ? `: “${edit.reason}”` : ''}
              </span>
            </p>
            {edit.before.text === edit.after.text ? null : (
              <DiffView
                before={edit.before.text}
                after={edit.after.text}
                layout="unified"
                label={`Edit ${edit.number + 1}`}
              />
            )}
            {scopeLabel(edit.before.scope) === scopeLabel(edit.after.scope) ? null : (
              <p className="wrap-anywhere mt-1 text-ink-2 text-sm">
                Meant for <del>{scopeLabel(edit.before.scope)}</del>, now <ins>{scopeLabel(edit.after.scope)}</ins>
              </p>
            )}
          </li>
        ))}
      </ol>
    </Pane>
  );
}
