'use client';

import { Bookmark, FileDiff, SquarePen, Wrench } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { callApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { type Result, succeed } from '#lib/core/problem.ts';
import { formatNames, formatNumberOf, formatRunNumber, formatScore } from '#lib/format.ts';
import { promptDiffPath, promptDocument } from '#lib/prompts/prompt.ts';
import type { PromptLabel, PromptVersion, VersionScore as Score, VersionScores } from '#lib/prompts/schema.ts';

type PromptVersionsProps = {
  name: string;
  /** Newest first. */
  versions: readonly PromptVersion[];
  labels: readonly PromptLabel[];
  scores: VersionScores;
  onUseAsDraft: (version: number) => void;
  /** Opens the labels dialog with this version selected. */
  onLabel: (version: number) => void;
};

const INITIAL_VERSION_COUNT = 12;

/** Lists the versions of a prompt with message, labels, score, author, time and origin. Two can be selected for comparison. */
export function PromptVersions({ name, versions, labels, scores, onUseAsDraft, onLabel }: PromptVersionsProps) {
  const [chosen, setChosen] = useState<number[]>([]);
  const [isAll, setAll] = useState(false);
  const shown = isAll ? versions : versions.slice(0, INITIAL_VERSION_COUNT);
  const [from, to] = chosen.toSorted((one, other) => one - other);
  const choose = (number: number, isOn: boolean) =>
    setChosen((before) => (isOn ? [...before.slice(-1), number] : before.filter((one) => one !== number)));
  return (
    <Pane data-testid="prompt-versions">
      <PaneHeader title="Versions" note={formatNumberOf(versions.length, 'version')}>
        <span className="ml-auto">
          {from === undefined || to === undefined ? (
            <span className="text-ink-3 text-sm">{versions.length > 1 ? 'Select two to compare' : ''}</span>
          ) : (
            <Button asChild size="small">
              <Link href={promptDiffPath(name, from, to)}>
                <FileDiff />
                Compare v{from} and v{to}
              </Link>
            </Button>
          )}
        </span>
      </PaneHeader>
      <ul>
        {shown.map((version) => (
          <li key={version.number} className="flex items-start gap-2 border-line border-b py-2">
            <label className="flex min-h-6 w-14 shrink-0 items-center gap-2">
              <input
                type="checkbox"
                checked={chosen.includes(version.number)}
                onChange={(event) => choose(version.number, event.target.checked)}
              />
              <b>
                <span className="sr-only">Choose version </span>v{version.number}
              </b>
            </label>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <span className="wrap-anywhere min-w-0">{version.message}</span>
                <LabelChips labels={labels} version={version.number} />
                <VersionOptions name={name} version={version} />
                <span className="ml-auto">
                  <VersionScore score={scores[version.number] ?? null} />
                </span>
              </p>
              <div className="flex flex-wrap items-center gap-x-2.5 gap-y-0">
                <Origin version={version} />
                <span className="ml-auto flex flex-wrap items-center gap-0">
                  <RoleButton needs="editor" size="small" variant="ghost" onClick={() => onUseAsDraft(version.number)}>
                    <SquarePen />
                    <span>
                      Use <span className="sr-only">version {version.number} </span>as draft
                    </span>
                  </RoleButton>
                  <RoleButton
                    needs="editor"
                    size="small"
                    variant="ghost"
                    aria-label={`Label version ${version.number}`}
                    onClick={() => onLabel(version.number)}
                  >
                    <Bookmark />
                    Label
                  </RoleButton>
                  {version.parent === null ? null : (
                    <Button asChild size="small" variant="ghost">
                      <Link href={promptDiffPath(name, version.parent, version.number)}>
                        <FileDiff />
                        <span>
                          Diff <span className="sr-only">of version {version.number} </span>to v{version.parent}
                        </span>
                      </Link>
                    </Button>
                  )}
                </span>
              </div>
            </div>
          </li>
        ))}
      </ul>
      {versions.length > shown.length ? (
        <Button size="small" className="mt-2" onClick={() => setAll(true)}>
          Show all {versions.length}
        </Button>
      ) : null}
    </Pane>
  );
}

type VersionOptionsProps = {
  name: string;
  version: Pick<PromptVersion, 'number' | 'toolNames' | 'schemaName'>;
};

/** Lists the tools and response schema of a version, with a button that shows them in full. Renders nothing without any. */
function VersionOptions({ name, version: { number, toolNames, schemaName } }: VersionOptionsProps) {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<Result<string> | null>(null);
  if (toolNames.length === 0 && schemaName === null) return null;
  async function open() {
    setOpen(true);
    const read = await callApi('GET /api/v1/prompts/{name}', { params: { name }, query: { version: number } });
    setShown(read.ok ? succeed(promptDocument(read.value)) : read);
  }
  const label = [
    ...(toolNames.length === 0 ? [] : [`${toolNames.length === 1 ? 'Tool' : 'Tools'} ${formatNames(toolNames, 3)}`]),
    ...(schemaName === null ? [] : [`${toolNames.length === 0 ? 'Schema' : 'schema'} ${schemaName}`]),
  ].join(', ');
  return (
    <>
      <Button size="small" variant="ghost" onClick={() => void open()}>
        <Wrench />
        <span className="wrap-anywhere whitespace-normal text-left">
          {label}
          <span className="sr-only"> of version {number}</span>
        </span>
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} isWide title={`Version ${number}`}>
        {shown === null ? (
          <p role="status">Loading</p>
        ) : shown.ok ? (
          <CodeBlock>{shown.value}</CodeBlock>
        ) : (
          <Notice tone="worse" alert>
            {shown.problem.message}
          </Notice>
        )}
      </Dialog>
    </>
  );
}

function Origin({ version }: { version: PromptVersion }) {
  const { createdBy, createdAt, parent, run } = version;
  return (
    <p className="flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-0 text-ink-2 text-sm">
      <span className="wrap-anywhere">{createdBy}</span>
      <TimeAgo moment={createdAt} />
      {parent === null ? null : <span>from v{parent}</span>}
      {run === null ? null : run.id === null ? (
        <span>prompt {run.version} of a tuning run that was deleted</span>
      ) : (
        <TextLink className="inline-flex min-h-6 items-center" href={`/runs/${run.id}?v=${run.version}`}>
          prompt {run.version} of run {run.number === null ? '' : formatRunNumber(run.number)}
        </TextLink>
      )}
    </p>
  );
}

/** Renders the labels of a version, or all labels of a prompt with their version numbers. */
export function LabelChips({
  labels,
  version = null,
}: {
  labels: readonly { label: string; version: number }[];
  /** Limits the labels to this version and hides its number. */
  version?: number | null;
}) {
  const shown = version === null ? labels : labels.filter((label) => label.version === version);
  if (shown.length === 0) return null;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1">
      {shown.map((label) => (
        <Badge key={label.label} className="max-w-full">
          <Bookmark />
          <span className="truncate leading-normal" title={label.label}>
            {label.label}
          </span>
          {version === null ? <b className="whitespace-nowrap text-right">v{label.version}</b> : null}
        </Badge>
      ))}
    </span>
  );
}

/** Shows the mean score of a version with n and interval. The tooltip names the evaluated cases. */
export function VersionScore({ score }: { score: Score | null }) {
  if (score === null) return <span className="text-ink-3 text-sm">not evaluated</span>;
  const { mean, n, low, high } = score;
  const over =
    score.source === 'run'
      ? `on ${formatNumberOf(n, 'case')} in its run`
      : n < score.of
        ? `on ${n} of ${formatNumberOf(score.of, 'case')}`
        : `on ${formatNumberOf(n, 'case')}`;
  return (
    <span title={low === null ? over : `${over}, 95% interval`}>
      <b>{formatScore(mean)}</b>{' '}
      <span className="text-ink-3 text-sm">
        {low === null || high === null ? null : (
          <span className="whitespace-nowrap">
            {formatScore(low)} to {formatScore(high)},
          </span>
        )}{' '}
        <span className="whitespace-nowrap">n {n}</span>
        <span className="sr-only">, {over}</span>
      </span>
    </span>
  );
}
