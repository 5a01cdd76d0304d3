import Link from 'next/link';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { formatNumberOf, formatRunNumber } from '#lib/format.ts';
import type { PromptDetail } from '#lib/reflection/prompt-library.ts';

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
    <section className="pane" id="used" data-testid="prompt-uses">
      <div className="ph">
        <h2>Where used</h2>
        <span className="note">
          {uses.length === 0 && runs.size === 0
            ? 'by no experiment'
            : `${formatNumberOf(uses.length, 'experiment')}, ${formatNumberOf(runs.size, 'source run')}`}
        </span>
      </div>
      {uses.length === 0 && runs.size === 0 ? (
        <p className="muted">An experiment that tunes it, and the run that a version came from, would stand here.</p>
      ) : null}
      <ul>
        {uses.map(({ experimentId, name, version, updatedAt }) => (
          <li key={experimentId} className="row wrap border-line border-b py-1.5">
            <Link className="link inline-flex min-h-6 items-center wrap-anywhere" href={`/experiments/${experimentId}`}>
              {name}
            </Link>
            <span className="sm muted">tunes v{version}</span>
            <span className="sm muted end">
              <TimeAgo moment={updatedAt} now={now} />
            </span>
          </li>
        ))}
        {[...runs.values()].map((made) => {
          const [first] = made;
          return first === undefined ? null : (
            <li key={first.id} className="row wrap border-line border-b py-1.5">
              <Link className="link inline-flex min-h-6 items-center" href={`/runs/${first.id}`}>
                Run {first.run === null ? '' : formatRunNumber(first.run)}
              </Link>
              <span className="sm muted">made {made.map(({ number }) => `v${number}`).join(', ')}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
