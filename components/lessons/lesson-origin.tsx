import Link from 'next/link';
import { formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';
import type { LessonDetail } from '#lib/reflection/lesson-library.ts';

/** Where a lesson came from: the run, its version and what its evaluation said; or who wrote it. */
export function LessonOriginPane({ lesson }: { lesson: LessonDetail }) {
  const { origin, source } = lesson;
  return (
    <section className="pane">
      <div className="ph">
        <h2>Where it came from</h2>
      </div>
      <dl className="kv">
        {origin === null ? (
          <>
            <dt>Source</dt>
            <dd>{sourceWords(lesson)}</dd>
            {source.input === '' ? null : (
              <>
                <dt>Learned on</dt>
                <dd className="lesson-text max-w-[68ch]">{source.input}</dd>
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
              <b className="md5">{formatScore(origin.score)}</b>
            </dd>
            <dt>Experiment</dt>
            <dd className="wrap-anywhere">
              <Link className="link" href={`/experiments/${origin.experimentId}`}>
                {origin.experimentName}
              </Link>
            </dd>
            {origin.issues.length === 0 ? null : (
              <>
                <dt>Issues then</dt>
                <dd>
                  <ul className="stack gap-1">
                    {origin.issues.map((issue) => (
                      <li key={`${issue.criterion} ${issue.text}`} className="wrap-anywhere">
                        {issue.text}{' '}
                        {issue.criterion === null ? null : <span className="faint">{issue.criterion}</span>}
                      </li>
                    ))}
                  </ul>
                </dd>
              </>
            )}
            {origin.feedback === null || origin.feedback === '' ? null : (
              <>
                <dt>Feedback</dt>
                <dd className="lesson-text max-w-[68ch]">{origin.feedback}</dd>
              </>
            )}
            {origin.output === null || origin.output === '' ? null : (
              <>
                <dt>Output</dt>
                <dd>
                  <details>
                    <summary className="muted cursor-pointer">What was judged</summary>
                    <pre className="plain mt-1">{origin.output}</pre>
                  </details>
                </dd>
              </>
            )}
          </>
        )}
        <dt>Written by</dt>
        <dd className="wrap-anywhere">{lesson.createdBy === 'import' ? 'an import' : lesson.createdBy}</dd>
        <dt>Block</dt>
        <dd className="mono wrap-anywhere">{lesson.block}</dd>
      </dl>
    </section>
  );
}

function sourceWords({ source, createdBy }: LessonDetail): string {
  if (source.runId !== null) return 'a run that is not there any more';
  return createdBy === 'import' ? 'imported from another library' : 'written by hand';
}
