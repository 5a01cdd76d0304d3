'use client';

import { UnfoldVertical } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#components/ui/class-names.ts';
import { DIFF_FOLD } from '#components/ui/diff/diff-lines.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import { formatNumberOf } from '#lib/format.ts';
import { waySumLabel } from './agent-labels.ts';
import type { AgentSteps, WayEntry } from './agent-steps.ts';
import { LongText } from './long-text.tsx';
import { RunId } from './run-id.ts';
import { TurnItem, WAY } from './turn-item.tsx';

/** Of a longer way so many entries are shown at its beginning and at its end, until the rest is asked for. */
const SHOWN_FIRST = 3;
const SHOWN_LAST = 12;

type AgentTimelineProps = {
  runId: string;
  way: AgentSteps;
  title: string;
  /** The version is not there yet, and its agent is at work. */
  isLive: boolean;
  /** Where it stands on a narrow page. */
  /** Where it stands in one column: a class. */
  order: string;
};

/** What an agent did on its way to a version, in its order: thoughts, uses of tools, what came of them, workers below their tasks. */
export function AgentTimeline({ runId, way, title, isLive, order }: AgentTimelineProps) {
  const [isWhole, setWhole] = useState(false);
  const { entries } = way;
  const between = entries.length - SHOWN_FIRST - SHOWN_LAST;
  const isFolded = !isWhole && between > 3;
  const shown = isFolded ? entries.slice(0, SHOWN_FIRST) : entries;
  return (
    <Pane className={order} aria-label={title} data-testid="agent-way">
      <PaneHeader>
        <h2>{title}</h2>
        <span className="text-ink-3 text-sm">{waySumLabel(way.sums)}</span>
      </PaneHeader>
      <RunId value={runId}>
        <ol className={WAY}>
          {shown.map((entry) => (
            <Entry key={keyOf(entry)} entry={entry} isLive={isLive} />
          ))}
          {isFolded ? (
            <li>
              <button type="button" className={classNames(DIFF_FOLD, 'cursor-pointer')} onClick={() => setWhole(true)}>
                <UnfoldVertical className="size-3.25" aria-hidden />
                {formatNumberOf(between, 'turn')} between
              </button>
            </li>
          ) : null}
          {isFolded
            ? entries.slice(-SHOWN_LAST).map((entry) => <Entry key={keyOf(entry)} entry={entry} isLive={isLive} />)
            : null}
        </ol>
      </RunId>
    </Pane>
  );
}

function Entry({ entry, isLive }: { entry: WayEntry; isLive: boolean }) {
  if (entry.kind === 'turn') return <TurnItem entry={entry} isLive={isLive} />;
  const { trigger, text, suggestions } = entry.critique;
  return (
    <li>
      <p className="font-medium">{trigger === 'tool_result' ? 'Critique after a tool result' : 'Scheduled critique'}</p>
      <Quote asChild className="mt-1">
        <LongText text={[text, ...suggestions.map((one) => `- ${one}`)].join('\n')} of="the critique" />
      </Quote>
    </li>
  );
}

function keyOf(entry: WayEntry): string {
  return entry.kind === 'turn' ? `turn ${entry.turn.number}` : `critique ${entry.critique.createdAt}`;
}
