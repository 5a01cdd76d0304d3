import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import type { ExperimentFlag } from '#lib/statistics/experiment-flags.ts';

/** That an experiment's criteria seem too hard or too easy, or that runs can't be scored, in how many runs, and what to do about it. */
export function ExperimentFlags({ flags }: { flags: readonly ExperimentFlag[] }) {
  return flags.map(({ flag, message, remedy }) => (
    <Pane key={flag}>
      <Notice tone="person" title={`${TITLES[flag]} ${message}`}>
        {remedy}
      </Notice>
    </Pane>
  ));
}

const TITLES: Record<ExperimentFlag['flag'], string> = {
  overcritical: 'The criteria seem too hard.',
  undercritical: 'The criteria seem too easy.',
  unscored: 'Runs could not be scored.',
};
