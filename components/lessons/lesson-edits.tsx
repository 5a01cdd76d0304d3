import { DiffView } from '#components/run/diff-view.tsx';
import { formatAgo, formatMoment } from '#lib/format.ts';
import type { LessonEdit } from '#lib/reflection/lesson-library.ts';
import { scopeWords } from './lesson-words.ts';

/** What people changed of a lesson, latest first: who, why, and each change word by word. */
export function LessonEdits({ edits, now }: { edits: readonly LessonEdit[]; now: Date }) {
  if (edits.length === 0) return null;
  return (
    <section className="pane" data-testid="lesson-edits">
      <div className="ph">
        <h2>Edits</h2>
        <span className="note">{edits.length}</span>
      </div>
      <ol className="stack gap-4">
        {edits.toReversed().map((edit) => (
          <li key={edit.number}>
            <p className="sm mb-1.5 wrap-anywhere">
              <b className="md5">Edit {edit.number + 1}</b>{' '}
              <span className="muted">
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
            {scopeWords(edit.before.scope) === scopeWords(edit.after.scope) ? null : (
              <p className="sm muted mt-1 wrap-anywhere">
                Meant for <del>{scopeWords(edit.before.scope)}</del>, now <ins>{scopeWords(edit.after.scope)}</ins>
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
