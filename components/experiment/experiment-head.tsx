import Link from 'next/link';
import type { ReactNode } from 'react';
import { PageHead } from '#components/layout/page-head.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { ControlKind, ExperimentOrigin } from '#lib/experiments/schema.ts';
import { formatNumberOf } from '#lib/format.ts';
import { agentBaseLabel, isSelfJudged } from '#lib/runs/schema.ts';
import { OriginBadges } from './origin-badges.tsx';

type ExperimentHeadProps = {
  experiment: {
    name: string;
    sample: boolean;
    origin: ExperimentOrigin;
    control: ControlKind | null;
    parent: { id: string; name: string; version: number } | null;
    latestVersion: number;
    settings: ExperimentSettings;
  };
  /** What its newest batch ran over; null where that was no dataset. */
  cases: { dataset: { id: string; name: string }; count: number } | null;
  actions: ReactNode;
};

/** An experiment's name, the facts that place it, and what can be done with it. */
export function ExperimentHead({ experiment, cases, actions }: ExperimentHeadProps) {
  const { name, latestVersion, settings, parent, origin } = experiment;
  const { base } = settings.generator;
  return (
    <PageHead
      title={name}
      facts={
        <>
          <OriginBadges {...experiment} />
          <span>
            mode <b>{settings.mode}</b>
          </span>
          <span>
            settings <b>v{latestVersion}</b>
          </span>
          <span>
            <b>{settings.generator.model}</b>
          </span>
          {base.type === 'single' ? null : <span className="wrap-anywhere">{agentBaseLabel(base)}</span>}
          {cases === null ? null : (
            <span>
              dataset{' '}
              <Link className="link" href={`/datasets/${cases.dataset.id}`}>
                {cases.dataset.name}
              </Link>
              , {formatNumberOf(cases.count, 'case')}
            </span>
          )}
          <span>
            {settings.criteria.length === 1 ? 'criterion' : 'criteria'}{' '}
            <b>{settings.criteria.map((criterion) => criterion.name).join(', ')}</b>
          </span>
          {parent === null ? null : (
            <span>
              {origin === 'control' ? 'of' : 'made from'}{' '}
              <Link className="link" href={`/experiments/${parent.id}`}>
                {parent.name}
              </Link>{' '}
              v{parent.version}
            </span>
          )}
          {isSelfJudged(settings) ? <span>⚠ judged by the model that writes</span> : null}
        </>
      }
      actions={actions}
    />
  );
}
