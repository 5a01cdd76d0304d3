import { Badge } from '#components/ui/badge.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { NumberCell, RowHead, Table } from '#components/ui/table.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import { BEST_VERSION_RULES } from '#lib/core/setting-choices.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatScore } from '#lib/format.ts';
import { currentEvaluation, currentScore, isEnded } from './run-versions.ts';

/** Shows which version each best-version rule would select. */
export function BestRules({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  if (record.versions.length === 0) return null;
  const none = record.finishedAt === null ? 'none so far' : 'none';
  return (
    <Pane className="min-w-0 flex-1 border-b-0 max-medium:order-7">
      <PaneHeader title="Best version by rule" />
      <Table isTight>
        <tbody>
          {BEST_VERSION_RULES.map((rule) => {
            const number = record.bestByRule[rule] ?? null;
            const version = record.versions.find((candidate) => candidate.number === number);
            return (
              <tr key={rule}>
                <RowHead>
                  {RULE_NAMES[rule]}{' '}
                  {rule === settings.bestVersion ? (
                    <Badge tone="on" className="ml-1">
                      this run
                    </Badge>
                  ) : null}
                </RowHead>
                <td className="font-semibold">
                  {version ? `v${version.number}` : <span className="text-ink-3">{none}</span>}
                  {rule === 'first_satisfactory' && version && currentEvaluation(version)?.satisfactory !== true ? (
                    <span className="ml-1 font-normal text-ink-3 text-sm">
                      highest score, none is satisfactory{isEnded(record) ? '' : ' so far'}
                    </span>
                  ) : null}
                </td>
                <NumberCell>{version ? formatScore(currentScore(version)) : null}</NumberCell>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </Pane>
  );
}

export const RULE_NAMES: Record<ExperimentSettings['bestVersion'], string> = {
  highest_score: 'Highest score',
  latest: 'Latest',
  first_satisfactory: 'First satisfactory',
  weighted_recency: 'Weighted recency',
};
