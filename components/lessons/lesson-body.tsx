import { PencilLine } from 'lucide-react';
import { MayButton } from '#components/access/may-button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { DescriptionList } from '#components/ui/description-list.tsx';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { Link } from '#components/ui/link.tsx';
import { useExactTime } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ShortcutKey } from '#components/ui/shortcut-key.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import type { LessonBrief, LessonDetail, LessonEdit } from '#lib/core/lesson-library.ts';
import { LESSON_FIELDS } from '#lib/core/lesson-schema.ts';
import { recalledLine } from '#lib/core/prompts/recalled-section.ts';
import { estimatedTokens } from '#lib/core/text-values.ts';
import { formatCount } from '#lib/format.ts';
import { LessonChecks } from './lesson-checks.tsx';
import { scopeLabel } from './lesson-labels.ts';
import { LessonOriginPane, LessonRecalls } from './lesson-origin.tsx';
import { LessonPeoplePane } from './lesson-people.tsx';
import { type CommentOnLesson, LessonTalk } from './lesson-talk.tsx';
import { MarkedText } from './marked-text.tsx';
import { RulePane } from './rule-pane.tsx';
import { TrialPane } from './trial-pane.tsx';

type LessonBodyProps = {
  lesson: LessonDetail;
  now: Date;
  comment: CommentOnLesson;
  onEdit: () => void;
  /** Has a staged lesson screened. */
  onScreen: () => Promise<void>;
};

/** All that is known of a lesson: what it says and where it is from at the left, its way here and what people say at the right. */
export function LessonBody({ lesson, now, comment, onEdit, onScreen }: LessonBodyProps) {
  return (
    <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_25rem] medium:in-data-[slot=queue-item]:grid-cols-2 wide:in-data-[slot=queue-item]:grid-cols-[minmax(0,1fr)_22.5rem] border-b-0">
      <div className="min-w-0">
        <LessonLabel lesson={lesson} onEdit={onEdit} />
        <LessonOriginPane lesson={lesson} />
        <LessonEdits edits={lesson.edits} now={now} />
        <LessonRecalls lesson={lesson} />
      </div>
      <div className="min-w-0">
        <LessonChecks lesson={lesson} onScreen={onScreen} />
        <TrialPane lesson={lesson} />
        <RulePane lesson={lesson} />
        <LessonDuplicates lesson={lesson} />
        <LessonReach lesson={lesson} />
        <LessonPeoplePane key={`people ${lesson.id}`} lesson={lesson} />
        <LessonTalk key={lesson.id} lesson={lesson} now={now} comment={comment} />
      </div>
    </Columns>
  );
}

/** Whom a promoted lesson reaches and what it takes of a prompt; of one that waits, what promoting it would do. */
function LessonReach({ lesson }: { lesson: LessonDetail }) {
  const { status, scope } = lesson;
  if (status === 'rejected' || status === 'archived') return null;
  const isPromoted = status === 'promoted';
  const tokens = formatCount(estimatedTokens(recalledLine(lesson)));
  return (
    <Pane>
      <PaneHeader>
        <h2>{isPromoted ? 'Reach' : 'Reach if promoted'}</h2>
      </PaneHeader>
      <p className="wrap-anywhere text-ink-2 text-sm">
        {isPromoted
          ? `Matching runs recall it for ${scopeLabel(scope)}, from their next attempt or revision.`
          : `Matching runs can recall it for ${scopeLabel(scope)}, from their next attempt or revision.`}{' '}
        It uses about {tokens} prompt tokens.
        {isPromoted ? ' Retire it to remove it from all prompts at once.' : ''}
      </p>
    </Pane>
  );
}

/** What a lesson says, by its fields where its kind has some; what the screening found in it is marked. */
function LessonLabel({ lesson, onEdit }: { lesson: LessonDetail; onEdit: () => void }) {
  const matches = lesson.findings.map(({ matched }) => matched);
  const filled = LESSON_FIELDS[lesson.kind].filter(({ name }) => (lesson.fields[name] ?? '') !== '');
  return (
    <Pane data-testid="lesson-text">
      <PaneHeader>
        <h2>{filled.length === 0 ? 'The lesson' : 'Fields'}</h2>
        {matches.length === 0 ? null : <span className="text-ink-3 text-sm">highlighted: screening findings</span>}
        <span className="ml-auto">
          <MayButton needs="reviewer" variant="ghost" size="small" onClick={onEdit}>
            <PencilLine className="size-3.25" aria-hidden />
            Edit <ShortcutKey id="lessons.edit" />
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

/** What people changed of a lesson, latest first: who, why, and each change word by word. */
function LessonEdits({ edits, now }: { edits: readonly LessonEdit[]; now: Date }) {
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
                {edit.actor}, <TimeAgo moment={edit.createdAt} now={now.toISOString()} />
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
                Scope <del>{scopeLabel(edit.before.scope)}</del>, now <ins>{scopeLabel(edit.after.scope)}</ins>
              </p>
            )}
          </li>
        ))}
      </ol>
    </Pane>
  );
}

/** Lessons that say the same: the one that speaks for this, or those this one speaks for. */
function LessonDuplicates({ lesson: { merged, mergedInto } }: { lesson: LessonDetail }) {
  if (merged.length === 0 && mergedInto === null) return null;
  return (
    <Pane data-testid="lesson-duplicates">
      <PaneHeader>
        <h2>Near-duplicates</h2>
        <span className="text-ink-3 text-sm">
          {mergedInto === null ? `${merged.length} merged into this one` : 'merged into another lesson'}
        </span>
      </PaneHeader>
      <ul className="flex flex-col gap-2">
        {(mergedInto === null ? merged : [mergedInto, ...merged]).map((brief) => (
          <Brief key={brief.id} brief={brief} isKept={brief.id === mergedInto?.id} />
        ))}
      </ul>
    </Pane>
  );
}

function Brief({ brief, isKept }: { brief: LessonBrief; isKept: boolean }) {
  const exactTime = useExactTime();
  return (
    <li>
      <Link href={`/lessons/${brief.id}`} className="wrap-anywhere link whitespace-pre-wrap">
        {brief.text}
      </Link>
      <p className="wrap-anywhere text-ink-3 text-sm" title={exactTime(brief.createdAt)}>
        {isKept ? `replaces this one, ${brief.status}` : brief.source.runId === null ? brief.createdBy : null}
        {brief.source.runId === null ? null : (
          <>
            {isKept ? ', ' : null}
            <Link className="link" href={`/runs/${brief.source.runId}`}>
              from a run
            </Link>
          </>
        )}
      </p>
    </li>
  );
}
