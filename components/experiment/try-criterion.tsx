'use client';

import { FlaskConical, Square, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import type { Problem } from '#lib/core/problem.ts';
import type { TriedCriterion } from '#lib/evaluators/tried-criterion.ts';
import { fetchTriedCriterion } from './fetch-tried-criterion.ts';
import { readSample, type TrySample } from './read-sample.ts';
import { TriedResult } from './tried-result.tsx';

type TryCriterionProps = {
  /** The request but for the sample. */
  request: Record<string, unknown>;
  /** Whether it compares the output with an earlier one. */
  comparesVersions: boolean;
  /** The score it passes from, as it was typed: its own threshold, else the overall one. */
  threshold: string;
  sample: TrySample;
  onSample: (sample: TrySample) => void;
  /** What stood in the way, for the field that it names; null once it is tried again. */
  onProblem: (problem: Problem | null) => void;
};

/** Scores a pasted output by the criterion as it is typed now, before anything is saved. */
export function TryCriterion({ request, comparesVersions, threshold, sample, onSample, onProblem }: TryCriterionProps) {
  const [tried, setTried] = useState<TriedCriterion | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isTrying, setTrying] = useState(false);
  const going = useRef<AbortController | null>(null);
  const errorAt = (field: string) => (problem?.field === field ? problem.message : null);
  const isElsewhere = problem !== null && !OWN_FIELDS.includes(problem.field ?? '');

  async function tryIt() {
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

  return (
    <details className="try-it">
      <summary className="cursor-pointer text-ink-2 text-sm">Try it on an output</summary>
      <div className="mt-2 flex flex-col gap-3">
        <Field label="Output to score" help="The same for all criteria; nothing is stored" error={errorAt('output')}>
          <Textarea
            rows={4}
            value={sample.output}
            onChange={(event) => onSample({ ...sample, output: event.target.value })}
          />
        </Field>
        <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
          <Field label="Its case: input" error={errorAt('case.input')}>
            <Textarea
              rows={2}
              value={sample.input}
              onChange={(event) => onSample({ ...sample, input: event.target.value })}
            />
          </Field>
          <Field label="Its case: reference" help="Empty for none" error={errorAt('case.reference')}>
            <Textarea
              rows={2}
              value={sample.reference}
              onChange={(event) => onSample({ ...sample, reference: event.target.value })}
            />
          </Field>
        </div>
        <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
          <Field label="Its case: metadata" help="JSON; empty for none" error={errorAt('case.metadata')}>
            <Textarea
              rows={2}
              className="font-mono text-code"
              spellCheck={false}
              placeholder={'{ "terms": ["limit"] }'}
              value={sample.metadata}
              onChange={(event) => onSample({ ...sample, metadata: event.target.value })}
            />
          </Field>
          {comparesVersions ? (
            <Field label="Earlier version" help="What the output is compared with" error={errorAt('earlier')}>
              <Textarea
                rows={2}
                value={sample.earlier}
                onChange={(event) => onSample({ ...sample, earlier: event.target.value })}
              />
            </Field>
          ) : null}
        </div>
        <div className="flex items-center gap-2">
          {isTrying ? (
            <Button size="small" onClick={() => going.current?.abort()}>
              <Square className="size-3.25" aria-hidden />
              Stop
            </Button>
          ) : (
            <Button size="small" onClick={tryIt}>
              <FlaskConical className="size-3.25" aria-hidden />
              Score it
            </Button>
          )}
          <span className="text-ink-3 text-sm">
            {isTrying ? 'Scoring' : 'Models are really asked; what it costs is shown.'}
          </span>
        </div>
        <div aria-live="polite">
          {problem && isElsewhere ? (
            <p className="wrap-anywhere text-sm text-worse">
              <TriangleAlert className="size-3.25" aria-hidden /> {problem.message}
            </p>
          ) : null}
          {tried && !isTrying ? <TriedResult tried={tried} threshold={threshold} /> : null}
        </div>
      </div>
    </details>
  );
}

const OWN_FIELDS = ['output', 'earlier', 'case.input', 'case.reference', 'case.metadata'];
