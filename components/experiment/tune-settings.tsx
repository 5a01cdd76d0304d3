import Link from 'next/link';
import { promptPath } from '#components/prompts/prompt-path.ts';
import { CodeBlock } from '#components/ui/code-block.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCount, formatPercent } from '#lib/format.ts';
import { ACCEPTANCE_LABELS, SELECTION_LABELS } from './form-summary.ts';

/** The settings of a tuned prompt, as terms of the list of settings. */
export function TuneSettings({ settings: { prompts, tune } }: { settings: ExperimentSettings }) {
  return (
    <>
      <dt>Prompt to tune</dt>
      <dd>
        {tune.prompt ? (
          <p>
            v{tune.prompt.version} of{' '}
            <Link className="link" href={promptPath(tune.prompt.name)}>
              {tune.prompt.name}
            </Link>
          </p>
        ) : null}
        <CodeBlock>{prompts.generate}</CodeBlock>
      </dd>
      <dt>Cases</dt>
      <dd>
        {formatPercent(tune.heldOutShare)} held out,{' '}
        {tune.validationShare === 0
          ? 'candidates are chosen by the training cases'
          : `candidates are chosen by ${formatPercent(tune.validationShare)} of the rest`}
        ; tags decide first, seed {tune.seed}
      </dd>
      <dt>Proposals</dt>
      <dd>
        from {tune.minibatchSize} cases each,{' '}
        {tune.feedback ? 'with what evaluators said' : 'without what evaluators said'},{' '}
        {tune.references ? 'with training references' : 'without references'}, at most{' '}
        {formatCount(tune.maxPromptTokens)} tokens
      </dd>
      <dt>The next starts from</dt>
      <dd>{SELECTION_LABELS[tune.selection]}</dd>
      <dt>Validated if it is</dt>
      <dd>{ACCEPTANCE_LABELS[tune.acceptance]}, on its own cases</dd>
    </>
  );
}
