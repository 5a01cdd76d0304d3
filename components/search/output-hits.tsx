import { TextLink } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { formatRunNumber, formatScore, formatTitle } from '#lib/format.ts';
import type { OutputHit } from '#lib/runs/schema.ts';

/** List of matching runs, each with an excerpt and a link to the matching text. */
export function OutputHits({ hits }: { hits: readonly OutputHit[] }) {
  return (
    <ol data-testid="hits">
      {hits.map((hit) => (
        <Pane key={hit.runId} asChild>
          <li>
            <div className="flex flex-wrap items-center gap-2">
              <TextLink className="wrap-anywhere min-w-0 font-medium" href={hitHref(hit)}>
                {formatTitle(hit.input, 90) || 'An empty case'}
              </TextLink>
              <span className="font-mono text-ink-3 text-sm">{formatRunNumber(hit.number)}</span>
              <span className="text-sm">
                {hit.success ? '✓ solved' : hit.status === 'finished' ? '✕ unsolved' : hit.status}
              </span>
              <span className="text-ink-2 text-sm">
                {hit.bestScore === null ? 'not scored' : `best ${formatScore(hit.bestScore)}`}
              </span>
              {hit.finishedAt === null ? null : (
                <span className="text-ink-3 text-sm">
                  <TimeAgo moment={hit.finishedAt} />
                </span>
              )}
            </div>
            <p className="mt-1 max-w-[68ch]">
              <SnippetText snippet={hit.snippet} />
            </p>
            <p className="mt-1 text-ink-2 text-sm">
              in {hit.version === null ? 'the case' : `v${hit.version}`} of a run of{' '}
              <TextLink href={`/experiments/${hit.experimentId}`}>{hit.experimentName}</TextLink>
            </p>
          </li>
        </Pane>
      ))}
    </ol>
  );
}

function hitHref({ runId, version }: OutputHit): string {
  return version === null ? `/runs/${runId}` : `/runs/${runId}?v=${version}`;
}

/** Excerpt of a stored text with the matches highlighted. Always plain text, never markup. */
function SnippetText({ snippet: { text, marks } }: Pick<OutputHit, 'snippet'>) {
  const pieces = marks.map(([from, to], at) => ({
    before: text.slice(marks[at - 1]?.[1] ?? 0, from),
    found: text.slice(from, to),
    from,
  }));
  return (
    <span className="wrap-anywhere whitespace-pre-wrap">
      {pieces.map(({ before, found, from }) => (
        <span key={from}>
          {before}
          <mark className="rounded-xs bg-brand-tint font-medium text-inherit underline decoration-brand">{found}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </span>
  );
}
