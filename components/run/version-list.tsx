'use client';

import { Flag } from 'lucide-react';
import { useRef } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { ScoreChange } from '#components/ui/score-change.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { formatCost, formatCount, formatDuration, formatScore } from '#lib/format.ts';
import { currentEvaluation, currentScore, originLabel, overriddenScore, parentOf } from './run-versions.ts';
import { useScrollToVersion } from './use-scroll-to-version.ts';

type VersionListProps = { record: RunRecord; selected: number | null; onSelect: (version: number) => void };

/** Table of all versions, newest first: score, change from the parent, origin and cost. */
export function VersionList({ record, selected, onSelect }: VersionListProps) {
  const table = useRef<HTMLTableElement>(null);
  useScrollToVersion(table, selected);
  if (record.versions.length === 0) return null;
  return (
    <Table
      scrollLabel="Versions"
      isCapped={record.versions.length > 12}
      hasHover
      ref={table}
      className="cell:px-[0.35rem] cell-first:pl-2.5"
      data-testid="version-list"
    >
      <TableHead>
        <ColumnHead>Version</ColumnHead>
        <NumberHead>Score</NumberHead>
        <ColumnHead>Change</ColumnHead>
        <ColumnHead>Origin</ColumnHead>
        <NumberHead className="max-narrow:hidden">Tokens</NumberHead>
        <NumberHead className="max-narrow:hidden">Cost</NumberHead>
        <NumberHead className="max-narrow:hidden">Time</NumberHead>
      </TableHead>
      <tbody>
        {record.versions.toReversed().map((version) => (
          <VersionRow
            key={version.number}
            version={version}
            record={record}
            isSelected={version.number === selected}
            onSelect={onSelect}
          />
        ))}
      </tbody>
    </Table>
  );
}

type VersionRowProps = {
  version: VersionRecord;
  record: RunRecord;
  isSelected: boolean;
  onSelect: (version: number) => void;
};

function VersionRow({ version, record, isSelected, onSelect }: VersionRowProps) {
  const { totalSpend } = version;
  // Imports can lack the usage.
  const isUnknown = totalSpend.costUsd === null && totalSpend.tokenUsage.total === 0;
  return (
    <tr
      data-version={version.number}
      data-selected={isSelected || undefined}
      className="cursor-pointer"
      onClick={() => onSelect(version.number)}
    >
      <td>
        <button
          type="button"
          className="cursor-pointer font-semibold"
          aria-pressed={isSelected}
          aria-label={`v${version.number}, show this version`}
        >
          v{version.number}
        </button>
      </td>
      <NumberCell>
        <Score
          version={version}
          isAwaited={version === record.versions.at(-1) && record.finishedAt === null && !version.interrupted}
        />
      </NumberCell>
      <td className="whitespace-nowrap text-sm">
        <ChangeOnParent version={version} record={record} />
      </td>
      <td className="text-sm">
        {originLabel(version)}{' '}
        {version.strategyNote === null ? null : (
          <>
            <span className="text-ink-3" title={version.strategyNote}>
              (see note)
            </span>{' '}
          </>
        )}
        {version.cutOff || version.interrupted ? (
          <>
            <Badge tone="worse">✕ cut off</Badge>{' '}
          </>
        ) : null}
        {version.number === record.bestVersion ? (
          <Badge tone="plain" className="ml-1">
            <Flag />
            best
          </Badge>
        ) : null}{' '}
        {version.number === record.finalVersion && record.convergenceReason === 'user_accepted' ? (
          <Badge tone="better" className="ml-1">
            ✓ accepted
          </Badge>
        ) : null}
      </td>
      <NumberCell className="text-sm max-narrow:hidden">
        {isUnknown ? '–' : formatCount(totalSpend.tokenUsage.total)}
      </NumberCell>
      <NumberCell className="text-sm max-narrow:hidden">
        {totalSpend.costUsd === null ? '–' : formatCost(totalSpend.costUsd, false)}
      </NumberCell>
      <NumberCell className="text-sm max-narrow:hidden">
        {isUnknown && totalSpend.durationMs === 0 ? '–' : formatDuration(totalSpend.durationMs)}
      </NumberCell>
    </tr>
  );
}

/** `isAwaited`: a version without an evaluation will still get one. */
function Score({ version, isAwaited }: { version: VersionRecord; isAwaited: boolean }) {
  const evaluation = currentEvaluation(version);
  if (evaluation === null) return <span className="text-ink-3 text-sm">{isAwaited ? 'not yet' : 'not scored'}</span>;
  const score = currentScore(version);
  if (score === null) return <Badge tone="unscored">unscored</Badge>;
  const overruled = overriddenScore(version);
  return (
    <span
      className="font-semibold"
      title={evaluation.by === 'person' ? `Scored by ${evaluation.actor ?? 'a reviewer'}` : undefined}
    >
      {evaluation.by === 'person' ? (
        <span className="text-ink-3" role="img" aria-label="by a reviewer">
          ◆{' '}
        </span>
      ) : null}
      {formatScore(score)}
      {overruled === null ? null : (
        <span className="block font-normal text-ink-3 text-xs" title="Score before the review">
          scored {formatScore(overruled)}
        </span>
      )}
    </span>
  );
}

function ChangeOnParent({ version, record }: { version: VersionRecord; record: RunRecord }) {
  const parentNumber = parentOf(version);
  if (parentNumber === null) return <span className="text-ink-3">first</span>;
  const score = currentScore(version);
  if (score === null)
    return <span className="text-ink-3">{currentEvaluation(version) === null ? '' : 'judge unreadable'}</span>;
  const parent = record.versions.find((candidate) => candidate.number === parentNumber);
  const before = parent ? currentScore(parent) : null;
  return before === null ? <span className="text-ink-3">no parent score</span> : <ScoreChange by={score - before} />;
}
