import Link from 'next/link';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import type { LessonDetail, LessonRecall } from '#lib/core/lesson-library.ts';
import { formatCount, formatNumberOf, formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';
import { LessonEffect } from './lesson-effect.tsx';

/** Where a lesson stood in a prompt and what came of it: the score of the version against the one before. */
export function LessonRecalls({ lesson }: { lesson: LessonDetail }) {
  const { recalls, used, helpful, harmful, neutral } = lesson;
  return (
    <Pane data-testid="lesson-recalls">
      <PaneHeader>
        <h2>Where it was recalled</h2>
        <span className="text-ink-3 text-sm">
          {used === 0
            ? 'nowhere yet'
            : `${used >= 1000 ? '1,000 times or more' : formatNumberOf(used, 'time')}${lesson.status === 'promoted' ? '' : '; its own run alone while it is not promoted'}`}
        </span>
      </PaneHeader>
      {used === 0 ? (
        <p className="text-ink-2 text-sm">
          {lesson.status === 'promoted'
            ? 'The next run whose input it fits is given it.'
            : 'It reaches other runs once a person promotes it.'}
        </p>
      ) : (
        <>
          <p className="mb-2 text-sm">
            Helped <b className={helpful > 0 ? 'text-better' : 'font-medium'}>{formatCount(helpful)}</b>, hurt{' '}
            <b className={harmful > 0 ? 'text-worse' : 'font-medium'}>{formatCount(harmful)}</b>, neutral{' '}
            <b className="font-medium">{formatCount(neutral)}</b>{' '}
            <span className="text-ink-2">of {formatNumberOf(helpful + harmful + neutral, 'judged use')}</span>
          </p>
          <ScrollX label="Where it was recalled" isCapped>
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
        {recall.score === null ? <span className="text-ink-3">all given</span> : formatScore(recall.score)}
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
