import type { SetupChoices } from '#components/prompts/setup-form-dialog.tsx';
import type { AppContext } from '#lib/context/app-context.ts';
import { listDatasets } from '#lib/datasets/queries.ts';
import { listProviders } from '#lib/models/list-providers.ts';
import { getPythonSetting } from '#lib/settings/python.ts';
import { listWebhooks } from '#lib/webhooks/queries.ts';
import { providerChoices } from '../experiments/form-choices.ts';

/** Returns the options for the test setup of a prompt. */
export async function setupChoices(context: AppContext): Promise<SetupChoices> {
  const [datasets, providers, webhooks, python] = await Promise.all([
    listDatasets(context.database, { cursor: null, limit: 200 }),
    listProviders(context),
    listWebhooks(context),
    getPythonSetting(context),
  ]);
  return {
    datasets: datasets.items,
    providers: providerChoices(providers),
    webhooks: webhooks.map((webhook) => webhook.name),
    isPythonOn: python?.value === true,
  };
}
