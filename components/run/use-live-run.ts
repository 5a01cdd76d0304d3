import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import { MODEL_ROLES, type ModelRole } from '#lib/reflection/settings.ts';
import { fetchRunRecord } from './fetch-run-record.ts';

/** Text of the call in progress, as far as it has come. */
export type LiveText = { role: ModelRole; text: string };

const POLL_MS = 2_000;
const STORED_EVENTS = [
  'attempt_started',
  'lessons_recalled',
  'output_made',
  'evaluated',
  'threshold_met',
  'max_attempts_reached',
  'critiqued',
  'lesson_produced',
  'lesson_persisted',
  'revised',
  'waiting',
  'decided',
  'failed',
  'stopped',
];
const textPieceSchema = z.object({ role: z.enum(MODEL_ROLES), text: z.string() });

/**
 * Keeps a run's record fresh: follows its events and reads the record anew at each stored one; polls while the stream is
 * broken. `live` is the text of the call in progress, null between calls.
 */
export function useLiveRun(initial: RunRecord): { record: RunRecord; live: LiveText | null; refresh: () => void } {
  const queryClient = useQueryClient();
  const [isBroken, setBroken] = useState(false);
  const [live, setLive] = useState<LiveText | null>(null);
  const runId = initial.id;
  const { data: record } = useQuery({
    queryKey: ['run', runId],
    queryFn: ({ signal }) => fetchRunRecord(runId, signal),
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: isBroken ? POLL_MS : false,
  });
  const isUnderWay = record.status === 'queued' || record.status === 'running' || record.status === 'waiting';
  const lastEvent = useRef(initial.lastEvent);
  lastEvent.current = Math.max(lastEvent.current, record.lastEvent);

  useEffect(() => {
    if (!isUnderWay) {
      setLive(null);
      setBroken(false);
      return;
    }
    const source = new EventSource(`/api/v1/runs/${encodeURIComponent(runId)}/events?lastEventId=${lastEvent.current}`);
    const read = () => void queryClient.invalidateQueries({ queryKey: ['run', runId] });
    source.onopen = () => setBroken(false);
    source.onerror = () => {
      setBroken(true);
      if (source.readyState === EventSource.CLOSED) read();
    };
    const onStored = () => {
      setLive(null);
      read();
    };
    for (const type of STORED_EVENTS) source.addEventListener(type, onStored);
    const stopText = followText(source, (pieces) => setLive((current) => appended(current, pieces)));
    return () => {
      stopText();
      source.close();
    };
  }, [isUnderWay, runId, queryClient]);

  return { record, live, refresh: () => void queryClient.invalidateQueries({ queryKey: ['run', runId] }) };
}

/** Hands on live text once a frame and not once a piece. */
function followText(source: EventSource, onPieces: (pieces: LiveText[]) => void): () => void {
  let waiting: LiveText[] = [];
  let frame: number | null = null;
  source.addEventListener('text', (event) => {
    const piece = textPieceSchema.safeParse(JSON.parse(event.data));
    if (!piece.success) return;
    waiting.push(piece.data);
    frame ??= requestAnimationFrame(() => {
      frame = null;
      onPieces(waiting);
      waiting = [];
    });
  });
  return () => {
    if (frame !== null) cancelAnimationFrame(frame);
  };
}

function appended(current: LiveText | null, pieces: LiveText[]): LiveText | null {
  return pieces.reduce<LiveText | null>(
    (sum, piece) => (sum?.role === piece.role ? { role: piece.role, text: sum.text + piece.text } : piece),
    current,
  );
}
