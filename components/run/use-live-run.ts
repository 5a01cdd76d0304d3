import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { apiUrl, readApi } from '#components/api/call-api.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { createLiveTextStore, type LiveTextChunk, type LiveTextStore, parseLiveTextChunk } from './live-text-store.ts';

const POLL_MS = 2_000;
/** An ended run may be resumed, re-scored or overridden elsewhere. */
const ENDED_POLL_MS = 20_000;
/** Interval of a page in a background tab while its run is under way. */
const HIDDEN_POLL_MS = 10_000;
/** Events arrive in bursts. The record is fetched once per burst. */
const BURST_MS = 60;
/** Delay before a stream that the server refused is opened again. */
const REOPEN_MS = 5_000;
const STORED_EVENTS = [
  'attempt_started',
  'lessons_recalled',
  'turn_made',
  'tool_used',
  'output_made',
  'evaluated',
  'threshold_met',
  'max_attempts_reached',
  'critiqued',
  'lesson_produced',
  'lesson_persisted',
  'lesson_not_stored',
  'revised',
  'tried',
  'proposal_held_back',
  'validation_redrawn',
  'proposal_rejected',
  'proposal_passed',
  'proposal_validated',
  'waiting',
  'decided',
  'failed',
  'stopped',
];

/**
 * Keeps the record of a run current: subscribes to its events and refetches the record after each stored one. Polls while the stream is
 * closed or the run is queued, rarely for an ended run. A hidden page only polls until the run ends, because a browser allows a site few
 * open connections. It reads the record when it becomes visible. `liveText` contains the text of the call in progress and is empty between
 * calls.
 */
export function useLiveRun(initial: RunRecord): {
  record: RunRecord;
  liveText: LiveTextStore;
  refresh: () => Promise<void>;
  /** True while the record cannot be read, so that it may be outdated. */
  isOutdated: boolean;
} {
  const queryClient = useQueryClient();
  const [isFollowing, setFollowing] = useState(false);
  const [liveText] = useState(createLiveTextStore);
  const runId = initial.id;
  const isVisible = useIsVisible();
  const {
    data: record,
    failureCount,
    isError,
  } = useQuery({
    queryKey: ['run', runId],
    queryFn: ({ signal }) => fetchRunRecord(runId, signal),
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => {
      const current = state.data ?? initial;
      // The start of a run stores no event.
      if (isFollowing && current.status !== 'queued') return false;
      if (isUnderWay(current)) return isVisible ? POLL_MS : HIDDEN_POLL_MS;
      return isVisible ? ENDED_POLL_MS : false;
    },
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  });
  const isLive = isUnderWay(record) && isVisible;
  const lastEvent = useRef(initial.lastEvent);
  lastEvent.current = Math.max(lastEvent.current, record.lastEvent);

  useEffect(() => {
    queryClient.setQueryData<RunRecord>(['run', initial.id], (current) =>
      current !== undefined && current.lastEvent >= initial.lastEvent ? current : initial,
    );
  }, [initial, queryClient]);

  useEffect(() => {
    if (!isLive) return;
    let burst: ReturnType<typeof setTimeout> | null = null;
    const read = () => {
      burst ??= setTimeout(() => {
        burst = null;
        void queryClient.invalidateQueries({ queryKey: ['run', runId] });
      }, BURST_MS);
    };
    let reopening: ReturnType<typeof setTimeout> | null = null;
    const open = () => {
      const source = new EventSource(
        apiUrl('GET /api/v1/runs/{id}/events', { params: { id: runId }, query: { lastEventId: lastEvent.current } }),
      );
      const text = followText(source, liveText);
      source.onopen = () => setFollowing(true);
      source.onerror = () => {
        setFollowing(false);
        if (source.readyState !== EventSource.CLOSED) return;
        // Browsers reconnect after a broken connection, but not after an error response.
        reopening = setTimeout(() => {
          close();
          close = open();
        }, REOPEN_MS);
        read();
      };
      const onStored = () => {
        text.drop();
        liveText.clear();
        read();
      };
      for (const type of STORED_EVENTS) source.addEventListener(type, onStored);
      return () => {
        text.drop();
        source.close();
      };
    };
    let close = open();
    return () => {
      close();
      if (burst !== null) clearTimeout(burst);
      if (reopening !== null) clearTimeout(reopening);
      liveText.clear();
      setFollowing(false);
    };
  }, [isLive, runId, queryClient, liveText]);

  const refresh = () => queryClient.invalidateQueries({ queryKey: ['run', runId] });
  return { record, liveText, refresh, isOutdated: isError || failureCount > 1 };
}

/** Returns true while the page is not in a background tab. */
function useIsVisible(): boolean {
  return useSyncExternalStore(watchVisibility, isPageVisible, () => true);
}

function watchVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

function isPageVisible(): boolean {
  return document.visibilityState === 'visible';
}

function isUnderWay({ status }: RunRecord): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting';
}

/** Forwards live text once per frame instead of per piece. `drop` discards pending text. */
function followText(source: EventSource, liveText: LiveTextStore): { drop(): void } {
  let waiting: LiveTextChunk[] = [];
  let frame: number | null = null;
  source.addEventListener('text', (event) => {
    const piece = parseLiveTextChunk(event.data);
    if (piece === null) return;
    waiting.push(piece);
    frame ??= requestAnimationFrame(() => {
      frame = null;
      liveText.append(waiting);
      waiting = [];
    });
  });
  return {
    drop: () => {
      if (frame !== null) cancelAnimationFrame(frame);
      frame = null;
      waiting = [];
    },
  };
}

/**
 * Fetches the record of a run from the API, with shortened tool results unless all are requested. Throws if the response is not a record.
 */
export function fetchRunRecord(
  runId: string,
  signal: AbortSignal,
  texts: 'short' | 'whole' = 'short',
): Promise<RunRecord> {
  return readApi('GET /api/v1/runs/{id}', { params: { id: runId }, query: { texts }, signal });
}
