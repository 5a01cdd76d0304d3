import { useEffect, useRef, useState } from 'react';
import { type ApiBody, callApi } from '#components/api/call-api.ts';
import type { Problem, Result } from '#lib/core/problem.ts';
import type { TriedCriterion } from '#lib/evaluators/tried-criterion.ts';
import { readSample, type TrySample } from './read-sample.ts';

/**
 * Scores a sample by the criterion in the editor. Leaving the page aborts the model calls. `onProblem` receives the problem of a failed
 * test, and null when the next test starts.
 */
export function useTriedCriterion(onProblem: (problem: Problem | null) => void) {
  const [tried, setTried] = useState<TriedCriterion | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isTrying, setTrying] = useState(false);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);

  /** `request`: the criterion without the sample. */
  async function tryIt(request: Record<string, unknown>, sample: TrySample) {
    const controller = new AbortController();
    going.current = controller;
    setTrying(true);
    setProblem(null);
    onProblem(null);
    const read = readSample(sample);
    const result = read.ok ? await fetchTriedCriterion({ ...request, ...read.value }, controller.signal) : read;
    setTrying(false);
    if (result === null) return;
    setTried(result.ok ? result.value : null);
    setProblem(result.ok ? null : result.problem);
    onProblem(result.ok ? null : result.problem);
  }
  return { tried, problem, isTrying, tryIt, stop: () => going.current?.abort() };
}

/** Requests a test score. Null if `signal` was aborted. */
async function fetchTriedCriterion(input: object, signal: AbortSignal): Promise<Result<TriedCriterion> | null> {
  // Sent as typed. The API reports missing and invalid values.
  const body = input as ApiBody<'POST /api/v1/experiments/try-criterion'>;
  const tried = await callApi('POST /api/v1/experiments/try-criterion', { body, signal });
  return signal.aborted ? null : tried;
}
