'use client';

import { UnfoldVertical } from 'lucide-react';
import { useState } from 'react';
import { formatNumberOf } from '#lib/format.ts';
import type { AgentWay, WayEntry } from './agent-way.ts';
import { waySumWords } from './agent-words.ts';
import { LongText } from './long-text.tsx';
import { RunId } from './run-id.ts';
import { TurnItem } from './turn-item.tsx';

/** Of a longer way so many entries are shown at its beginning and at its end, until the rest is asked for. */
const SHOWN_FIRST = 3;
const SHOWN_LAST = 12;

type AgentTimelineProps = {
  runId: string;
  way: AgentWay;
  title: string;
  /** The version is not there yet, and its agent is at work. */
  isLive: boolean;
  /** Where it stands on a narrow page. */
  order: 'o1' | 'o2';
};

/** What an agent did on its way to a version, in its order: thoughts, uses of tools, what came of them, workers below their tasks. */
export function AgentTimeline({ runId, way, title, isLive, order }: AgentTimelineProps) {
  const [isWhole, setWhole] = useState(false);
  const { entries } = way;
  const between = entries.length - SHOWN_FIRST - SHOWN_LAST;
  const isFolded = !isWhole && between > 3;
  const shown = isFolded ? entries.slice(0, SHOWN_FIRST) : entries;
  return (
    <section className={`pane ${order}`} aria-label={title} data-testid="agent-way">
      <div className="ph">
        <h2>{title}</h2>
        <span className="note">{waySumWords(way.sums)}</span>
      </div>
      <RunId value={runId}>
        <ol className="way">
          {shown.map((entry) => (
            <Entry key={keyOf(entry)} entry={entry} isLive={isLive} />
          ))}
          {isFolded ? (
            <li>
              <button type="button" className="fold" onClick={() => setWhole(true)}>
                <UnfoldVertical className="i s" aria-hidden />
                {formatNumberOf(between, 'turn')} between
              </button>
            </li>
          ) : null}
          {isFolded
            ? entries.slice(-SHOWN_LAST).map((entry) => <Entry key={keyOf(entry)} entry={entry} isLive={isLive} />)
            : null}
        </ol>
      </RunId>
    </section>
  );
}

function Entry({ entry, isLive }: { entry: WayEntry; isLive: boolean }) {
  if (entry.kind === 'turn') return <TurnItem entry={entry} isLive={isLive} />;
  const { trigger, text, suggestions } = entry.critique;
  return (
    <li>
      <p className="md5">
        {trigger === 'tool_result' ? 'Critique after a result of a tool' : 'Critique after so many turns'}
      </p>
      <LongText
        className="quote mt-1"
        text={[text, ...suggestions.map((one) => `- ${one}`)].join('\n')}
        of="the critique"
      />
    </li>
  );
}

function keyOf(entry: WayEntry): string {
  return entry.kind === 'turn' ? `turn ${entry.turn.number}` : `critique ${entry.critique.createdAt}`;
}
