'use client';

import { ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { useWindowRows } from '#components/ui/use-window-rows.ts';
import { formatCost, formatCount, formatDuration, formatMoment, formatNumberOf } from '#lib/format.ts';
import { retrospectiveOfStep } from '#lib/reflection/retrospective-record.ts';
import { CodeText } from './code-text.tsx';
import { highlightLines } from './highlight-lines.ts';

/** A model call as it was sent and answered. */
export type CallListItem = {
  id: number;
  step: number;
  role: string;
  provider: string;
  model: string;
  instructions: string;
  prompt: string;
  options: { temperature: number | null; maxOutputTokens: number | null; output: string | null };
  /** The version it was about, null where there is none. */
  version: number | null;
  text: string | null;
  finishReason: string | null;
  failure: { kind: string; message: string; remedy: string } | null;
  tokenUsage: { input: number; output: number; total: number };
  costUsd: number | null;
  latencyMs: number;
  attempts: number;
  warnings: string[];
  createdAt: string;
};

/** Every call of a run in order; each opens to what was sent and what came back, word for word. Only those in sight are drawn. */
export function CallList({ calls }: { calls: readonly CallListItem[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { virtual, top } = useWindowRows(list, {
    count: calls.length,
    estimateSize: () => 45,
    getItemKey: (index) => calls[index]?.id ?? index,
    overscan: 8,
  });
  if (calls.length === 0) return <p className="pane muted">No model was asked yet.</p>;
  function toggle(id: number, isOpen: boolean) {
    setOpen((before) => {
      const after = new Set(before);
      if (isOpen) after.add(id);
      else after.delete(id);
      return after;
    });
  }
  return (
    <ul ref={list} className="virtual" style={{ height: virtual.getTotalSize() }} aria-label={`${calls.length} calls`}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const call = calls[index];
        return call ? (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={calls.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <Call call={call} isOpen={open.has(call.id)} onToggle={(isOpen) => toggle(call.id, isOpen)} />
          </li>
        ) : null;
      })}
    </ul>
  );
}

type CallProps = { call: CallListItem; isOpen: boolean; onToggle: (isOpen: boolean) => void };

function Call({ call, isOpen, onToggle }: CallProps) {
  return (
    <details className="fsec" open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="i s chev" aria-hidden />
        <h2 className="ttl">{ROLE_WORDS[call.role] ?? call.role}</h2>
        <span className="val trunc">{factsOf(call).join('\u00a0· ')}</span>
        <span>{call.failure ? <Badge tone="worse">✕ {call.failure.kind.replaceAll('_', ' ')}</Badge> : null}</span>
      </summary>
      {isOpen ? <CallTexts call={call} /> : null}
    </details>
  );
}

/** Each in one piece where the line breaks. */
function factsOf(call: CallListItem): string[] {
  return [
    call.version === null ? '' : `v${call.version}`,
    placeOf(call.step),
    `${call.provider} / ${call.model}`,
    `${formatCount(call.tokenUsage.total)}\u00a0tokens`,
    call.costUsd === null ? 'no price' : formatCost(call.costUsd, false),
    formatDuration(call.latencyMs),
    call.attempts > 1 ? formatNumberOf(call.attempts, 'try', 'tries') : '',
    call.attempts === 0 && call.failure === null ? 'paid before' : '',
  ].filter((fact) => fact !== '');
}

/** Calls made beside the loop have steps below 0. */
function placeOf(step: number): string {
  if (step >= 0) return `step ${step}`;
  return retrospectiveOfStep(step) === null ? 're-score' : 'look back';
}

function CallTexts({ call }: { call: CallListItem }) {
  return (
    <div className="fbody stack gap-3">
      {call.instructions ? <Part name="Instructions" text={call.instructions} /> : null}
      <Part name="Prompt" text={call.prompt} />
      <p className="sm muted">Options: {optionWords(call.options)}</p>
      {call.text === null ? null : (
        <Part
          name={call.finishReason && call.finishReason !== 'stop' ? `Answer, ended by ${call.finishReason}` : 'Answer'}
          text={call.text}
        />
      )}
      {call.failure ? (
        <p className="worse wrap-anywhere">
          ✕ {call.failure.message} {call.failure.remedy}
        </p>
      ) : null}
      {call.warnings.map((warning) => (
        <p key={warning} className="sm muted">
          Warning: {warning}
        </p>
      ))}
      <p className="sm faint">
        {formatMoment(call.createdAt)} · {formatCount(call.tokenUsage.input)} tokens in,{' '}
        {formatCount(call.tokenUsage.output)} out
      </p>
    </div>
  );
}

function optionWords({ temperature, maxOutputTokens, output }: CallListItem['options']): string {
  return [
    temperature === null ? "the model's own temperature" : `temperature ${temperature}`,
    maxOutputTokens === null ? 'no length limit' : `at most ${formatCount(maxOutputTokens)} tokens`,
    output === null ? 'as text' : `as JSON of the shape “${output}”`,
  ].join(', ');
}

function Part({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <h3 className="mb-1">{name}</h3>
      <CodeText lines={highlightLines(text)} />
    </div>
  );
}

const ROLE_WORDS: Record<string, string> = {
  generate: 'Draft',
  evaluate: 'Judge',
  embed: 'Embed',
  reflect: 'Critique',
  revise: 'Revise',
  lesson: 'Lesson',
  try: 'Try',
  judge: 'Judge',
};
