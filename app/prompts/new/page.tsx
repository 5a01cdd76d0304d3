import { Page } from '#components/layout/page.tsx';
import { NewPlayground } from '#components/prompts/new-playground.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { findDefaultModels } from '#lib/models/default-models.ts';
import { listPlaygroundRuns } from '#lib/prompts/playground-runs.ts';
import { playgroundSetupSchema } from '#lib/prompts/playground-schema.ts';
import { createPromptAction } from '../actions.ts';
import { setupChoices } from '../setup-choices.ts';

export default async function NewPromptPage() {
  const actor = await authorizePage('/prompts/new');
  const context = await getAppContext();
  const [choices, defaults, runs] = await Promise.all([
    setupChoices(context),
    findDefaultModels(context),
    listPlaygroundRuns(context, actor, null),
  ]);
  const { generator, judge } = defaults;
  return (
    <Page
      crumbs={[{ label: 'Prompts', href: '/prompts' }, { label: 'New' }]}
      practice={generator.provider === 'practice'}
    >
      <NewPlayground
        choices={choices}
        setup={playgroundSetupSchema.parse({ models: [generator], evaluatorModel: judge })}
        runs={runs}
        save={createPromptAction}
      />
    </Page>
  );
}
