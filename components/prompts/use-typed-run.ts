import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchApi } from '#components/api/call-api.ts';
import { followEvents } from '#components/api/read-lines.ts';
import { useFrameState } from '#components/ui/timers.ts';
import type { Problem } from '#lib/core/problem.ts';
import type {
  PlaygroundAnswer,
  PlaygroundEvent,
  PlaygroundRun,
  PlaygroundSetup,
} from '#lib/prompts/playground-schema.ts';
import type { PromptBody } from '#lib/prompts/prompt.ts';

/** Request of a run, in the format of the API. */
export type TypedRequest = Pick<PlaygroundRun, keyof PromptBody | 'cases' | 'setup'> & { prompt: string | null };

type TypedEnd = Extract<PlaygroundEvent, { type: 'end' }>;

type Model = PlaygroundSetup['models'][number];
/** Keys of the cases and the models that the shown outputs belong to, in the order of the request. */
type RunSubjects = { caseKeys: readonly number[]; models: readonly Model[] };

/** Manages playground runs on typed cases: the outputs as they arrive, and the newest runs. Leaving the page aborts a run. */
export function useTypedRun(stored: readonly PlaygroundRun[]) {
  const [history, setHistory] = useState(stored);
  const { value: answers, latest, update } = useFrameState<TypedAnswers>(() => new Map());
  const [subjects, setSubjects] = useState<RunSubjects>({ caseKeys: [], models: [] });
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [end, setEnd] = useState<TypedEnd | null>(null);
  const [wasStopped, setStopped] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const running = useRef<AbortController | null>(null);
  const newest = useRef<AbortController | null>(null);

  useEffect(() => () => newest.current?.abort('left'), []);

  /** `caseKeys`: keys of the cases of the request. Does nothing during another run. */
  const run = useCallback(
    async (request: TypedRequest, caseKeys: readonly number[]) => {
      if (running.current !== null) return;
      const controller = new AbortController();
      running.current = controller;
      newest.current = controller;
      setSubjects({ caseKeys, models: request.setup.models });
      setStartedAt(Date.now());
      setEnd(null);
      setProblem(null);
      setStopped(false);
      const keys = request.setup.models.flatMap((_, model) => request.cases.map((_, index) => answerKey(model, index)));
      update(new Map(keys.map((key) => [key, { state: 'waiting' }])));
      const finish = () => {
        if (running.current !== controller) return;
        running.current = null;
        setStartedAt(null);
      };
      const { signal } = controller;
      const wrong = await followEvents<PlaygroundEvent>(
        fetchApi('POST /api/v1/playground', { body: request, signal }),
        {
          signal,
          lost: 'The connection was lost. Run again.',
          onEvent: (event) => {
            if (event.type === 'kept') return setHistory((before) => [event.run, ...before].slice(0, MAX_SHOWN_RUNS));
            if (newest.current !== controller) return;
            update(withAnswer(latest.current, event));
            if (event.type === 'end') setEnd(event);
            // The run is still being saved, which does not prevent the next one.
            if (areAllSettled(latest.current)) finish();
          },
        },
      );
      finish();
      if (controller.signal.reason === 'left' || newest.current !== controller) return;
      update(closeOpenAnswers(latest.current));
      setStopped(controller.signal.aborted);
      setProblem(wrong);
    },
    [latest, update],
  );

  /** Shows the outputs of an earlier run on the cases with these keys. */
  const show = useCallback(
    (run: PlaygroundRun, caseKeys: readonly number[]) => {
      newest.current = null;
      setSubjects({ caseKeys, models: run.setup.models });
      update(answersOf(run));
      setEnd(null);
      setProblem(null);
      setStopped(false);
    },
    [update],
  );

  const stop = useCallback(() => running.current?.abort(), []);
  /** Returns the output of a model on a case, although other models or cases were added or removed since. Null if there is none. */
  const answerOf = ({ provider, model }: Model, caseKey: number): TypedAnswer | null => {
    const at = subjects.models.findIndex((one) => one.provider === provider && one.model === model);
    return answers.get(answerKey(at, subjects.caseKeys.indexOf(caseKey))) ?? null;
  };
  return {
    ...{ answers, answerOf, caseKeys: subjects.caseKeys, startedAt, isRunning: startedAt !== null },
    ...{ end, wasStopped, problem, history, run, show, stop },
  };
}
export type TypedRun = ReturnType<typeof useTypedRun>;

const MAX_SHOWN_RUNS = 10;

/** State of an output. `stopped`: partial text of a run that was stopped or failed. */
export type TypedAnswer =
  | { state: 'waiting' }
  | { state: 'writing' | 'stopped'; text: string }
  | Extract<PlaygroundAnswer, { state: 'made' }>
  | (Extract<PlaygroundAnswer, { state: 'failed' }> & { text: string });

/** Outputs by model and case. */
export type TypedAnswers = ReadonlyMap<string, TypedAnswer>;

export function answerKey(model: number, index: number): string {
  return `${model} ${index}`;
}

/** Applies an event of a run to the outputs. */
export function withAnswer(answers: TypedAnswers, event: PlaygroundEvent): TypedAnswers {
  if (event.type === 'begin' || event.type === 'end' || event.type === 'kept') return answers;
  const key = answerKey(event.model, event.position);
  const before = answers.get(key);
  const written = before?.state === 'writing' ? before.text : '';
  const cell = { model: event.model, case: event.position };
  switch (event.type) {
    case 'text':
      return new Map(answers).set(key, { state: 'writing', text: written + event.piece });
    case 'failed':
      return new Map(answers).set(key, {
        ...cell,
        ...{ state: 'failed', message: event.message, remedy: event.remedy, text: written },
      });
    case 'proof':
      return new Map(answers).set(key, { ...event.proof, ...cell, state: 'made' });
  }
}

/** Returns the outputs after a run ended early. Partial text is kept. */
export function closeOpenAnswers(answers: TypedAnswers): TypedAnswers {
  return new Map(
    [...answers].flatMap(([key, answer]): [string, TypedAnswer][] => {
      if (answer.state === 'waiting') return [];
      return [[key, answer.state === 'writing' ? { state: 'stopped', text: answer.text } : answer]];
    }),
  );
}

function areAllSettled(answers: TypedAnswers): boolean {
  return [...answers.values()].every(({ state }) => state === 'made' || state === 'failed');
}

/** Returns the outputs of a stored run. */
export function answersOf({ answers }: Pick<PlaygroundRun, 'answers'>): TypedAnswers {
  return new Map(
    answers.map((answer) => [
      answerKey(answer.model, answer.case),
      answer.state === 'failed' ? { ...answer, text: '' } : answer,
    ]),
  );
}
