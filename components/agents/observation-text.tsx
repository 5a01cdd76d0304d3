'use client';

import { useContext, useState } from 'react';
import { fetchRunRecord } from '#components/run/fetch-run-record.ts';
import { classNames } from '#components/ui/class-names.ts';
import { formatCount } from '#lib/format.ts';
import type { ObservationRecord } from '#lib/reflection/run-record.ts';
import { beginningOf, LongText } from './long-text.tsx';
import { RunId } from './run-id.ts';

type ObservationTextProps = { observation: ObservationRecord; of: string; className: string };

/** What a tool answered, word for word. A page is given its beginning; the rest comes when it is asked for. */
export function ObservationText({ observation, of, className }: ObservationTextProps) {
  const { text, length, version, callId } = observation;
  const runId = useContext(RunId);
  const [whole, setWhole] = useState<string | null>(null);
  const [state, setState] = useState<'rest' | 'asking' | 'failed'>('rest');
  async function ask() {
    setState('asking');
    try {
      const { observations } = await fetchRunRecord(runId, AbortSignal.timeout(LONGEST_WAIT_MS), 'whole');
      const found = observations.find((one) => one.version === version && one.callId === callId);
      setWhole(found?.text ?? text);
      setState('rest');
    } catch {
      // Whatever went wrong on the way, asking again is all there is to do.
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
        {state === 'asking' ? 'Reading it' : `Show all ${formatCount(length)} characters`}
        <span className="sr-only"> of {of}</span>
      </button>
      {state === 'failed' ? (
        <p className="text-sm text-worse" role="alert">
          ✕ Hone did not answer. Try again.
        </p>
      ) : null}
    </div>
  );
}

const LONGEST_WAIT_MS = 30_000;
