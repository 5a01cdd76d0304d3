import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchApi, readRefusal } from '#components/api/call-api.ts';
import type { ProofEvent } from '#lib/prompts/evaluation-schema.ts';
import type { PromptBody } from '#lib/prompts/prompt-body.ts';
import type { AskedCells, ProofRequest } from './proof-rows.ts';
import { type CellState, cellKey, type ProofCells, promptKey, withoutPending, withProofEvent } from './proof-rows.ts';
import { readProofStream } from './read-proof-stream.ts';

/** What a run of the proof came to; null before one has ended. */
type ProofEnd = Extract<ProofEvent, { type: 'end' }>;

/**
 * The answers that the page knows of, as they come; leaving the page calls off what runs. `setup` names what they were made with: under
 * another one they are other answers.
 */
export function useProofs(name: string, setup: string) {
  const [cells, setCells] = useState<ProofCells>(() => new Map());
  const [runs, setRuns] = useState<string | null>(null);
  const [end, setEnd] = useState<ProofEnd | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [wasStopped, setStopped] = useState(false);
  const latest = useRef<ProofCells>(cells);
  const frame = useRef<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const looking = useRef(new Set<AbortController>());
  const lookedUp = useRef(new Set<string>());
  const ofSetup = useRef(setup);

  /** Words come faster than a page should be drawn. */
  const put = useCallback((next: ProofCells) => {
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
    put(new Map());
  }, [setup, put]);

  /** Finds what is kept already of these texts, each once; nothing is called for. */
  const lookUp = useCallback(
    async (given: AskedCells) => {
      const asked = { ...given, texts: given.texts.filter((text) => !lookedUp.current.has(promptKey(text))) };
      if (asked.positions.length === 0 || asked.texts.length === 0) return;
      const controller = new AbortController();
      looking.current.add(controller);
      const wrong = await fetchProofs(
        name,
        { ...asked, pay: false, again: false },
        { signal: controller.signal, onEvent: (event) => put(withProofEvent(latest.current, event, asked)) },
      );
      looking.current.delete(controller);
      if (wrong === null && !controller.signal.aborted)
        for (const text of asked.texts) lookedUp.current.add(promptKey(text));
    },
    [name, put],
  );

  /** `what` names the run, so that each part of the page knows its own. One at a time. */
  const run = useCallback(
    async (what: string, asked: AskedCells, again = false) => {
      if (running.current !== null) return;
      const controller = new AbortController();
      running.current = controller;
      setRuns(what);
      setEnd(null);
      setProblem(null);
      setStopped(false);
      put(withWaiting(latest.current, asked, again));
      const wrong = await fetchProofs(
        name,
        { ...asked, pay: true, again },
        {
          signal: controller.signal,
          onEvent: (event) => {
            put(withProofEvent(latest.current, event, asked));
            if (event.type === 'end') setEnd(event);
          },
        },
      );
      running.current = null;
      if (controller.signal.reason === 'left') return;
      put(withoutPending(latest.current));
      setStopped(controller.signal.aborted);
      setProblem(wrong);
      setRuns(null);
    },
    [name, put],
  );

  const stop = useCallback(() => running.current?.abort(), []);
  return { cells, runs, end, wasStopped, problem, lookUp, run, stop };
}
export type Proofs = ReturnType<typeof useProofs>;

/** Marks what is asked for and not there: it is to come. */
function withWaiting(cells: ProofCells, { texts, models, positions }: AskedCells, again: boolean): ProofCells {
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
  return cell?.state === 'made' && !(again && cell.proof.score === null);
}

function sentPrompt({ text, tools, responseSchema }: PromptBody): PromptBody {
  return { text, tools, responseSchema };
}

/** Asks for a proof and tells of each event. Answers what went wrong, in words; null where it came to its end or was called off. */
async function fetchProofs(
  name: string,
  { texts, models, positions, pay, again }: ProofRequest,
  { signal, onEvent }: { signal: AbortSignal; onEvent: (event: ProofEvent) => void },
): Promise<string | null> {
  let hasEnded = false;
  try {
    const response = await fetchApi('POST /api/v1/prompts/{name}/proofs', {
      params: { name },
      body: { texts: texts.map(sentPrompt), models: [...models], positions: [...positions], pay, again },
      signal,
    });
    if (!response.ok || response.body === null) return (await readRefusal(response)).message;
    for await (const event of readProofStream(response.body)) {
      if (signal.aborted) return null;
      hasEnded ||= event.type === 'end';
      onEvent(event);
    }
  } catch {
    // A connection that breaks and an answer that is none are the same to a person.
  }
  if (hasEnded || signal.aborted) return null;
  return 'The connection was lost. Finished answers are saved. Run again for the rest.';
}
