import { RunStatusBadge } from '#components/run/run-status.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Link, TextLink } from '#components/ui/link.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { stopName } from '#lib/core/stop-reasons.ts';
import { formatCount, formatRunNumber } from '#lib/format.ts';
import type { TunedPrompt, TunedRun } from '#lib/runs/list-runs.ts';
import { MeanLabel } from './mean-label.tsx';

/** Lists the tuning runs of an experiment with the scores on the selection cases and on the held-out cases. */
export function TunedRuns({ runs }: { runs: readonly TunedRun[] }) {
  if (runs.length === 0) return <p className="text-ink-2">No runs yet.</p>;
  return (
    <Table scrollLabel="Tuning runs" data-testid="tuned-runs">
      <TableHead>
        <ColumnHead>Run</ColumnHead>
        <ColumnHead>Status</ColumnHead>
        <ColumnHead>Prompt</ColumnHead>
        <ColumnHead>Validation, 95%</ColumnHead>
        <ColumnHead>Held out, 95%</ColumnHead>
        <NumberHead className="max-narrow:hidden">Accepted</NumberHead>
        <NumberHead className="max-narrow:hidden">Calls</NumberHead>
      </TableHead>
      {runs.map((run, index) => (
        <RunRows key={run.id} run={run} isLast={index === runs.length - 1} />
      ))}
    </Table>
  );
}

function RunRows({ run, isLast }: { run: TunedRun; isLast: boolean }) {
  const prompts = [run.first, run.best].filter(
    (prompt, index, all) => prompt !== null && (index === 0 || prompt.version !== all[0]?.version),
  );
  const [first, ...others] = prompts.length === 0 ? [null] : prompts;
  // Cells that span all rows of a run are in its first row, which `last-row:` does not match.
  const border = isLast ? 'border-b-0' : '';
  return (
    <tbody>
      <tr>
        <td rowSpan={others.length + 1} className={border}>
          <Link className="font-medium" href={`/runs/${run.id}`}>
            {formatRunNumber(run.number)}
          </Link>
        </td>
        <td rowSpan={others.length + 1} className={border}>
          <RunStatusBadge status={run.status} success={run.success} rateLimit={run.rateLimit} />
          {run.convergenceReason === null ? null : (
            <span className="block text-ink-2 text-sm">{stopName(run.convergenceReason)}</span>
          )}
        </td>
        <PromptCells prompt={first ?? null} run={run} />
        <NumberCell rowSpan={others.length + 1} className={classNames('max-narrow:hidden', border)}>
          {run.accepted} of {run.made}
        </NumberCell>
        <NumberCell rowSpan={others.length + 1} className={classNames('max-narrow:hidden', border)}>
          {formatCount(run.calls)}
        </NumberCell>
      </tr>
      {others.map((prompt) => (
        <tr key={prompt?.version}>
          <PromptCells prompt={prompt} run={run} />
        </tr>
      ))}
    </tbody>
  );
}

function PromptCells({ prompt, run }: { prompt: TunedPrompt | null; run: TunedRun }) {
  if (prompt === null)
    return (
      <>
        <td className="text-ink-3 text-sm">none yet</td>
        <td />
        <td />
      </>
    );
  return (
    <>
      <td className="whitespace-nowrap">
        <TextLink href={`/runs/${run.id}?v=${prompt.version}`}>v{prompt.version}</TextLink>{' '}
        <span className="text-ink-2 text-sm">{prompt.version === 0 ? 'original' : 'best'}</span>
      </td>
      <td>
        <MeanLabel mean={prompt.chosenBy} gap="not on all cases" />
      </td>
      <td>
        <MeanLabel mean={prompt.heldOut} />
      </td>
    </>
  );
}
