'use client';

import { Pause, UnfoldVertical, UsersRound, Wrench } from 'lucide-react';
import { createContext, useContext, useState } from 'react';
import { fetchRunRecord } from '#components/run/use-live-run.ts';
import { Badge } from '#components/ui/badge.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { DIFF_FOLD } from '#components/ui/diff/diff-lines.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { beginningOf, LongText } from '#components/ui/long-text.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import { MAIN_AGENT, omittedCallsLabel } from '#lib/core/agents/tool-calls.ts';
import type { ObservationRecord } from '#lib/core/run-record.ts';
import { formatCost, formatCount, formatDuration, formatNumberOf } from '#lib/format.ts';
import {
  argumentsText,
  delegationOf,
  statusLabel,
  stepTotalsLabel,
  toolDecisionLabel,
  turnTitle,
} from './agent-labels.ts';
import type { AgentSteps, StepEntry, ToolUse, TurnEntry } from './agent-steps.ts';

/** Number of entries shown at each end of a long timeline until the user expands it. */
const SHOWN_FIRST = 3;
const SHOWN_LAST = 12;

type AgentTimelineProps = {
  runId: string;
  way: AgentSteps;
  title: string;
  /** True if the version does not exist yet and its agent is still running. */
  isLive: boolean;
  /** CSS class that sets the position in the single-column layout. */
  order: string;
};

/** Shows the steps of an agent towards a version, in order: thoughts, tool calls, their results, and workers under their tasks. */
export function AgentTimeline({ runId, way, title, isLive, order }: AgentTimelineProps) {
  const [isWhole, setWhole] = useState(false);
  const { entries } = way;
  const between = entries.length - SHOWN_FIRST - SHOWN_LAST;
  const isFolded = !isWhole && between > 3;
  const shown = isFolded ? entries.slice(0, SHOWN_FIRST) : entries;
  return (
    <Pane className={order} aria-label={title} data-testid="agent-way">
      <PaneHeader title={title} note={stepTotalsLabel(way.sums)} />
      <RunId value={runId}>
        <ol className={RAIL_CLASSES}>
          {shown.map((entry) => (
            <Entry key={keyOf(entry)} entry={entry} isLive={isLive} />
          ))}
          {isFolded ? (
            <li>
              <button type="button" className={classNames(DIFF_FOLD, 'cursor-pointer')} onClick={() => setWhole(true)}>
                <UnfoldVertical />
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

function Entry({ entry, isLive }: { entry: StepEntry; isLive: boolean }) {
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

function keyOf(entry: StepEntry): string {
  return entry.kind === 'turn' ? `turn ${entry.turn.number}` : `critique ${entry.critique.createdAt}`;
}

/** Timeline rail with one marker per turn. Turns outside the viewport skip layout. The marker overflows its turn. */
const RAIL_CLASSES = [
  'ml-[0.3rem] border-l border-line-strong *:relative *:overflow-clip *:pb-3 *:pl-3.5 *:last:pb-0',
  '*:[contain-intrinsic-size:auto_6rem] *:[content-visibility:auto] *:[overflow-clip-margin:0.5rem]',
  "*:before:absolute *:before:top-[0.45rem] *:before:-left-1 *:before:size-[0.45rem] *:before:rounded-full *:before:border-[1.5px] *:before:border-ink-3 *:before:bg-bg *:before:content-['']",
].join(' ');

/** Renders one agent turn: its thought, its tool calls (and the number of omitted ones) or its answer, and its cost. */
function TurnItem({ entry: { turn, uses }, isLive }: { entry: TurnEntry; isLive: boolean }) {
  const { thought, answer, tokenUsage, costUsd, durationMs, agent } = turn;
  const title = turnTitle(turn);
  const leftOut = omittedCallsLabel(turn);
  const text = thought.trim() === '' || thought === answer ? null : thought;
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
      {text === null ? null : <LongText className="prose" text={text} of={`the thought of ${title}`} />}
      {uses.length > 0 ? (
        <ul className="mt-1.5 grid gap-2">
          {uses.map((use) => (
            <ToolUseItem key={use.call.id} use={use} isLive={isLive} />
          ))}
        </ul>
      ) : answer === null ? (
        text === null ? (
          <p className="text-ink-2 text-sm">No text.</p>
        ) : null
      ) : (
        <div className="mt-1">
          <p className="text-ink-2 text-sm">{agent === MAIN_AGENT ? 'Its answer' : 'Answer to the supervisor'}</p>
          <LongText className="prose" text={answer} of={`the answer of ${title}`} />
        </div>
      )}
      {leftOut === null ? null : (
        <p className="mt-1 text-sm">
          <Badge tone="worse">✕ omitted</Badge> {leftOut}
        </p>
      )}
    </li>
  );
}

/** Renders a tool call: its arguments, any approval and its result. The turns of a worker expand under its task. */
function ToolUseItem({ use, isLive }: { use: ToolUse; isLive: boolean }) {
  const { call, observation, decision, waits, work } = use;
  const delegation = work === null ? null : delegationOf(call.arguments);
  const name = delegation === null ? call.tool : `Task for ${delegation.worker}`;
  const failed = observation === null ? null : statusLabel(observation.status);
  const decisionLabel = toolDecisionLabel(use);
  const state = stateLabel(use, isLive);
  return (
    <li
      className="rounded-2 border border-line bg-surface px-2.5 py-1.5 data-waits:border-wait-line data-waits:bg-wait-bg"
      data-waits={waits === 'itself' || undefined}
    >
      <p className="flex flex-wrap items-center gap-2 gap-x-2">
        {work === null ? <Wrench /> : <UsersRound />}
        <b className={delegation === null ? 'font-mono text-[0.94em]' : 'font-medium'}>{name}</b>
        {failed === null ? null : <Badge tone="worse">✕ {failed}</Badge>}
        {waits !== null ? (
          <Badge tone="wait">
            <Pause />
            waits for a reviewer
          </Badge>
        ) : null}
        {state === null ? null : <span className="ml-auto text-ink-3 text-sm">{state}</span>}
      </p>
      {delegation === null ? (
        <CallArguments text={call.arguments} of={name} />
      ) : (
        <LongText className="text-sm" text={delegation.task} of={`the task for ${delegation.worker}`} />
      )}
      {decisionLabel === null ? null : (
        <div className="mt-1 text-sm">
          <span className="text-ink-2">◆ {decisionLabel}</span>
          {decision?.toolArguments ? <CallArguments text={decision.toolArguments} of={`${name}, as changed`} /> : null}
          {decision?.reason ? <Quote className="wrap-anywhere whitespace-pre-wrap">{decision.reason}</Quote> : null}
        </div>
      )}
      {work === null || work.length === 0 ? null : <Work work={work} isLive={isLive} asks={waits === 'within'} />}
      {observation === null ? null : (
        <ObservationText
          className={classNames(
            'mt-1.5 border-line border-t pt-1.5',
            work === null ? 'font-mono glyphs-plain text-code/[1.55]' : 'text-sm',
          )}
          observation={observation}
          of={`the result of ${name}`}
        />
      )}
    </li>
  );
}

/** Returns the duration of a tool call, or why it has none. Null while it waits for a reviewer. */
function stateLabel({ observation, waits, comesLater }: ToolUse, isLive: boolean): string | null {
  if (observation !== null) return formatDuration(observation.durationMs);
  if (waits !== null) return null;
  if (comesLater) return 'comes next';
  return isLive ? 'in progress' : 'no result';
}

/** Shows arguments on one line if they are short, otherwise formatted. Model output that is not JSON is shown verbatim. */
function CallArguments({ text, of }: { text: string; of: string }) {
  const { full, short } = argumentsText(text);
  if (short === '' || short === '{}') return null;
  return (
    <LongText
      className="isolate-text font-mono glyphs-plain text-code/[1.55] text-ink-2 [direction:ltr]"
      text={short.length <= 100 ? short : full}
      of={`the arguments of ${of}`}
    />
  );
}

/** Renders the turns of a worker once expanded. Starts expanded if one of the turns waits for an approval. */
function Work({ work, isLive, asks }: { work: TurnEntry[]; isLive: boolean; asks: boolean }) {
  const [isOpen, setOpen] = useState(asks);
  const [hadAsked, setHadAsked] = useState(asks);
  if (asks !== hadAsked) {
    setHadAsked(asks);
    if (asks) setOpen(true);
  }
  return (
    <details className="mt-1.5" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-sans text-brand text-sm underline underline-offset-2">
        Its {formatNumberOf(work.length, 'turn')}
      </summary>
      {isOpen ? (
        <ol className={classNames(RAIL_CLASSES, 'mt-1.5')}>
          {work.map((entry) => (
            <TurnItem key={entry.turn.number} entry={entry} isLive={isLive} />
          ))}
        </ol>
      ) : null}
    </details>
  );
}

type ObservationTextProps = { observation: ObservationRecord; of: string; className: string };

/** Shows the verbatim result of a tool call. The page receives the beginning; the rest loads on request. */
function ObservationText({ observation, of, className }: ObservationTextProps) {
  const { text, length, version, callId } = observation;
  const runId = useContext(RunId);
  const [whole, setWhole] = useState<string | null>(null);
  const [state, setState] = useState<'rest' | 'asking' | 'failed'>('rest');
  async function ask() {
    setState('asking');
    try {
      const { observations } = await fetchRunRecord(runId, AbortSignal.timeout(MAX_WAIT_MS), 'whole');
      const found = observations.find((one) => one.version === version && one.callId === callId);
      setWhole(found?.text ?? text);
      setState('rest');
    } catch {
      // The only remedy for any failure is to load again.
      setState('failed');
    }
  }
  if (whole !== null) return <LongText isOpen className={className} text={whole} of={of} />;
  if (text.length >= length) return <LongText className={className} text={text} of={of} />;
  return (
    <div className={classNames('wrap-anywhere whitespace-pre-wrap', className)}>
      {beginningOf(text)} …
      <button
        type="button"
        className="block cursor-pointer font-sans text-brand text-sm underline underline-offset-2"
        onClick={ask}
        disabled={state === 'asking'}
      >
        {state === 'asking' ? 'Loading all' : `Show all ${formatCount(length)} characters`}
        <span className="sr-only"> of {of}</span>
      </button>
      {state === 'failed' ? <InlineError>Hone did not respond. Try again.</InlineError> : null}
    </div>
  );
}

const MAX_WAIT_MS = 30_000;

/** Id of the run whose timeline is shown, used to load missing content. */
const RunId = createContext('');
