import Link from 'next/link';
import { formatAgo, formatMoment, formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';
import type { OutputHit } from '#lib/reflection/output-hit.ts';
import { SnippetText } from './snippet-text.tsx';

/** Runs that were found, each with the piece of its text and a link to where it stands. */
export function OutputHits({ hits, now }: { hits: readonly OutputHit[]; now: string }) {
  return (
    <ol data-testid="hits">
      {hits.map((hit) => (
        <li key={hit.runId} className="pane">
          <div className="row wrap">
            <Link className="md5 link min-w-0 wrap-anywhere" href={placeOf(hit)}>
              {formatTitle(hit.input, 90) || 'An empty case'}
            </Link>
            <span className="sm faint mono">{formatRunNumber(hit.number)}</span>
            <span className="sm">
              {hit.success ? '✓ solved' : hit.status === 'finished' ? '✕ not solved' : hit.status}
            </span>
            <span className="sm muted">
              {hit.bestScore === null ? 'not scored' : `best ${formatScore(hit.bestScore)}`}
            </span>
            {hit.finishedAt === null ? null : (
              <time className="sm faint" dateTime={hit.finishedAt} title={formatMoment(hit.finishedAt)}>
                {formatAgo(hit.finishedAt, new Date(now))}
              </time>
            )}
          </div>
          <p className="mt-1 max-w-[68ch]">
            <SnippetText snippet={hit.snippet} />
          </p>
          <p className="sm muted mt-1">
            in {hit.version === null ? 'the case' : `v${hit.version}`} of a run of{' '}
            <Link className="link" href={`/experiments/${hit.experimentId}`}>
              {hit.experimentName}
            </Link>
          </p>
        </li>
      ))}
    </ol>
  );
}

function placeOf({ runId, version }: OutputHit): string {
  return version === null ? `/runs/${runId}` : `/runs/${runId}?v=${version}`;
}
