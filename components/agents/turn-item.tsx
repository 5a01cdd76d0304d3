'use client';

import { Badge } from '#components/ui/badge.tsx';
import { formatCost, formatCount, formatDuration } from '#lib/format.ts';
import { MAIN_AGENT } from '#lib/reflection/agents/agent-records.ts';
import { leftOutWords } from '#lib/reflection/agents/calls-left-out.ts';
import type { TurnEntry } from './agent-way.ts';
import { turnTitle } from './agent-words.ts';
import { LongText } from './long-text.tsx';
import { ToolUseItem } from './tool-use-item.tsx';

/** One turn of an agent: what it thought, the tools it used and how many more it asked for, or its answer; with what that took. */
export function TurnItem({ entry: { turn, uses }, isLive }: { entry: TurnEntry; isLive: boolean }) {
  const { thought, answer, tokenUsage, costUsd, durationMs, agent } = turn;
  const title = turnTitle(turn);
  const leftOut = leftOutWords(turn);
  const said = thought.trim() === '' || thought === answer ? null : thought;
  return (
    <li className="turn">
      <p className="row wrap gap-x-3">
        <b className="md5">{title}</b>
        <span className="sm faint end row gap-x-3">
          <span>{formatCount(tokenUsage.total)} tokens</span>
          {costUsd === null ? null : <span>{formatCost(costUsd, false)}</span>}
          <span>{formatDuration(durationMs)}</span>
        </span>
      </p>
      {said === null ? null : <LongText className="prose" text={said} of={`the thought of ${title}`} />}
      {uses.length > 0 ? (
        <ul className="uses">
          {uses.map((use) => (
            <ToolUseItem key={use.call.id} use={use} isLive={isLive} />
          ))}
        </ul>
      ) : answer === null ? (
        said === null ? (
          <p className="sm muted">It said nothing.</p>
        ) : null
      ) : (
        <div className="mt-1">
          <p className="sm muted">{agent === MAIN_AGENT ? 'Its answer' : 'Its answer to the supervisor'}</p>
          <LongText className="prose" text={answer} of={`the answer of ${title}`} />
        </div>
      )}
      {leftOut === null ? null : (
        <p className="sm mt-1">
          <Badge tone="worse">✕ left out</Badge> {leftOut}
        </p>
      )}
    </li>
  );
}
