'use client';

import { Check, CircleDashed, FlaskConical, Square, TriangleAlert, X } from 'lucide-react';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { type ApiBody, callApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field, FieldGrid, Textarea } from '#components/ui/field.tsx';
import { errorSentence, withoutPath } from '#components/ui/form-errors.tsx';
import type { TriedCriterion } from '#lib/batches/try-criterion.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { formatDuration, formatMoney, formatNumberOf, formatScore } from '#lib/format.ts';

type TryCriterionProps = {
  /** Request without the sample. */
  request: Record<string, unknown>;
  /** True if it compares the output with an earlier version. */
  comparesVersions: boolean;
  /** True if it calls a judge or an embedding model. */
  callsModels: boolean;
  /** Pass threshold as typed: the criterion's, or else the overall one. */
  threshold: string;
  sample: TrySample;
  onSample: (sample: TrySample) => void;
  /** Called with the problem of a failed test, to show at its field, and with null on the next test. */
  onProblem: (problem: Problem | null) => void;
};

/** Scores a pasted output by the criterion as currently edited, before anything is saved. */
export function TryCriterion(props: TryCriterionProps) {
  const { request, comparesVersions, callsModels, threshold, sample, onSample, onProblem } = props;
  const { tried, problem, isTrying, tryIt, stop } = useTriedCriterion(onProblem);
  const isElsewhere = problem !== null && !Object.values(SAMPLE_PATHS).includes(problem.field ?? '');
  const fields = { sample, onSample, problem };

  return (
    <details className="try-it">
      <summary className="cursor-pointer text-ink-2 text-sm">Try on an output</summary>
      <div className="mt-2 flex flex-col gap-3">
        <SampleField
          {...fields}
          name="output"
          label="Output to score"
          help="Shared by all criteria. Nothing is stored."
          rows={4}
        />
        <FieldGrid>
          <SampleField {...fields} name="input" label="Case input" />
          <SampleField {...fields} name="reference" label="Case reference" help="Leave empty for none." />
        </FieldGrid>
        <FieldGrid>
          <SampleField
            {...fields}
            name="metadata"
            label="Case metadata"
            help="JSON. Leave empty for none."
            isCode
            placeholder={'{ "terms": ["limit"] }'}
          />
          {comparesVersions ? (
            <SampleField {...fields} name="earlier" label="Earlier version" help="What the output is compared with" />
          ) : null}
        </FieldGrid>
        <div className="flex items-center gap-2">
          {isTrying ? (
            <Button size="small" onClick={stop}>
              <Square />
              Stop
            </Button>
          ) : (
            <Button size="small" onClick={() => void tryIt(request, sample)}>
              <FlaskConical />
              Score it
            </Button>
          )}
          <span className="text-ink-3 text-sm">
            {isTrying ? 'Scoring' : callsModels ? 'Makes real model calls. Shows the cost.' : 'Makes no model calls.'}
          </span>
        </div>
        <div aria-live="polite">
          {problem && isElsewhere ? (
            <p className="wrap-anywhere text-sm text-worse">
              <TriangleAlert />{' '}
              {problem.field === null ? problem.message : errorSentence('The criterion', withoutPath(problem))}
            </p>
          ) : null}
          {tried && !isTrying ? <TriedResult tried={tried} threshold={threshold} /> : null}
        </div>
      </div>
    </details>
  );
}

/** Paths of the sample in the request. */
const SAMPLE_PATHS: Record<keyof TrySample, string> = {
  output: 'output',
  input: 'case.input',
  reference: 'case.reference',
  metadata: 'case.metadata',
  earlier: 'earlier',
};

type SampleFieldProps = Pick<TryCriterionProps, 'sample' | 'onSample'> &
  Omit<ComponentProps<typeof Textarea>, 'name'> & {
    name: keyof TrySample;
    label: string;
    help?: string;
    problem: Problem | null;
  };

function SampleField({ sample, onSample, problem, name, label, help, ...props }: SampleFieldProps) {
  return (
    <Field label={label} help={help} error={problem?.field === SAMPLE_PATHS[name] ? problem.message : null}>
      <Textarea rows={2} {...props} value={sample[name]} onValue={(text) => onSample({ ...sample, [name]: text })} />
    </Field>
  );
}

/** Shows the result of a criterion. Separates the parts that models would receive from those only people see. */
function TriedResult({ tried, threshold }: { tried: TriedCriterion; threshold: string }) {
  const { score, passed, reason, issues, suggestions, feedback, detail, tokenUsage, costUsd, durationMs } = tried;
  return (
    <section
      aria-label="Result"
      className="flex flex-col gap-3 border-line-strong border-l-2 pl-3"
      data-testid="tried-result"
    >
      <div className="flex flex-wrap items-center gap-2">
        {score === null ? (
          <Badge tone="unscored">
            <CircleDashed />
            Unscored
          </Badge>
        ) : (
          <>
            <b className="font-mono text-[0.94em]">{formatScore(score)}</b>
            <Badge tone={passed ? 'better' : 'worse'}>
              {passed ? <Check /> : <X />}
              {passed ? 'passes' : 'below'} {threshold}
            </Badge>
          </>
        )}
        <span className="text-ink-3 text-sm">
          {tokenUsage.total > 0
            ? `${formatNumberOf(tokenUsage.total, 'token')}, ${costUsd === null ? 'price unknown' : formatMoney(costUsd)}, ${formatDuration(durationMs)}`
            : 'no model calls'}
        </span>
      </div>
      <p className="wrap-anywhere whitespace-pre-wrap">{reason}</p>
      <Lines title="Issues" lines={issues} />
      <Lines title="Suggestions" lines={suggestions} />
      <FieldGrid>
        <ReceivedText
          title={issues.length + suggestions.length > 0 ? 'Models see this, issues and suggestions' : 'Models see this'}
          text={feedback}
        />
        <ReceivedText title="Only people see this" text={detail} />
      </FieldGrid>
    </section>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h4 className="font-medium text-ink text-sm">{title}</h4>
      <ul className="list-disc pl-5">
        {[...new Set(lines)].map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ReceivedText({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <h4 className="font-medium text-ink text-sm">{title}</h4>
      {text === '' ? <p className="text-ink-3 text-sm">nothing</p> : <CodeBlock>{text}</CodeBlock>}
    </div>
  );
}

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

/** Output and case to test criteria with, shared by all criteria of the form. */
export type TrySample = { output: string; input: string; reference: string; metadata: string; earlier: string };
export const NO_SAMPLE: TrySample = { output: '', input: '', reference: '', metadata: '', earlier: '' };

const metadataSchema = z.record(z.string(), z.unknown());

/** Converts a sample to the request. Empty entries are omitted. Fails if the metadata is not a JSON object. */
export function readSample(sample: TrySample): Result<Record<string, unknown>> {
  const { output, input, reference, metadata, earlier } = sample;
  const read = readMetadata(metadata);
  if (!read.ok) return read;
  return succeed({
    output,
    earlier: earlier === '' ? null : earlier,
    case: { input, reference: reference === '' ? null : reference, metadata: read.value },
  });
}

function readMetadata(text: string): Result<Record<string, unknown>> {
  if (text.trim() === '') return succeed({});
  const parsed = metadataSchema.safeParse(parseJson(text));
  if (parsed.success) return succeed(parsed.data);
  return fail('invalid', 'The metadata must be one JSON object, such as { "tone": "dry" }.', 'case.metadata');
}
