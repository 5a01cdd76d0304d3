'use client';

import { Check, X } from 'lucide-react';
import { AnswerText } from '#components/answer/answer-text.tsx';
import { CaseInput, CaseReference } from '#components/case/case-input.tsx';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { ColumnHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { MoveKeys } from '#components/ui/use-shortcuts.tsx';
import type { CaseResult, ComparedCase } from '#lib/compare/schema.ts';
import {
  formatList,
  formatNumberOf,
  formatRunNumber,
  formatScore,
  formatScoreAgainst,
  formatTitle,
} from '#lib/format.ts';
import { armLetter } from './compare-address.ts';

type CaseDetailProps = {
  look: ComparedCase;
  /** Index of the arm compared with the baseline, from 1. */
  looked: number;
  onLook: (index: number) => void;
};

/** Detail view of a case: the outputs of the baseline and one arm side by side, their criteria, and the recalled lessons. */
export function CaseDetail({ look, looked, onLook }: CaseDetailProps) {
  const [before, after] = [look.arms[0]?.result ?? null, look.arms[looked]?.result ?? null];
  const letter = armLetter(looked);
  return (
    <Pane
      className="medium:sticky medium:top-0 medium:max-h-screen medium:self-start medium:overflow-y-auto"
      aria-label="Selected case"
      data-testid="compared-case"
    >
      <PaneHeader>
        <h2 className="wrap-anywhere">{formatTitle(look.input, 80) || 'An empty case'}</h2>
        <span className="text-ink-3 text-sm">
          answers: A {scoreLabel(before)}, {letter} {scoreLabel(after)}
        </span>
        <span className="ml-auto whitespace-nowrap text-ink-2 text-sm">
          <MoveKeys next="compare.next" previous="compare.previous" label="case" />
        </span>
      </PaneHeader>
      {look.arms.length > 2 ? (
        <Segmented
          label="Answers to compare"
          className="mb-3"
          value={String(looked)}
          choices={look.arms.slice(1).map((_arm, index) => ({
            value: String(index + 1),
            label: `A to ${armLetter(index + 1)}`,
          }))}
          onChange={(value) => onLook(Number(value))}
        />
      ) : null}
      <details className="mb-3">
        <summary className="cursor-pointer text-ink-2 text-sm">
          The task{look.reference === null ? '' : ' and its reference'}
        </summary>
        <CaseInput input={look.input} messages={look.messages} className="mt-1" />
        <CaseReference reference={look.reference} label="Reference, never shown to models" className="mt-2" />
      </details>
      <Answers before={before} after={after} letter={letter} />
      <CriteriaTable before={before} after={after} letter={letter} />
      <RecalledLessons letter="A" result={before} />
      <RecalledLessons letter={letter} result={after} />
      <p className="mt-3 text-ink-2 text-sm">
        {look.arms.map((arm, index) => (
          <RunsOfArm key={arm.arm} arm={arm} letter={armLetter(index)} />
        ))}
      </p>
    </Pane>
  );
}

type AnswersProps = { before: CaseResult | null; after: CaseResult | null; letter: string };

function Answers({ before, after, letter }: AnswersProps) {
  if (before === null || after === null) {
    const [one, name] = before === null ? [after, letter] : [before, 'A'];
    return (
      <>
        <p className="text-ink-2 text-sm">{before === null ? 'A' : letter} has no run of this case.</p>
        {one === null ? null : <OneAnswer result={one} letter={name} />}
      </>
    );
  }
  if (before.output === null || after.output === null)
    return (
      <>
        <OneAnswer result={before} letter="A" />
        <OneAnswer result={after} letter={letter} />
      </>
    );
  return (
    <DiffView before={before.output} after={after.output} layout="unified" label={`Answers of A and of ${letter}`} />
  );
}

function OneAnswer({ result, letter }: { result: CaseResult; letter: string }) {
  return (
    <div className="mt-2">
      <span className="font-medium text-ink text-sm">Answer of {letter}</span>
      {result.output === null ? (
        <p className="text-ink-2 text-sm">{noAnswerLabel(result)}</p>
      ) : (
        <AnswerText text={result.output} />
      )}
    </div>
  );
}

function noAnswerLabel({ version, versionCount }: CaseResult): string {
  if (version !== null) return 'The text was not kept when the run ended.';
  return versionCount === 0 ? 'There is no output.' : 'There is no output because no version was scored.';
}

function RunsOfArm({ arm: { runs, result }, letter }: { arm: ComparedCase['arms'][number]; letter: string }) {
  if (result === null) return null;
  const version = result.version === null ? '' : `?v=${result.version}`;
  return (
    <span className="mr-4 inline-block whitespace-nowrap">
      {letter}: <TextLink href={`/runs/${result.runId}${version}`}>run {formatRunNumber(result.number)}</TextLink>
      {runs.length > 1 ? (
        <>
          , the first of {formatNumberOf(runs.length, 'run')}:{' '}
          {runs.slice(1, 6).map(({ id, number, score }) => (
            <TextLink key={id} className="mr-1" href={`/runs/${id}`}>
              {formatRunNumber(number)} {formatScore(score)}
            </TextLink>
          ))}
        </>
      ) : null}
    </span>
  );
}

function scoreLabel(result: CaseResult | null): string {
  return result === null ? 'not run' : formatScore(result.score);
}

type Criterion = CaseResult['criteria'][number];
/** Compares the criterion scores of two outputs. Marks each by its own threshold. */
function CriteriaTable({ before, after, letter }: AnswersProps) {
  const names = [...new Set([...(before?.criteria ?? []), ...(after?.criteria ?? [])].map(({ name }) => name))];
  if (names.length === 0) return null;
  return (
    <Table scrollLabel="Criteria side by side" scrollClassName="mt-4" isTight data-testid="compared-criteria">
      <TableHead>
        <ColumnHead>Criterion</ColumnHead>
        <ColumnHead>A</ColumnHead>
        <ColumnHead>{letter}</ColumnHead>
      </TableHead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <RowHead className="wrap-anywhere whitespace-normal text-left font-medium">{name}</RowHead>
            <td>
              <Outcome criterion={before?.criteria.find((one) => one.name === name)} />
            </td>
            <td>
              <Outcome criterion={after?.criteria.find((one) => one.name === name)} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Outcome({ criterion }: { criterion: Criterion | undefined }) {
  if (criterion === undefined) return <span className="text-ink-3 text-sm">not scored</span>;
  const { score, threshold, reason } = criterion;
  if (score === null) return <span className="text-ink-3 text-sm">unscored</span>;
  if (threshold === null) return formatScore(score);
  const passes = score >= threshold;
  const Glyph = passes ? Check : X;
  return (
    <span
      className={passes ? 'whitespace-nowrap text-better' : 'whitespace-nowrap text-worse'}
      title={reason ?? undefined}
    >
      <Glyph /> {formatScoreAgainst(score, threshold).score} {passes ? 'pass' : 'fail'}
    </span>
  );
}

const MAX_NAMED_LESSONS = 3;

/** Lists the lessons recalled in a run, each with the versions it was used for. Renders nothing if there are none. */
function RecalledLessons({ letter, result }: { letter: string; result: CaseResult | null }) {
  if (result === null || result.recalled.length === 0) return null;
  const more = result.recalled.length - MAX_NAMED_LESSONS;
  return (
    <ul className="mt-3 text-ink-2 text-sm" aria-label={`Lessons recalled for ${letter}`}>
      {result.recalled.slice(0, MAX_NAMED_LESSONS).map(({ lessonId, text, versions, isOwn }) => (
        <li key={lessonId} className="wrap-anywhere mb-1">
          {letter} {isOwn ? 'used its own lesson' : 'recalled'} “{formatTitle(text, 120)}” for{' '}
          {formatList(versions.map((version) => `v${version}`))}.{' '}
          <TextLink href={`/lessons/${lessonId}`}>Open the lesson</TextLink>
        </li>
      ))}
      {more > 0 ? <li>and {more} more</li> : null}
    </ul>
  );
}
