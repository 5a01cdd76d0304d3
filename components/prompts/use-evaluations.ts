import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchApi } from '#components/api/call-api.ts';
import { followEvents } from '#components/api/read-lines.ts';
import { useFrameState } from '#components/ui/timers.ts';
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
  const { value: cells, latest, update } = useFrameState<CellStates>(() => new Map());
  const [runs, setRuns] = useState<string | null>(null);
  const [end, setEnd] = useState<EvaluationEnd | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [wasStopped, setStopped] = useState(false);
  const running = useRef<AbortController | null>(null);
  const looking = useRef(new Set<AbortController>());
  const lookedUp = useRef(new Set<string>());
  const ofSetup = useRef(setup);

  useEffect(
    () => () => {
      running.current?.abort('left');
      for (const one of looking.current) one.abort();
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
        controller.signal,
        (event) => update(withEvaluationEvent(latest.current, event, requested)),
      );
      looking.current.delete(controller);
      if (wrong === null && !controller.signal.aborted)
        for (const text of requested.texts) lookedUp.current.add(promptKey(text));
    },
    [name, latest, update],
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
      const wrong = await fetchEvaluations(name, { ...requested, pay: true, again }, controller.signal, (event) => {
        update(withEvaluationEvent(latest.current, event, requested));
        if (event.type === 'end') setEnd(event);
      });
      running.current = null;
      if (controller.signal.reason === 'left') return;
      update(withoutPending(latest.current));
      setStopped(controller.signal.aborted);
      setProblem(wrong?.message ?? null);
      setRuns(null);
    },
    [name, latest, update],
  );

  const stop = useCallback(() => running.current?.abort(), []);
  return { cells, runs, end, wasStopped, problem, lookUp, run, stop };
}
export type Evaluations = ReturnType<typeof useEvaluations>;

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

/** Requests an evaluation and passes on each event. Returns the problem, or null if it finished or was aborted. */
function fetchEvaluations(
  name: string,
  { texts, models, positions, pay, again }: EvaluationRequest,
  signal: AbortSignal,
  onEvent: (event: EvaluationEvent) => void,
) {
  const body = { texts: texts.map(sentPrompt), models: [...models], positions: [...positions], pay, again };
  return followEvents(fetchApi('POST /api/v1/prompts/{name}/proofs', { params: { name }, body, signal }), {
    signal,
    lost: 'The connection was lost. Finished answers are saved. Run again for the rest.',
    onEvent,
  });
}
