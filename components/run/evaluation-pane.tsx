'use client';

import { Check, MessageCircleQuestion, TriangleAlert, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { callApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Bar } from '#components/ui/bar.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { noticeVariants } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import { ScoreChange } from '#components/ui/score-change.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { criterionDefinition } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { CritiqueRecord, EvaluationRecord, RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { meetsThreshold } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatScore, formatScoreAgainst } from '#lib/format.ts';
import { canReflect } from '#lib/models/imported-runs.ts';
import { newDetail } from '#lib/runs/new-detail.ts';
import { isScoredElsewhere } from '#lib/runs/run-facts.ts';
import { listAwaitedCriteria, ruleLabel, unscoredLabel } from './evaluation-labels.ts';
import { RequestedScores } from './requested-scores.tsx';
import { currentEvaluation, isEnded, parentOf } from './run-versions.ts';
import { type RunAnswer, unreachable } from './use-run-answer.ts';

type EvaluationPaneProps = {
  record: RunRecord;
  version: VersionRecord;
  settings: ExperimentSettings;
  answer: RunAnswer;
  refresh: () => void;
};

/**
 * Shows the evaluations of a version with reasons, the scores requested from a person, the critiques and a button to request one. A
 * person's evaluation is shown in addition to the automatic one.
 */
export function EvaluationPane({ record, version, settings, answer, refresh }: EvaluationPaneProps) {
  const toast = useToast();
  const { decisions, asking, askedForm, giveScore } = answer;
  const { number } = version;
  async function reflect() {
    const result = await fetchReflection(record.id, number).catch(unreachable);
    decisions.setProblem(result.ok ? null : result.problem);
    if (result.ok) toast(`Reflection added to the critiques of v${number}`);
    refresh();
  }
  const parentNumber = parentOf(version);
  const parent = record.versions.find((candidate) => candidate.number === parentNumber);
  const before = parent ? currentEvaluation(parent) : null;
  const counts = currentEvaluation(version);
  const isAwaited = record.finishedAt === null && number === record.versions.at(-1)?.number;
  return (
    <Pane className="max-medium:order-3">
      <PaneHeader title={`Evaluations of v${number}`}>
        <TextLink className="ml-auto text-sm" href={`/runs/${record.id}/calls?version=${number}`}>
          Prompts and calls of v{number}
        </TextLink>
        {version.evaluations.length > 1 ? (
          <span className="text-ink-3 text-sm">
            {counts?.by === 'person' ? 'the person’s score counts' : 'the last score counts'}
          </span>
        ) : null}
        {isOverridden(record, number) ? (
          <RoleButton needs="reviewer" size="small" onClick={() => decisions.proposeRestore(number)}>
            <Undo2 />
            Restore previous score
          </RoleButton>
        ) : null}
      </PaneHeader>
      {asking?.version === number ? (
        <div className={classNames(noticeVariants({ tone: 'wait' }), 'mb-4 block')}>
          <RequestedScores
            key={asking.pauseId}
            pause={asking}
            give={giveScore}
            onGiven={(count) => toast(count > 1 ? 'Scores saved' : 'Score saved')}
            form={askedForm}
          />
        </div>
      ) : null}
      {version.evaluations.length === 0 ? (
        <p className="text-ink-2">{isAwaited ? 'Not scored yet.' : 'Not scored.'}</p>
      ) : null}
      {version.evaluations.toReversed().map((evaluation, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: new evaluations are added at the end of this order
          key={version.evaluations.length - index}
          className={index > 0 ? 'mt-5' : undefined}
        >
          <EvaluationHead evaluation={evaluation} settings={settings} counts={evaluation === counts} />
          <EvaluationScores
            evaluation={evaluation}
            former={version.evaluations.at(-2 - index) ?? null}
            before={before}
            beforeNumber={parentNumber}
            settings={settings}
          />
        </div>
      ))}
      <Critiques critiques={version.critiques} />
      {canReflect(settings) ? (
        <ReflectButton key={number} version={number} effect={reflectionEffect(record, settings)} onReflect={reflect} />
      ) : null}
    </Pane>
  );
}

/** True if the effective score was overridden by a person. */
function isOverridden({ decisions }: RunRecord, version: number): boolean {
  const last = decisions.findLast(
    (one) => one.version === version && (one.decision === 'override' || one.decision === 'restore'),
  );
  return last?.decision === 'override';
}

type EvaluationHeadProps = {
  evaluation: EvaluationRecord;
  settings: ExperimentSettings;
  /** True if this evaluation determines the score of the version. Only then is its verdict shown. */
  counts: boolean;
};

function EvaluationHead({ evaluation, settings, counts }: EvaluationHeadProps) {
  const kinds = [...new Set(settings.criteria.map(kindName))].join(', ');
  return (
    <div className="mb-1 flex flex-wrap items-center gap-2 text-sm">
      <span className="text-ink-2">
        {evaluation.by === 'person'
          ? `by ${evaluation.actor ?? 'a person'}${evaluation.reason ? `: ${evaluation.reason}` : ''}`
          : kinds}
        {evaluation.by === 'person' || evaluation.confidence === null
          ? ''
          : `, confidence ${formatScore(evaluation.confidence)}`}
      </span>
      {evaluation.copiedFrom === null ? null : (
        <Badge>same text as v{evaluation.copiedFrom}: same score, not scored again</Badge>
      )}
      {evaluation.sameModelJudge ? (
        <Badge>
          <TriangleAlert />
          the model judged its own text
        </Badge>
      ) : null}
      <span className="ml-auto flex items-center gap-2">
        <span className="text-ink-2">Overall</span>
        <b className={counts ? undefined : 'font-normal text-ink-2'}>
          {evaluation.overallScore === null
            ? formatScore(null)
            : formatScoreAgainst(evaluation.overallScore, settings.qualityThreshold).score}
        </b>
        <Standing evaluation={evaluation} settings={settings} counts={counts} />
      </span>
    </div>
  );
}

/** Badge with the verdict of an evaluation, or why it has none. */
function Standing({ evaluation, settings, counts }: EvaluationHeadProps) {
  if (!counts) return <span className="text-ink-3">not counted</span>;
  if (evaluation.status === 'partial') {
    const isAwaited = listAwaitedCriteria(evaluation, settings.criteria).length > 0;
    return <Badge tone="unscored">{isAwaited ? 'waits for a reviewer' : 'unscored'}</Badge>;
  }
  return evaluation.satisfactory ? (
    <Badge tone="better">
      <Check />
      satisfactory
    </Badge>
  ) : (
    <Badge tone="worse">
      <X />
      not satisfactory
    </Badge>
  );
}

type EvaluationScoresProps = Omit<CriteriaTableProps, 'criteria'> & {
  /** The previous evaluation of the same version. */
  former: EvaluationRecord | null;
  settings: ExperimentSettings;
};

/** Shows the scores of an evaluation and the result by the rules. A person's evaluation lists only the scores they changed. */
function EvaluationScores({ evaluation, former, settings, ...table }: EvaluationScoresProps) {
  const isByPerson = evaluation.by === 'person' && former !== null;
  const criteria = isByPerson
    ? settings.criteria.filter(({ name }) => evaluation.criteriaScores[name] !== former.criteriaScores[name])
    : settings.criteria;
  return (
    <>
      {criteria.length === 0 ? null : <CriteriaTable evaluation={evaluation} criteria={criteria} {...table} />}
      {isByPerson && criteria.length === 0 ? null : <Verdict evaluation={evaluation} settings={settings} />}
    </>
  );
}

type CriteriaTableProps = {
  evaluation: EvaluationRecord;
  before: EvaluationRecord | null;
  beforeNumber: number | null;
  criteria: Criterion[];
};

function CriteriaTable({ evaluation, before, beforeNumber, criteria }: CriteriaTableProps) {
  const hasThresholds = criteria.some(({ threshold }) => threshold !== null);
  return (
    <Table scrollLabel="Scores by criterion" isTight>
      <TableHead>
        <ColumnHead>Criterion</ColumnHead>
        <NumberHead>Score</NumberHead>
        <ColumnHead hideLabel className="max-narrow:hidden">
          Score against its threshold, as a bar
        </ColumnHead>
        <ColumnHead>
          {beforeNumber === null ? <span className="sr-only">Change, none</span> : `On v${beforeNumber}`}
        </ColumnHead>
        {hasThresholds ? <ColumnHead>Threshold</ColumnHead> : null}
      </TableHead>
      <tbody>
        {criteria.map((criterion) => (
          <tr key={criterion.name}>
            <td className="wrap-anywhere min-w-36">
              <b className="font-medium">{criterion.name}</b>{' '}
              {criteria.length > 1 ? <span className="text-ink-3 text-sm">×{criterion.weight}</span> : null}
              <br />
              <span className="text-ink-2 text-sm">{evaluation.reasons[criterion.name] ?? criterion.description}</span>
            </td>
            <ScoreCells
              score={evaluation.criteriaScores[criterion.name] ?? null}
              old={before?.criteriaScores[criterion.name] ?? null}
              threshold={criterion.threshold}
              hasThresholds={hasThresholds}
            />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type ScoreCellsProps = { score: number | null; old: number | null; threshold: number | null; hasThresholds: boolean };

/** Cells of a criterion: its score, the bar, the change and the threshold, if the table has thresholds. */
function ScoreCells({ score, old, threshold, hasThresholds }: ScoreCellsProps) {
  if (score === null)
    return (
      <>
        <NumberCell>
          <Badge tone="unscored">unscored</Badge>
        </NumberCell>
        <td className="w-26 max-narrow:hidden" />
        <td className="whitespace-nowrap text-sm" />
        {hasThresholds ? <td className="whitespace-nowrap text-sm" /> : null}
      </>
    );
  const isBelow = threshold !== null && !meetsThreshold(score, threshold);
  return (
    <>
      <NumberCell>
        <span className={isBelow ? 'font-semibold text-worse' : 'font-semibold'}>
          {threshold === null ? formatScore(score) : formatScoreAgainst(score, threshold).score}
        </span>
      </NumberCell>
      <td className="w-26 max-narrow:hidden">
        <Bar percent={score * 100} tone={isBelow ? 'worse' : 'better'}>
          {threshold === null ? null : (
            <u
              className="absolute -top-[3px] -bottom-[3px] border-ink border-l-[1.5px]"
              style={{ left: `${threshold * 100}%` }}
            />
          )}
        </Bar>
      </td>
      <td className="whitespace-nowrap text-sm">{old === null ? null : <ScoreChange by={score - old} />}</td>
      {hasThresholds ? (
        <td className="whitespace-nowrap text-sm">
          <ThresholdOutcome score={score} threshold={threshold} />
        </td>
      ) : null}
    </>
  );
}

function ThresholdOutcome({ score, threshold }: { score: number; threshold: number | null }) {
  if (threshold === null) return <span className="text-ink-3">none</span>;
  const against = formatScoreAgainst(score, threshold);
  if (!meetsThreshold(score, threshold))
    return (
      <span className="text-worse">
        <X /> below {against.threshold}
      </span>
    );
  return (
    <span className="text-better">
      <Check /> {against.score === against.threshold ? 'at' : 'above'} {against.threshold}
    </span>
  );
}

function Verdict({ evaluation, settings }: { evaluation: EvaluationRecord; settings: ExperimentSettings }) {
  const awaited = listAwaitedCriteria(evaluation, settings.criteria);
  if (awaited.length > 0) {
    return (
      <p className="mt-2 text-ink-2 text-sm">
        There is no overall score until a reviewer has scored {awaited.join(' and ')}. Until then, this version does not
        count.
      </p>
    );
  }
  if (evaluation.status === 'partial') {
    return (
      <p className="mt-2 text-ink-2 text-sm">
        {unscoredLabel(evaluation)} It counts as a gap, not as 0, and no lesson is learned from it.
      </p>
    );
  }
  const { reasons, issues, suggestions } = evaluation;
  const detail = newDetail(
    evaluation.detail,
    [...Object.values(reasons), ...issues.map(({ text }) => text), ...suggestions],
    settings.criteria.map(({ name }) => name),
  );
  return (
    <>
      <p className="mt-2 text-ink-2 text-sm">Rules: {ruleLabel(evaluation, settings)}.</p>
      <Suggestions of={evaluation.suggestions} />
      {detail ? (
        <details className="mt-2 text-sm">
          <summary className="cursor-pointer text-ink-3">Details, only shown to people</summary>
          <CodeBlock className="mt-1">{detail}</CodeBlock>
        </details>
      ) : null}
    </>
  );
}

function Suggestions({ of, className = 'mt-1' }: { of: readonly string[]; className?: string }) {
  if (of.length === 0) return null;
  return (
    <ul className={classNames('list-disc pl-5 text-ink-2 text-sm', className)}>
      {of.map((suggestion) => (
        <li key={suggestion}>{suggestion}</li>
      ))}
    </ul>
  );
}

function kindName(criterion: Criterion): string {
  return isScoredElsewhere(criterion) ? 'scored by the source system' : criterionDefinition(criterion.evaluator).name;
}

/** Returns what happens to a critique that a person requests. */
function reflectionEffect(record: RunRecord, { mode }: ExperimentSettings): string {
  if (isEnded(record)) return 'The run does not change.';
  return `The run does not change, but the next ${mode === 'retry' ? 'attempt' : 'revision'} sees the result.`;
}

type ReflectButtonProps = { version: number; effect: string; onReflect: () => Promise<unknown> };

/** Button that requests a critique of this version and suggestions for it. Takes one model call. */
function ReflectButton({ version, effect, onReflect }: ReflectButtonProps) {
  const [isAsking, setAsking] = useState(false);
  async function ask() {
    setAsking(true);
    await onReflect();
    setAsking(false);
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 text-sm" aria-busy={isAsking}>
      <RoleButton needs="reviewer" onClick={ask} disabled={isAsking}>
        <MessageCircleQuestion />
        {isAsking ? 'Reflecting' : `Reflect on v${version} now`}
      </RoleButton>
      <span className="text-ink-2">1 call. {effect}</span>
    </div>
  );
}

/** Requests a critique of a version. Uses the API because server actions of a page run one at a time and the model may be slow. */
async function fetchReflection(runId: string, version: number): Promise<Result<null>> {
  const answer = await callApi('POST /api/v1/runs/{id}/reflections', { params: { id: runId }, body: { version } });
  return answer.ok ? succeed(null) : answer;
}

/** Lists all critiques of a version, each under its trigger. */
export function Critiques({ critiques }: { critiques: CritiqueRecord[] }) {
  return critiques.map((critique, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: new critiques are added at the end
    <div className="mt-4" key={index}>
      <h3>{HEADINGS[critique.trigger]}</h3>
      <Quote className="wrap-anywhere mt-1 whitespace-pre-wrap">{critique.text}</Quote>
      <Suggestions of={critique.suggestions} className="mt-2" />
    </div>
  ));
}

const HEADINGS: Record<CritiqueRecord['trigger'], string> = {
  completion: 'Critique',
  manual: 'Requested critique',
  quality_drop: 'Why the score fell',
  error: 'Why the first try failed',
  step_interval: 'Critique after a number of turns',
  tool_result: 'Critique after a tool result',
  run_end: 'No lesson from this run',
};
