import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchApi, readRefusal } from '#components/api/call-api.ts';
import { readLines } from '#components/api/read-lines.ts';
import type { EvaluationEvent } from '#lib/prompts/evaluation-schema.ts';
import type { PromptBody } from '#lib/prompts/prompt.ts';
import {
  type AskedCells,
  type CellState,
  type CellStates,
  cellKey,
  type EvaluationRequest,
  promptKey,
  withEvaluationEvent,
  withoutPending,
} from './evaluation-rows.ts';

type EvaluationEnd = Extract<EvaluationEvent, { type: 'end' }>;

/**
 * Manages the evaluation results of the page as they arrive. Leaving the page aborts a running evaluation. `setup` identifies the setup of
 * the results; another setup has separate results.
 */
export function useEvaluations(name: string, setup: string) {
  const [cells, setCells] = useState<CellStates>(() => new Map());
  const [runs, setRuns] = useState<string | null>(null);
  const [end, setEnd] = useState<EvaluationEnd | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [wasStopped, setStopped] = useState(false);
  const latest = useRef<CellStates>(cells);
  const frame = useRef<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const looking = useRef(new Set<AbortController>());
  const lookedUp = useRef(new Set<string>());
  const ofSetup = useRef(setup);

  /** Events arrive faster than the page should re-render. */
  const update = useCallback((next: CellStates) => {
    latest.current = next;
    frame.current ??= requestAnimationFrame(() => {
      frame.current = null;
      setCells(latest.current);
    });
  }, []);

  useEffect(
    () => () => {
      running.current?.abort('left');
      for (const one of looking.current) one.abort();
      if (frame.current !== null) cancelAnimationFrame(frame.current);
      frame.current = null;
    },
    [],
  );

  useEffect(() => {
    if (ofSetup.current === setup) return;
    ofSetup.current = setup;
    running.current?.abort();
    for (const one of looking.current) one.abort();
    lookedUp.current = new Set();
    setEnd(null);
    update(new Map());
  }, [setup, update]);

  /** Loads stored results of the given prompts, each prompt once. Makes no model calls. */
  const lookUp = useCallback(
    async (cells: AskedCells) => {
      const requested = { ...cells, texts: cells.texts.filter((text) => !lookedUp.current.has(promptKey(text))) };
      if (requested.positions.length === 0 || requested.texts.length === 0) return;
      const controller = new AbortController();
      looking.current.add(controller);
      const wrong = await fetchEvaluations(
        name,
        { ...requested, pay: false, again: false },
        {
          signal: controller.signal,
          onEvent: (event) => update(withEvaluationEvent(latest.current, event, requested)),
        },
      );
      looking.current.delete(controller);
      if (wrong === null && !controller.signal.aborted)
        for (const text of requested.texts) lookedUp.current.add(promptKey(text));
    },
    [name, update],
  );

  /** Runs one evaluation at a time. `what` names the run, so that each part of the page recognizes its own. */
  const run = useCallback(
    async (what: string, requested: AskedCells, again = false) => {
      if (running.current !== null) return;
      const controller = new AbortController();
      running.current = controller;
      setRuns(what);
      setEnd(null);
      setProblem(null);
      setStopped(false);
      update(withWaiting(latest.current, requested, again));
      const wrong = await fetchEvaluations(
        name,
        { ...requested, pay: true, again },
        {
          signal: controller.signal,
          onEvent: (event) => {
            update(withEvaluationEvent(latest.current, event, requested));
            if (event.type === 'end') setEnd(event);
          },
        },
      );
      running.current = null;
      if (controller.signal.reason === 'left') return;
      update(withoutPending(latest.current));
      setStopped(controller.signal.aborted);
      setProblem(wrong);
      setRuns(null);
    },
    [name, update],
  );

  const stop = useCallback(() => running.current?.abort(), []);
  return { cells, runs, end, wasStopped, problem, lookUp, run, stop };
}
export type Evaluations = ReturnType<typeof useEvaluations>;

/** Marks requested but missing results as waiting. */
function withWaiting(cells: CellStates, { texts, models, positions }: AskedCells, again: boolean): CellStates {
  const next = new Map(cells);
  for (const position of positions)
    for (const text of texts)
      for (const model of models) {
        const key = cellKey(text, model, position);
        if (!isThere(next.get(key), again)) next.set(key, { state: 'waiting' });
      }
  return next;
}

function isThere(cell: CellState | undefined, again: boolean): boolean {
  return cell?.state === 'made' && !(again && cell.evaluation.score === null);
}

function sentPrompt({ text, tools, responseSchema }: PromptBody): PromptBody {
  return { text, tools, responseSchema };
}

/** Requests an evaluation and passes on each event. Returns an error message, or null if it finished or was aborted. */
async function fetchEvaluations(
  name: string,
  { texts, models, positions, pay, again }: EvaluationRequest,
  { signal, onEvent }: { signal: AbortSignal; onEvent: (event: EvaluationEvent) => void },
): Promise<string | null> {
  let hasEnded = false;
  try {
    const response = await fetchApi('POST /api/v1/prompts/{name}/proofs', {
      params: { name },
      body: { texts: texts.map(sentPrompt), models: [...models], positions: [...positions], pay, again },
      signal,
    });
    if (!response.ok || response.body === null) return (await readRefusal(response)).message;
    for await (const event of readEvaluationStream(response.body)) {
      if (signal.aborted) return null;
      hasEnded ||= event.type === 'end';
      onEvent(event);
    }
  } catch {
    // A lost connection and an invalid response look the same to the user.
  }
  if (hasEnded || signal.aborted) return null;
  return 'The connection was lost. Finished answers are saved. Run again for the rest.';
}

/** Yields the events of an evaluation as they arrive. */
export function readEvaluationStream(body: ReadableStream<Uint8Array>): AsyncGenerator<EvaluationEvent, void> {
  return readLines(body);
}
