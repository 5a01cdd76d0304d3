import { DELEGATE_TOOL, MAIN_AGENT } from '#lib/core/agents/agent-names.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatList } from '#lib/format.ts';
import { delegationOf } from './agent-labels.ts';

/**
 * What the agent of a run under way does just now, to be put after what it works at: `, turn 4`, `, turn 3: uses calculator`, `, turn 1: reader
 * at work`. Empty where no agent is at work, and in its first turn.
 */
export function doingNow({
  turns,
  observations,
  versions,
}: Pick<RunRecord, 'turns' | 'observations' | 'versions'>): string {
  const towards = versions.length;
  const last = turns.findLast(({ version, agent }) => version === towards && agent === MAIN_AGENT);
  if (last === undefined) return '';
  const seen = new Set(observations.filter(({ version }) => version === towards).map(({ callId }) => callId));
  const open = last.calls.filter(({ id }) => !seen.has(id));
  if (open.length === 0) return `, turn ${last.number + 2}`;
  const workers = open.flatMap(({ tool, arguments: text }) =>
    tool === DELEGATE_TOOL ? (delegationOf(text)?.worker ?? []) : [],
  );
  const doing =
    workers.length > 0
      ? `${formatList(unique(workers))} at work`
      : `uses ${formatList(unique(open.map(({ tool }) => tool)))}`;
  return `, turn ${last.number + 1}: ${doing}`;
}

function unique(names: string[]): string[] {
  return [...new Set(names)];
}
