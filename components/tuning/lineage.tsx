'use client';

import { Flag } from 'lucide-react';
import { originLabel } from '#components/run/version-labels.ts';
import { Badge } from '#components/ui/badge.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import { isBlocking } from '#lib/core/tuning/candidate-state.ts';
import { formatScore } from '#lib/format.ts';
import type { TunedVersion, TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { decisionReason, stateLabel } from './labels.ts';
import { MeanLabel } from './mean-label.tsx';

type LineageProps = {
  record: RunRecord;
  tuning: TuningSummary;
  selected: number | null;
  onSelect: (version: number) => void;
};

/** Every prompt under the one it was made from: where it stands and why, how it did, and on how many cases nothing beats it. */
export function Lineage({ record, tuning, selected, onSelect }: LineageProps) {
  if (tuning.versions.length === 0) return null;
  return (
    <ScrollX label="Prompts" isCapped={tuning.versions.length > 12}>
      <Table hasHover className="cell:px-[0.35rem] cell-first:pl-2.5" data-testid="lineage">
        <thead>
          <tr>
            <th scope="col" className="pl-6">
              Prompt
            </th>
            <th scope="col">{tuning.validatesOn === 'train' ? 'Training' : 'Validation'}</th>
            <th scope="col" className="max-narrow:hidden">
              Held out
            </th>
            <th scope="col" className="whitespace-nowrap pr-6 text-right max-narrow:hidden">
              Leads on
            </th>
          </tr>
        </thead>
        <tbody>
          {lineageRows(tuning.versions).map(({ version, depth }) => (
            <tr
              key={version.number}
              data-selected={version.number === selected || undefined}
              className="cursor-pointer"
              onClick={() => onSelect(version.number)}
            >
              <td style={{ paddingLeft: `${1.5 + Math.min(depth, 8) * 0.75}rem` }}>
                <PromptCell version={version} record={record} isSelected={version.number === selected} />
              </td>
              <td>
                <MeanLabel mean={version.chosenBy} gap={gapLabel(version, tuning)} />
              </td>
              <td className="max-narrow:hidden">
                <MeanLabel mean={version.heldOut} />
              </td>
              <td className="whitespace-nowrap pr-6 text-right max-narrow:hidden">
                {version.leads.length > 0 ? version.leads.length : null}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollX>
  );
}

type PromptCellProps = { version: TunedVersion; record: RunRecord; isSelected: boolean };

function PromptCell({ version, record, isSelected }: PromptCellProps) {
  const { number } = version;
  const made = record.versions.find((candidate) => candidate.number === number);
  const isEnded = record.convergenceReason !== null;
  const reason = decisionReason(version);
  const flagged = version.problems.filter((problem) => !isBlocking(problem));
  return (
    <>
      <button
        type="button"
        className="cursor-pointer font-semibold"
        aria-pressed={isSelected}
        aria-label={`v${number}, show this prompt`}
      >
        v{number}
      </button>{' '}
      <StateLabel version={version} isEnded={isEnded} />{' '}
      {version.round === null ? (
        <span className="text-ink-2 text-sm">{made && version.state === 'by_hand' ? originLabel(made) : ''}</span>
      ) : (
        <span className="text-ink-3 text-sm">round {version.round + 1}</span>
      )}{' '}
      {number === record.bestVersion ? (
        <Badge tone="plain">
          <Flag aria-hidden />
          best
        </Badge>
      ) : null}{' '}
      {number === record.finalVersion && record.convergenceReason === 'user_accepted' ? (
        <Badge tone="better">✓ accepted</Badge>
      ) : null}
      {reason === '' ? null : <span className="block text-ink-2 text-sm">{reason}</span>}
      {flagged.map((problem) => (
        <span key={problem.text} className="block text-sm text-wait">
          ⚠ {problem.text}
        </span>
      ))}
    </>
  );
}

function StateLabel({ version, isEnded }: { version: TunedVersion; isEnded: boolean }) {
  const words = stateLabel(version, isEnded);
  switch (version.state) {
    case 'rejected':
      return <span className="text-ink-2 text-sm">✕ {words}</span>;
    case 'held_back':
      return <span className="text-sm text-wait">⊘ {words}</span>;
    default:
      return <span className="text-sm">{words}</span>;
  }
}

/** Why there is no mean to choose by. */
function gapLabel({ state, tried }: TunedVersion, { validatesOn, cases }: TuningSummary): string {
  if (state === 'rejected' || state === 'held_back' || state === 'combined') return 'not validated';
  const [done, due] = validatesOn === 'train' ? [tried.train, cases.train] : [tried.validation, cases.validation];
  return done === 0 ? 'not validated' : `${formatScore(null)} ${done} of ${due} tried`;
}

type LineageRow = { version: TunedVersion; depth: number };

/** Prompts in the order of a family tree: each under the first of its parents, the earlier before the later. Depth counts from 0. */
export function lineageRows(versions: readonly TunedVersion[]): LineageRow[] {
  const numbers = new Set(versions.map(({ number }) => number));
  const parentOf = ({ number, parents }: TunedVersion) => {
    const [parent] = parents;
    return parent !== undefined && parent < number && numbers.has(parent) ? parent : null;
  };
  const below = (parent: number | null, depth: number): LineageRow[] =>
    versions
      .filter((version) => parentOf(version) === parent)
      .flatMap((version) => [{ version, depth }, ...below(version.number, depth + 1)]);
  return below(null, 0);
}
