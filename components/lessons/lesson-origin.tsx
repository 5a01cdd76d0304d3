import Link from 'next/link';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { DescriptionList } from '#components/ui/description-list.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';

/** Where a lesson came from: the run, its version and what its evaluation said; or who wrote it. */
export function LessonOriginPane({ lesson }: { lesson: LessonDetail }) {
  const { origin, source } = lesson;
  return (
    <Pane>
      <PaneHeader>
        <h2>Where it came from</h2>
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
                <dt>Issues then</dt>
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
                    <summary className="cursor-pointer text-ink-2">What was judged</summary>
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
  if (source.runId !== null) return 'a run that is not there any more';
  return createdBy === 'import' ? 'imported from another library' : 'written by hand';
}
