import Link from 'next/link';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { formatNumberOf, formatRunNumber } from '#lib/format.ts';
import type { PromptDetail } from '#lib/prompts/prompt-library.ts';

type PromptUsesProps = { prompt: Pick<PromptDetail, 'uses' | 'versions'>; now: string };

/** Where a prompt is used: experiments that tune it, and tuning runs that its versions came from. */
export function PromptUses({ prompt, now }: PromptUsesProps) {
  const { uses, versions } = prompt;
  const runs = Map.groupBy(
    versions.flatMap(({ number, run }) =>
      run === null || run.id === null ? [] : [{ number, id: run.id, run: run.number }],
    ),
    ({ id }) => id,
  );
  return (
    <Pane id="used" data-testid="prompt-uses">
      <PaneHeader>
        <h2>Where used</h2>
        <span className="text-ink-3 text-sm">
          {uses.length === 0 && runs.size === 0
            ? 'by no experiment'
            : `${formatNumberOf(uses.length, 'experiment')}, ${formatNumberOf(runs.size, 'source run')}`}
        </span>
      </PaneHeader>
      {uses.length === 0 && runs.size === 0 ? (
        <p className="text-ink-2">
          An experiment that tunes it, and the run that a version came from, would stand here.
        </p>
      ) : null}
      <ul>
        {uses.map(({ experimentId, name, version, updatedAt }) => (
          <li key={experimentId} className="flex flex-wrap items-center gap-2 border-line border-b py-1.5">
            <Link className="link wrap-anywhere inline-flex min-h-6 items-center" href={`/experiments/${experimentId}`}>
              {name}
            </Link>
            <span className="text-ink-2 text-sm">tunes v{version}</span>
            <span className="ml-auto text-ink-2 text-sm">
              <TimeAgo moment={updatedAt} now={now} />
            </span>
          </li>
        ))}
        {[...runs.values()].map((made) => {
          const [first] = made;
          return first === undefined ? null : (
            <li key={first.id} className="flex flex-wrap items-center gap-2 border-line border-b py-1.5">
              <Link className="link inline-flex min-h-6 items-center" href={`/runs/${first.id}`}>
                Run {first.run === null ? '' : formatRunNumber(first.run)}
              </Link>
              <span className="text-ink-2 text-sm">made {made.map(({ number }) => `v${number}`).join(', ')}</span>
            </li>
          );
        })}
      </ul>
    </Pane>
  );
}
