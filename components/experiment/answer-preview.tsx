'use client';

import { Eye, Square, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ApiBody, fetchApi, readRefusal } from '#components/api/call-api.ts';
import { readLines } from '#components/api/read-lines.ts';
import { Button } from '#components/ui/button.tsx';
import { Caret, LiveText } from '#components/ui/live-text.tsx';
import { LocalMoments } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { useNow } from '#components/ui/timers.ts';
import type { PreviewEvent } from '#lib/batches/preview-answer.ts';
import type { Problem } from '#lib/core/problem.ts';
import { formatCost, formatCount, formatDuration } from '#lib/format.ts';

type Ended = Extract<PreviewEvent, { type: 'end' | 'failed' }>;
type Shown = { startedAt: string; input: string | null; text: string; ended: Ended | 'stopped' | 'broken' | null };

export type PreviewRequest = ApiBody<'POST /api/v1/experiments/preview'>;

type AnswerPreviewProps = {
  /** Returns the request body. */
  request: () => PreviewRequest;
  /** Reason the preview is unavailable. Null if it is available. */
  unavailable: string | null;
  /** Note on the part of the case that is sent, if it is not sent completely. */
  note: string | null;
  /** Called with invalid settings to show beside their fields, and with null before each request. */
  onProblem: (problem: Problem | null) => void;
};

/** Streams one output before anything is saved, with its time and cost. */
export function AnswerPreview({ request, unavailable, note, onProblem }: AnswerPreviewProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);
  const isAsking = shown !== null && shown.ended === null;

  async function ask() {
    asking.current?.abort();
    const left = new AbortController();
    asking.current = left;
    onProblem(null);
    setShown({ startedAt: new Date().toISOString(), input: null, text: '', ended: null });
    const change = (changes: (before: Shown) => Partial<Shown>) =>
      setShown((before) => (asking.current !== left || before === null ? before : { ...before, ...changes(before) }));
    try {
      const body = request();
      const response = await fetchApi('POST /api/v1/experiments/preview', { body, signal: left.signal });
      if (!response.ok) {
        const problem = await readRefusal(response);
        setShown(null);
        return onProblem(problem);
      }
      if (response.body === null) return change(() => ({ ended: 'broken' }));
      for await (const event of readLines<PreviewEvent>(response.body)) {
        if (event.type === 'begin') change(() => ({ input: event.input }));
        else if (event.type === 'text') change(({ text }) => ({ text: text + event.piece }));
        else change(({ text }) => ({ ended: event, text: event.type === 'end' ? event.text : text }));
      }
      change(({ ended }) => ({ ended: ended ?? 'broken' }));
    } catch {
      change(() => ({ ended: left.signal.aborted ? 'stopped' : 'broken' }));
    }
  }

  function stop() {
    asking.current?.abort();
    setShown((before) => (before === null ? null : { ...before, ended: 'stopped' }));
  }

  return (
    <Pane aria-labelledby="preview-title" data-testid="answer-preview">
      <PaneHeader titleId="preview-title" title="Try on one case">
        <span className="ml-auto">
          {isAsking ? (
            <Button size="small" onClick={stop}>
              <Square />
              Stop
            </Button>
          ) : (
            <Button size="small" disabled={unavailable !== null} onClick={() => void ask()}>
              <Eye />
              Preview
            </Button>
          )}
        </span>
      </PaneHeader>
      {unavailable === null ? null : <p className="text-ink-2 text-sm">{unavailable}</p>}
      {shown === null && unavailable === null ? (
        <p className="text-ink-2 text-sm">Shows one answer as it streams. It is not scored or saved.</p>
      ) : null}
      {note === null ? null : <p className="text-ink-3 text-sm">{note}</p>}
      {shown === null ? null : <ShownAnswer shown={shown} />}
    </Pane>
  );
}

function ShownAnswer({ shown: { startedAt, input, text, ended } }: { shown: Shown }) {
  return (
    <>
      <p className="mt-1 text-sm" role="status">
        {ended === null ? (
          <>
            <span className="font-semibold text-brand">Answering</span> <Elapsed since={startedAt} />
          </>
        ) : (
          <Outcome ended={ended} />
        )}
      </p>
      {input === null ? null : <p className="wrap-anywhere mt-1 line-clamp-2 text-ink-3 text-sm">Case: {input}</p>}
      {text === '' ? null : (
        <LiveText aria-label="Answer" aria-busy={ended === null}>
          <span dir="auto">
            {text}
            {ended === null ? <Caret /> : null}
          </span>
        </LiveText>
      )}
    </>
  );
}

function Elapsed({ since }: { since: string }) {
  const now = useNow(100);
  return <span className="text-ink-2">{formatDuration(Math.max(0, now.getTime() - Date.parse(since)))}</span>;
}

function Outcome({ ended }: { ended: Ended | 'stopped' | 'broken' }) {
  if (ended === 'stopped')
    return <span className="text-ink-2">Stopped. The tokens received so far may be billed.</span>;
  if (ended === 'broken') return <Failed>The connection was lost. Try again.</Failed>;
  const { durationMs, inputTokens, outputTokens, costUsd } = ended;
  const tokens = `${formatCount(inputTokens + outputTokens)} tokens`;
  const facts = [formatDuration(durationMs), tokens, formatCost(costUsd ?? 0, costUsd === null)].join(' · ');
  if (ended.type === 'failed')
    return (
      <Failed>
        {ended.message} <LocalMoments text={ended.remedy} />
      </Failed>
    );
  return (
    <span className="text-ink-2" data-testid="preview-facts">
      <span className="font-semibold text-better">Answered</span> {facts}
      {ended.finishReason === 'length' ? '. It was cut off at the token limit.' : ''}
    </span>
  );
}

function Failed({ children }: { children: ReactNode }) {
  return (
    <span className="wrap-anywhere text-worse">
      <TriangleAlert /> {children}
    </span>
  );
}
