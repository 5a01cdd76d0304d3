'use client';

import { Badge } from '#components/ui/badge.tsx';
import { MAIN_AGENT } from '#lib/core/agents/agent-records.ts';
import { leftOutLabel } from '#lib/core/agents/calls-left-out.ts';
import { formatCost, formatCount, formatDuration } from '#lib/format.ts';
import { turnTitle } from './agent-labels.ts';
import type { TurnEntry } from './agent-steps.ts';
import { LongText } from './long-text.tsx';
import { ToolUseItem } from './tool-use-item.tsx';

/** The way of an agent: a rail with a mark for each turn. Turns out of sight are not laid out; the mark stands outside of its turn. */
export const WAY = [
  'ml-[0.3rem] border-l border-line-strong *:relative *:overflow-clip *:pb-3 *:pl-3.5 *:last:pb-0',
  '*:[contain-intrinsic-size:auto_6rem] *:[content-visibility:auto] *:[overflow-clip-margin:0.5rem]',
  "*:before:absolute *:before:top-[0.45rem] *:before:-left-1 *:before:size-[0.45rem] *:before:rounded-full *:before:border-[1.5px] *:before:border-ink-3 *:before:bg-bg *:before:content-['']",
].join(' ');

/** One turn of an agent: what it thought, the tools it used and how many more it asked for, or its answer; with what that took. */
export function TurnItem({ entry: { turn, uses }, isLive }: { entry: TurnEntry; isLive: boolean }) {
  const { thought, answer, tokenUsage, costUsd, durationMs, agent } = turn;
  const title = turnTitle(turn);
  const leftOut = leftOutLabel(turn);
  const said = thought.trim() === '' || thought === answer ? null : thought;
  return (
    <li className="turn">
      <p className="flex flex-wrap items-center gap-2 gap-x-3">
        <b className="font-medium">{title}</b>
        <span className="ml-auto flex items-center gap-2 gap-x-3 text-ink-3 text-sm">
          <span>{formatCount(tokenUsage.total)} tokens</span>
          {costUsd === null ? null : <span>{formatCost(costUsd, false)}</span>}
          <span>{formatDuration(durationMs)}</span>
        </span>
      </p>
      {said === null ? null : <LongText className="prose" text={said} of={`the thought of ${title}`} />}
      {uses.length > 0 ? (
        <ul className="mt-1.5 grid gap-2">
          {uses.map((use) => (
            <ToolUseItem key={use.call.id} use={use} isLive={isLive} />
          ))}
        </ul>
      ) : answer === null ? (
        said === null ? (
          <p className="text-ink-2 text-sm">It said nothing.</p>
        ) : null
      ) : (
        <div className="mt-1">
          <p className="text-ink-2 text-sm">{agent === MAIN_AGENT ? 'Its answer' : 'Its answer to the supervisor'}</p>
          <LongText className="prose" text={answer} of={`the answer of ${title}`} />
        </div>
      )}
      {leftOut === null ? null : (
        <p className="mt-1 text-sm">
          <Badge tone="worse">✕ left out</Badge> {leftOut}
        </p>
      )}
    </li>
  );
}
