import Link from 'next/link';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatCount, formatNumberOf, formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';
import type { LessonDetail, LessonRecall } from '#lib/reflection/lesson-library.ts';
import { LessonEffect } from './lesson-effect.tsx';

/** Where a lesson stood in a prompt and what came of it: the score of the version against the one before. */
export function LessonRecalls({ lesson }: { lesson: LessonDetail }) {
  const { recalls, used, helpful, harmful, neutral } = lesson;
  return (
    <section className="pane" data-testid="lesson-recalls">
      <div className="ph">
        <h2>Where it was recalled</h2>
        <span className="note">
          {used === 0
            ? 'nowhere yet'
            : `${used >= 1000 ? '1,000 times or more' : formatNumberOf(used, 'time')}${lesson.status === 'promoted' ? '' : '; its own run alone while it is not promoted'}`}
        </span>
      </div>
      {used === 0 ? (
        <p className="sm muted">
          {lesson.status === 'promoted'
            ? 'The next run whose input it fits is given it.'
            : 'It reaches other runs once a person promotes it.'}
        </p>
      ) : (
        <>
          <p className="sm mb-2">
            Helped <b className={helpful > 0 ? 'better' : 'md5'}>{formatCount(helpful)}</b>, hurt{' '}
            <b className={harmful > 0 ? 'worse' : 'md5'}>{formatCount(harmful)}</b>, neutral{' '}
            <b className="md5">{formatCount(neutral)}</b>{' '}
            <span className="muted">of {formatNumberOf(helpful + harmful + neutral, 'judged use')}</span>
          </p>
          <ScrollX label="Where it was recalled" className="capped">
            <table className="t tight">
              <thead>
                <tr>
                  <th scope="col">Run</th>
                  <th scope="col" className="num">
                    Rank
                  </th>
                  <th scope="col" className="num opt">
                    Match
                  </th>
                  <th scope="col" className="num opt">
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
            </table>
          </ScrollX>
          {used > recalls.length ? (
            <p className="sm faint mt-1">The newest {formatCount(recalls.length)} are shown.</p>
          ) : null}
        </>
      )}
    </section>
  );
}

function Row({ recall }: { recall: LessonRecall }) {
  const { scoreBefore, scoreAfter } = recall;
  return (
    <tr>
      <td className="wrap-anywhere">
        <Link className="link nw" href={`/runs/${recall.runId}?v=${recall.version}`}>
          {formatRunNumber(recall.runNumber)}, v{recall.version}
        </Link>{' '}
        <span className="sm muted">
          {recall.isOwnRun ? 'its own run' : formatTitle(recall.input, 60) || 'An empty case'}
        </span>
      </td>
      <td className="num">{recall.rank}</td>
      <td className="num opt">
        {recall.score === null ? <span className="faint">all given</span> : formatScore(recall.score)}
      </td>
      <td className="num opt nw">
        {scoreBefore === null ? '' : `${formatScore(scoreBefore)} → `}
        {formatScore(scoreAfter)}
      </td>
      <td className="nw">
        <LessonEffect effect={recall.effect} />
      </td>
    </tr>
  );
}
