import type { ReactNode } from 'react';
import { PageHead } from '#components/shell/page-head.tsx';
import { isSelfJudged } from '#lib/reflection/is-self-judged.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';

type ExperimentHeadProps = {
  experiment: { name: string; sample: boolean; latestVersion: number; settings: ExperimentSettings };
  actions: ReactNode;
};

/** An experiment's name, the facts that place it, and what can be done with it. */
export function ExperimentHead({ experiment, actions }: ExperimentHeadProps) {
  const { name, sample, latestVersion, settings } = experiment;
  return (
    <PageHead
      title={name}
      facts={
        <>
          <span>
            mode <b>{settings.mode}</b>
          </span>
          <span>
            settings <b>v{latestVersion}</b>
          </span>
          <span>
            <b>{settings.generator.model}</b>
          </span>
          <span>
            {settings.criteria.length === 1 ? 'criterion' : 'criteria'}{' '}
            <b>{settings.criteria.map((criterion) => criterion.name).join(', ')}</b>
          </span>
          {isSelfJudged(settings) ? <span>⚠ judged by the model that writes</span> : null}
          {sample ? <span>sample</span> : null}
        </>
      }
      actions={actions}
    />
  );
}
