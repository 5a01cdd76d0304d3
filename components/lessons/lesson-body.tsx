import { PencilLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { DescriptionList, Term } from '#components/ui/description-list.tsx';
import { DiffView } from '#components/ui/diff/lazy-diff-view.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { TimeAgo, useExactTime } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { ShortcutKey } from '#components/ui/use-shortcuts.tsx';
import { estimatedTokens } from '#lib/core/estimated-tokens.ts';
import type { LessonBrief, LessonDetail, LessonEdit, LessonRecall } from '#lib/core/lesson-library.ts';
import { LESSON_FIELDS } from '#lib/core/lesson-schema.ts';
import { recalledLine } from '#lib/core/prompts/recalled-line.ts';
import { formatCount, formatNumberOf, formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';
import { LessonChecks } from './lesson-checks.tsx';
import { LessonEffect } from './lesson-head.tsx';
import { scopeLabel } from './lesson-labels.ts';
import { LessonPeoplePane } from './lesson-people.tsx';
import { LessonTimeline } from './lesson-timeline.tsx';
import { MarkedText } from './marked-text.tsx';
import { RulePane } from './rule-pane.tsx';
import { TrialPane } from './trial-pane.tsx';

type LessonBodyProps = {
  lesson: LessonDetail;
  onEdit: () => void;
  onScreen: () => Promise<void>;
};

/** Details of a lesson: text and origin on the left, checks and discussion on the right. */
export function LessonBody({ lesson, onEdit, onScreen }: LessonBodyProps) {
  return (
    <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_25rem] medium:in-data-[slot=queue-item]:grid-cols-2 wide:in-data-[slot=queue-item]:grid-cols-[minmax(0,1fr)_22.5rem] border-b-0">
      <div className="min-w-0">
        <LessonLabel lesson={lesson} onEdit={onEdit} />
        <LessonOriginPane lesson={lesson} />
        <LessonEdits edits={lesson.edits} />
        <LessonRecalls lesson={lesson} />
      </div>
      <div className="min-w-0">
        <LessonChecks lesson={lesson} onScreen={onScreen} />
        <TrialPane lesson={lesson} />
        <RulePane lesson={lesson} />
        <LessonDuplicates lesson={lesson} />
        <LessonReach lesson={lesson} />
        <LessonPeoplePane key={`people ${lesson.id}`} lesson={lesson} />
        <LessonTimeline key={lesson.id} lesson={lesson} />
      </div>
    </Columns>
  );
}

/** Shows the scope in which a promoted lesson is recalled, and its prompt tokens. For a waiting lesson, shows the same as if promoted. */
function LessonReach({ lesson }: { lesson: LessonDetail }) {
  const { status, scope } = lesson;
  if (status === 'rejected' || status === 'archived') return null;
  const isPromoted = status === 'promoted';
  const tokens = formatCount(estimatedTokens(recalledLine(lesson)));
  return (
    <Pane>
      <PaneHeader title={isPromoted ? 'Reach' : 'Reach if promoted'} />
      <p className="wrap-anywhere text-ink-2 text-sm">
        Matching runs {isPromoted ? 'recall' : 'can recall'} it for {scopeLabel(scope)}, from their next attempt or
        revision. It uses about {tokens} prompt tokens.
        {isPromoted ? ' Retire it to remove it from all prompts at once.' : ''}
      </p>
    </Pane>
  );
}

function LessonLabel({ lesson, onEdit }: { lesson: LessonDetail; onEdit: () => void }) {
  const matches = lesson.findings.map(({ matched }) => matched);
  const filled = LESSON_FIELDS[lesson.kind].filter(({ name }) => (lesson.fields[name] ?? '') !== '');
  return (
    <Pane data-testid="lesson-text">
      <PaneHeader
        title={filled.length === 0 ? 'The lesson' : 'Fields'}
        note={matches.length === 0 ? null : 'highlighted: screening findings'}
      >
        <span className="ml-auto">
          <RoleButton needs="reviewer" variant="ghost" size="small" onClick={onEdit}>
            <PencilLine />
            Edit <ShortcutKey id="lessons.edit" />
          </RoleButton>
        </span>
      </PaneHeader>
      {filled.length === 0 ? (
        <p className="prose">
          <MarkedText text={lesson.text} matches={matches} />
        </p>
      ) : (
        <DescriptionList>
          {filled.map(({ name, label }) => (
            <Term key={name} name={label} className="max-w-[68ch]">
              <MarkedText text={lesson.fields[name] ?? ''} matches={matches} />
            </Term>
          ))}
        </DescriptionList>
      )}
    </Pane>
  );
}

function LessonEdits({ edits }: { edits: readonly LessonEdit[] }) {
  if (edits.length === 0) return null;
  return (
    <Pane data-testid="lesson-edits">
      <PaneHeader title="Edits" note={edits.length} />
      <ol className="flex flex-col gap-4">
        {edits.toReversed().map((edit) => (
          <li key={edit.number}>
            <p className="wrap-anywhere mb-1.5 text-sm">
              <b className="font-medium">Edit {edit.number + 1}</b>{' '}
              <span className="text-ink-2">
                {edit.actor}, <TimeAgo moment={edit.createdAt} />
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

function LessonDuplicates({ lesson: { merged, mergedCount, mergedInto } }: { lesson: LessonDetail }) {
  if (merged.length === 0 && mergedInto === null) return null;
  return (
    <Pane data-testid="lesson-duplicates">
      <PaneHeader
        title="Near-duplicates"
        note={mergedInto === null ? `${formatCount(mergedCount)} merged into this one` : 'merged into another lesson'}
      />
      <ul className="flex flex-col gap-2">
        {mergedInto === null ? null : <Brief brief={mergedInto} isKept />}
        {[...Map.groupBy(merged, ({ text }) => text).values()].map(([first, ...same]) =>
          first === undefined ? null : (
            <Brief key={first.id} brief={first} isKept={false}>
              {same.length === 0 ? null : (
                <details className="text-sm">
                  <summary>{formatNumberOf(same.length, 'more', 'more')} with the same text</summary>
                  <ul className="mt-2 flex flex-col gap-2">
                    {same.map((brief) => (
                      <Brief key={brief.id} brief={brief} isKept={false} />
                    ))}
                  </ul>
                </details>
              )}
            </Brief>
          ),
        )}
      </ul>
      {mergedCount > merged.length ? (
        <p className="mt-1 text-ink-3 text-sm">
          The oldest {formatCount(merged.length)} of {formatCount(mergedCount)} are shown.
        </p>
      ) : null}
    </Pane>
  );
}

function Brief({ brief, isKept, children }: { brief: LessonBrief; isKept: boolean; children?: ReactNode }) {
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
            <TextLink href={`/runs/${brief.source.runId}`}>from a run</TextLink>
          </>
        )}
      </p>
      {children}
    </li>
  );
}

function LessonOriginPane({ lesson }: { lesson: LessonDetail }) {
  const { origin, source } = lesson;
  return (
    <Pane>
      <PaneHeader title="Source" />
      <DescriptionList>
        {origin === null ? (
          <>
            <Term name="Source">{sourceLabel(lesson)}</Term>
            {source.input === '' ? null : (
              <Term name="Learned on" className="wrap-anywhere max-w-[68ch] whitespace-pre-wrap">
                {source.input}
              </Term>
            )}
          </>
        ) : (
          <>
            <Term name="Run">
              <TextLink href={`/runs/${origin.runId}${origin.version === null ? '' : `?v=${origin.version}`}`}>
                {formatRunNumber(origin.runNumber)}
              </TextLink>{' '}
              <span className="wrap-anywhere">{formatTitle(origin.input, 100) || 'An empty case'}</span>
              {origin.version === null ? '' : `, v${origin.version}`},{' '}
              <b className="font-medium">{formatScore(origin.score)}</b>
            </Term>
            <Term name="Experiment" className="wrap-anywhere">
              <TextLink href={`/experiments/${origin.experimentId}`}>{origin.experimentName}</TextLink>
            </Term>
            {origin.issues.length === 0 ? null : (
              <Term name="Issues at that time">
                <ul className="flex flex-col gap-1">
                  {origin.issues.map((issue) => (
                    <li key={`${issue.criterion} ${issue.text}`} className="wrap-anywhere">
                      {issue.text}{' '}
                      {issue.criterion === null ? null : <span className="text-ink-3">{issue.criterion}</span>}
                    </li>
                  ))}
                </ul>
              </Term>
            )}
            {origin.feedback === null || origin.feedback === '' ? null : (
              <Term name="Feedback" className="wrap-anywhere max-w-[68ch] whitespace-pre-wrap">
                {origin.feedback}
              </Term>
            )}
            {origin.output === null || origin.output === '' ? null : (
              <Term name="Output">
                <details>
                  <summary className="cursor-pointer text-ink-2">Scored output</summary>
                  <CodeBlock className="mt-1">{origin.output}</CodeBlock>
                </details>
              </Term>
            )}
          </>
        )}
        <Term name="Written by" className="wrap-anywhere">
          {lesson.createdBy === 'import' ? 'an import' : lesson.createdBy}
        </Term>
        <Term name="Block" className="wrap-anywhere font-mono text-[0.94em]">
          {lesson.block}
        </Term>
      </DescriptionList>
    </Pane>
  );
}

function sourceLabel({ source, createdBy }: LessonDetail): string {
  if (source.runId !== null) return 'a deleted run';
  return createdBy === 'import' ? 'imported from another library' : 'written by hand';
}

/** Shows where a lesson was recalled and its effect: the score of the version compared with the one before. */
function LessonRecalls({ lesson }: { lesson: LessonDetail }) {
  const { recalls, used, helpful, harmful, neutral } = lesson;
  return (
    <Pane data-testid="lesson-recalls">
      <PaneHeader
        title="Recalls"
        note={
          used === 0
            ? 'not recalled yet'
            : `${used >= 1000 ? '1,000 times or more' : formatNumberOf(used, 'time')}${lesson.status === 'promoted' ? '' : ', only by its own run until promoted'}`
        }
      />
      {used === 0 ? (
        <p className="text-ink-2 text-sm">
          {lesson.status === 'promoted'
            ? 'The next run with a matching input will recall it.'
            : 'Other runs can recall it once a reviewer promotes it.'}
        </p>
      ) : (
        <>
          <p className="mb-2 text-sm">
            Helped <b className={helpful > 0 ? 'text-better' : 'font-medium'}>{formatCount(helpful)}</b>, hurt{' '}
            <b className={harmful > 0 ? 'text-worse' : 'font-medium'}>{formatCount(harmful)}</b>, neutral{' '}
            <b className="font-medium">{formatCount(neutral)}</b>{' '}
            <span className="text-ink-2">of {formatNumberOf(helpful + harmful + neutral, 'judged use')}</span>
          </p>
          <Table scrollLabel="Recalls" isCapped isTight>
            <TableHead>
              <ColumnHead>Run</ColumnHead>
              <NumberHead>Rank</NumberHead>
              <NumberHead className="max-narrow:hidden">Match</NumberHead>
              <NumberHead className="max-narrow:hidden">Score</NumberHead>
              <ColumnHead>Then</ColumnHead>
            </TableHead>
            <tbody>
              {recalls.map((recall) => (
                <Row key={`${recall.runId} ${recall.version}`} recall={recall} />
              ))}
            </tbody>
          </Table>
          {used > recalls.length ? (
            <p className="mt-1 text-ink-3 text-sm">The newest {formatCount(recalls.length)} are shown.</p>
          ) : null}
        </>
      )}
    </Pane>
  );
}

function Row({ recall }: { recall: LessonRecall }) {
  const { scoreBefore, scoreAfter } = recall;
  return (
    <tr>
      <td className="wrap-anywhere">
        <TextLink className="whitespace-nowrap" href={`/runs/${recall.runId}?v=${recall.version}`}>
          {formatRunNumber(recall.runNumber)}, v{recall.version}
        </TextLink>{' '}
        <span className="text-ink-2 text-sm">
          {recall.isOwnRun ? 'its own run' : formatTitle(recall.input, 60) || 'An empty case'}
        </span>
      </td>
      <NumberCell>{recall.rank}</NumberCell>
      <NumberCell className="max-narrow:hidden">
        {recall.score === null ? <span className="text-ink-3">whole block</span> : formatScore(recall.score)}
      </NumberCell>
      <NumberCell className="max-narrow:hidden">
        {scoreBefore === null ? '' : `${formatScore(scoreBefore)} → `}
        {formatScore(scoreAfter)}
      </NumberCell>
      <td className="whitespace-nowrap">
        <LessonEffect effect={recall.effect} />
      </td>
    </tr>
  );
}
