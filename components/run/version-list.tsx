'use client';

import { Flag } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Change } from '#components/ui/change.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatCost, formatCount, formatDuration, formatScore } from '#lib/format.ts';
import type { RunRecord, VersionRecord } from '#lib/reflection/run-record.ts';
import { currentEvaluation, currentScore, parentOf } from './current-evaluation.ts';
import { originWords } from './version-words.ts';

type VersionListProps = { record: RunRecord; selected: number | null; onSelect: (version: number) => void };

/** All versions, the newest first: score, change on the parent, where it came from, what it took. */
export function VersionList({ record, selected, onSelect }: VersionListProps) {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    // Only the list is moved, never the page.
    const frame = table.current?.parentElement;
    const row = table.current?.querySelector<HTMLElement>(`[data-version="${selected}"]`);
    if (!frame || !row || frame.scrollHeight <= frame.clientHeight) return;
    const isSeen = row.offsetTop > frame.scrollTop + 40 && row.offsetTop + 40 < frame.scrollTop + frame.clientHeight;
    if (!isSeen) frame.scrollTop = row.offsetTop - frame.clientHeight / 2;
  }, [selected]);
  if (record.versions.length === 0) return null;
  return (
    <ScrollX label="Versions" className={record.versions.length > 12 ? 'capped' : undefined}>
      <table ref={table} className="t hover vlist" data-testid="version-list">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col" className="num">
              Score
            </th>
            <th scope="col">Change</th>
            <th scope="col">Origin</th>
            <th scope="col" className="num opt">
              Tokens
            </th>
            <th scope="col" className="num opt">
              Cost
            </th>
            <th scope="col" className="num opt">
              Time
            </th>
          </tr>
        </thead>
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
      </table>
    </ScrollX>
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
          className="b linkish"
          aria-pressed={isSelected}
          aria-label={`v${version.number}, show this version`}
        >
          v{version.number}
        </button>
      </td>
      <td className="num">
        <Score
          version={version}
          isAwaited={version === record.versions.at(-1) && record.finishedAt === null && !version.interrupted}
        />
      </td>
      <td className="nw sm">
        <ChangeOnParent version={version} record={record} />
      </td>
      <td className="sm">
        {originWords(version)}{' '}
        {version.strategyNote === null ? null : (
          <>
            <span className="faint" title={version.strategyNote}>
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
            <Flag className="i" aria-hidden />
            best
          </Badge>
        ) : null}{' '}
        {version.number === record.finalVersion && record.convergenceReason === 'user_accepted' ? (
          <Badge tone="better" className="ml-1">
            ✓ accepted
          </Badge>
        ) : null}
      </td>
      <td className="num opt sm">{formatCount(totalSpend.tokenUsage.total)}</td>
      <td className="num opt sm">{totalSpend.costUsd === null ? '–' : formatCost(totalSpend.costUsd, false)}</td>
      <td className="num opt sm">{formatDuration(totalSpend.durationMs)}</td>
    </tr>
  );
}

/** `isAwaited`: a version without an evaluation is yet to get one. */
function Score({ version, isAwaited }: { version: VersionRecord; isAwaited: boolean }) {
  const evaluation = currentEvaluation(version);
  if (evaluation === null) return <span className="faint sm">{isAwaited ? 'not yet' : 'not judged'}</span>;
  const score = currentScore(version);
  if (score === null) return <Badge tone="unscored">unscored</Badge>;
  return (
    <span
      className="score"
      title={evaluation.by === 'person' ? `Scored by ${evaluation.actor ?? 'a person'}` : undefined}
    >
      {evaluation.by === 'person' ? (
        <span className="faint" role="img" aria-label="by a person">
          ◆{' '}
        </span>
      ) : null}
      {formatScore(score)}
    </span>
  );
}

function ChangeOnParent({ version, record }: { version: VersionRecord; record: RunRecord }) {
  const parentNumber = parentOf(version);
  if (parentNumber === null) return <span className="faint">first</span>;
  const score = currentScore(version);
  if (score === null)
    return <span className="faint">{currentEvaluation(version) === null ? '' : 'judge unreadable'}</span>;
  const parent = record.versions.find((candidate) => candidate.number === parentNumber);
  const before = parent ? currentScore(parent) : null;
  return before === null ? <span className="faint">no parent score</span> : <Change by={score - before} />;
}
