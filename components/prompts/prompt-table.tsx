import { Link, TextLink } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { promptPath } from '#lib/prompts/prompt.ts';
import type { PromptListItem, VersionScore as Score } from '#lib/prompts/schema.ts';
import { LabelChips, VersionScore } from './prompt-versions.tsx';

type PromptTableProps = {
  prompts: readonly PromptListItem[];
  /** Score of the newest evaluated version, by prompt name. */
  scores: ReadonlyMap<string, { version: number; score: Score }>;
};

/** Table of prompts with versions, labels, latest score, and the number of experiments that tune each. */
export function PromptTable({ prompts, scores }: PromptTableProps) {
  return (
    <Table scrollLabel="Prompts" isInset hasHover data-testid="prompts">
      <TableHead>
        <ColumnHead>Prompt</ColumnHead>
        <NumberHead className="max-narrow:hidden">Versions</NumberHead>
        <ColumnHead>Last score</ColumnHead>
        <ColumnHead className="max-narrow:hidden">Used by</ColumnHead>
        <ColumnHead className="max-narrow:hidden">Changed</ColumnHead>
      </TableHead>
      <tbody>
        {prompts.map(({ name, latestVersion, labels, experiments, updatedAt }) => {
          const last = scores.get(name) ?? null;
          return (
            <tr key={name}>
              <td className="wrap-anywhere">
                <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                  <Link className="wrap-anywhere font-medium" href={promptPath(name)}>
                    {name}
                  </Link>
                  <LabelChips labels={labels} />
                </span>
              </td>
              <NumberCell className="max-narrow:hidden">{formatCount(latestVersion)}</NumberCell>
              <td className="narrow:whitespace-nowrap max-narrow:pr-4">
                {last === null ? null : <span className="text-ink-2">v{last.version} </span>}
                <VersionScore score={last?.score ?? null} />
              </td>
              <td className="whitespace-nowrap text-sm max-narrow:hidden">
                {experiments === 0 ? (
                  <span className="text-ink-3">nothing</span>
                ) : (
                  <TextLink href={`${promptPath(name)}#used`}>{formatNumberOf(experiments, 'experiment')}</TextLink>
                )}
              </td>
              <td className="text-ink-2 text-sm max-narrow:hidden">
                <TimeAgo moment={updatedAt} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
