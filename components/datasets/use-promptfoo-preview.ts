import { useEffect, useState } from 'react';
import { callApi } from '#components/api/call-api.ts';
import { useDebounced } from '#components/ui/timers.ts';
import type { Problem } from '#lib/core/problem.ts';
import type { PromptfooImport } from '#lib/datasets/schema.ts';

/** `text`, `withExperiment`: what was previewed. */
type Looked = { text: string; withExperiment: boolean; preview: PromptfooImport | null; problem: Problem | null };

const PREVIEW_DEBOUNCE_MS = 350;

/** Previews a promptfoo configuration through the API, debounced. Stores nothing. */
export function usePromptfooPreview(text: string, withExperiment: boolean) {
  const settled = useDebounced(text, PREVIEW_DEBOUNCE_MS);
  const [looked, setLooked] = useState<Looked | null>(null);
  useEffect(() => {
    if (settled.trim() === '') return setLooked(null);
    const left = new AbortController();
    void callApi('POST /api/v1/datasets/promptfoo', {
      body: { config: settled, dryRun: true, experiment: withExperiment },
      signal: left.signal,
    }).then((answer) => {
      if (left.signal.aborted) return;
      setLooked({
        text: settled,
        withExperiment,
        preview: answer.ok ? answer.value : null,
        problem: answer.ok ? null : answer.problem,
      });
    });
    return () => left.abort();
  }, [settled, withExperiment]);
  const { preview = null, problem = null } = looked ?? {};
  return {
    preview,
    problem,
    /** True if the preview belongs to the text and the choice. */
    isCurrent: looked?.text === text && looked.withExperiment === withExperiment,
    setProblem: (next: Problem) => setLooked((before) => before && { ...before, problem: next }),
  };
}
