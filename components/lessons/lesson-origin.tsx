import { CodeBlock } from '#components/ui/code-block.tsx';
import { DescriptionList } from '#components/ui/description-list.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import type { LessonDetail, LessonRecall } from '#lib/core/lesson-library.ts';
import { formatCount, formatNumberOf, formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';
import { LessonEffect } from './lesson-effect.tsx';

/** Where a lesson came from: the run, its version and what its evaluation said; or who wrote it. */
export function LessonOriginPane({ lesson }: { lesson: LessonDetail }) {
  const { origin, source } = lesson;
  return (
    <Pane>
      <PaneHeader>
        <h2>Source</h2>
      </PaneHeader>
      <DescriptionList>
        {origin === null ? (
          <>
            <dt>Source</dt>
            <dd>{sourceLabel(lesson)}</dd>
            {source.input === '' ? null : (
              <>
                <dt>Learned on</dt>
                <dd className="wrap-anywhere max-w-[68ch] whitespace-pre-wrap">{source.input}</dd>
              </>
            )}
          </>
        ) : (
          <>
            <dt>Run</dt>
            <dd>
              <Link
                className="link"
                href={`/runs/${origin.runId}${origin.version === null ? '' : `?v=${origin.version}`}`}
              >
                {formatRunNumber(origin.runNumber)}
              </Link>{' '}
              <span className="wrap-anywhere">{formatTitle(origin.input, 100) || 'An empty case'}</span>
              {origin.version === null ? '' : `, v${origin.version}`},{' '}
              <b className="font-medium">{formatScore(origin.score)}</b>
            </dd>
            <dt>Experiment</dt>
            <dd className="wrap-anywhere">
              <Link className="link" href={`/experiments/${origin.experimentId}`}>
                {origin.experimentName}
              </Link>
            </dd>
            {origin.issues.length === 0 ? null : (
              <>
                <dt>Issues at that time</dt>
                <dd>
                  <ul className="flex flex-col gap-1">
                    {origin.issues.map((issue) => (
                      <li key={`${issue.criterion} ${issue.text}`} className="wrap-anywhere">
                        {issue.text}{' '}
                        {issue.criterion === null ? null : <span className="text-ink-3">{issue.criterion}</span>}
                      </li>
                    ))}
                  </ul>
                </dd>
              </>
            )}
            {origin.feedback === null || origin.feedback === '' ? null : (
              <>
                <dt>Feedback</dt>
                <dd className="wrap-anywhere max-w-[68ch] whitespace-pre-wrap">{origin.feedback}</dd>
              </>
            )}
            {origin.output === null || origin.output === '' ? null : (
              <>
                <dt>Output</dt>
                <dd>
                  <details>
                    <summary className="cursor-pointer text-ink-2">Scored output</summary>
                    <CodeBlock className="mt-1">{origin.output}</CodeBlock>
                  </details>
                </dd>
              </>
            )}
          </>
        )}
        <dt>Written by</dt>
        <dd className="wrap-anywhere">{lesson.createdBy === 'import' ? 'an import' : lesson.createdBy}</dd>
        <dt>Block</dt>
        <dd className="wrap-anywhere font-mono text-[0.94em]">{lesson.block}</dd>
      </DescriptionList>
    </Pane>
  );
}

function sourceLabel({ source, createdBy }: LessonDetail): string {
  if (source.runId !== null) return 'a deleted run';
  return createdBy === 'import' ? 'imported from another library' : 'written by hand';
}

/** Where a lesson stood in a prompt and what came of it: the score of the version against the one before. */
export function LessonRecalls({ lesson }: { lesson: LessonDetail }) {
  const { recalls, used, helpful, harmful, neutral } = lesson;
  return (
    <Pane data-testid="lesson-recalls">
      <PaneHeader>
        <h2>Recalls</h2>
        <span className="text-ink-3 text-sm">
          {used === 0
            ? 'not recalled yet'
            : `${used >= 1000 ? '1,000 times or more' : formatNumberOf(used, 'time')}${lesson.status === 'promoted' ? '' : ', only by its own run until promoted'}`}
        </span>
      </PaneHeader>
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
          <ScrollX label="Recalls" isCapped>
            <Table isTight>
              <thead>
                <tr>
                  <th scope="col">Run</th>
                  <th scope="col" className="whitespace-nowrap text-right">
                    Rank
                  </th>
                  <th scope="col" className="whitespace-nowrap text-right max-narrow:hidden">
                    Match
                  </th>
                  <th scope="col" className="whitespace-nowrap text-right max-narrow:hidden">
                    Score
                  </th>
                  <th scope="col">Then</th>
                </tr>
              </thead>
              <tbody>
                {recalls.map((recall) => (
                  <Row key={`${recall.runId} ${recall.version}`} recall={recall} />
                ))}
              </tbody>
            </Table>
          </ScrollX>
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
        <Link className="link whitespace-nowrap" href={`/runs/${recall.runId}?v=${recall.version}`}>
          {formatRunNumber(recall.runNumber)}, v{recall.version}
        </Link>{' '}
        <span className="text-ink-2 text-sm">
          {recall.isOwnRun ? 'its own run' : formatTitle(recall.input, 60) || 'An empty case'}
        </span>
      </td>
      <td className="whitespace-nowrap text-right">{recall.rank}</td>
      <td className="whitespace-nowrap text-right max-narrow:hidden">
        {recall.score === null ? <span className="text-ink-3">whole block</span> : formatScore(recall.score)}
      </td>
      <td className="whitespace-nowrap text-right max-narrow:hidden">
        {scoreBefore === null ? '' : `${formatScore(scoreBefore)} → `}
        {formatScore(scoreAfter)}
      </td>
      <td className="whitespace-nowrap">
        <LessonEffect effect={recall.effect} />
      </td>
    </tr>
  );
}
