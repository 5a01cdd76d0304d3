import type { Role } from '#lib/auth/role.ts';
import type { FailureCause } from '#lib/core/run-record.ts';
import { type FormPart, settingsPath } from './edit-form-path.ts';

/** The failed provider and model, and the experiment that called them. A field is null if unknown. */
type FailureContext = { provider: string | null; model: string | null; experimentId: string | null };

/** A link to the page where a person can fix the failure. */
export type NextStep = { label: string; href: string; needs: Role };

/** Text for a failure: what happened, its probable cause and the one step that fixes it. */
type FailureAdvice = { title: string; explanation: string; next: NextStep };

/** Returns the advice for a failure by its cause. */
export function failureAdvice(cause: FailureCause, context: FailureContext): FailureAdvice {
  return ADVICE[cause](context);
}

/** Returns the path of the models page with this provider open. */
export function providerPath(provider: string | null): string {
  return provider === null ? '/models' : `/models?provider=${encodeURIComponent(provider)}`;
}

/** Path of the form that sets the monthly budget. */
export const MONTH_BUDGET_PATH = '/models#month-budget';

const nameOf = ({ provider }: FailureContext) => provider ?? 'The provider';
const modelOf = ({ model }: FailureContext) => (model === null ? 'this model' : `"${model}"`);

function atProvider(label: string, { provider }: FailureContext): NextStep {
  return { label, href: providerPath(provider), needs: 'owner' };
}

/** Returns a link to a part of the experiment's settings, or to the provider if no experiment made the call. */
function inSettings(label: string, context: FailureContext, part: FormPart | null = null): NextStep {
  const { experimentId } = context;
  return experimentId === null
    ? atProvider('Open the provider', context)
    : { label, href: settingsPath(experimentId, part), needs: 'editor' };
}

const unreachable = (context: FailureContext): FailureAdvice => ({
  title: `${nameOf(context)} cannot be reached.`,
  explanation: 'The server is down or busy, or its base URL is wrong.',
  next: atProvider('Test the connection', context),
});

const noUsableResponse = (context: FailureContext): FailureAdvice => ({
  title: `The response of ${modelOf(context)} could not be used.`,
  explanation: 'The response was empty, refused the task or was cut off. Another model may do better.',
  next: inSettings('Choose another model', context),
});

const ADVICE: Record<FailureCause, (context: FailureContext) => FailureAdvice> = {
  unauthorized: (context) => ({
    title: `${nameOf(context)} returned 401 Unauthorized.`,
    explanation: 'The API key is wrong, was deleted or belongs to another workspace.',
    next: atProvider('Update the API key', context),
  }),
  no_key: (context) => ({
    title: `${nameOf(context)} has no API key.`,
    explanation: 'Its models require a key.',
    next: atProvider('Add an API key', context),
  }),
  forbidden: (context) => ({
    title: `${nameOf(context)} does not allow this call.`,
    explanation: `The key may not use ${modelOf(context)}, or its account has no credit left.`,
    next: atProvider('Check the API key', context),
  }),
  unknown_provider: (context) => ({
    title: `There is no provider named ${nameOf(context)}.`,
    explanation: 'It was deleted or renamed after the experiment was saved.',
    next: inSettings('Choose another model', context),
  }),
  not_found: (context) => ({
    title: `${nameOf(context)} has no model named ${modelOf(context)}.`,
    explanation: 'The name is misspelt, or the provider no longer offers the model.',
    next: inSettings('Choose another model', context),
  }),
  rate_limited: (context) => ({
    title: `${nameOf(context)} refuses more calls at the moment.`,
    explanation: 'Too many calls were sent at once, or the quota of the key is used up.',
    next: atProvider('Limit the calls', context),
  }),
  timeout: (context) => ({
    title: `${nameOf(context)} did not respond in time.`,
    explanation: 'The model is slow, or a local server is still loading it.',
    next: atProvider('Raise the timeout', context),
  }),
  unavailable: unreachable,
  network: unreachable,
  bad_request: (context) => ({
    title: `${nameOf(context)} rejected the request.`,
    explanation:
      `${modelOf(context)} does not accept a setting such as the temperature, or the input is too long for it.`.replace(
        /^t/,
        'T',
      ),
    next: inSettings('Change the settings', context, 'task'),
  }),
  malformed: noUsableResponse,
  empty: noUsableResponse,
  refused: noUsableResponse,
  aborted: (context) => ({
    title: 'The call was stopped.',
    explanation: 'All stored data is kept.',
    next: inSettings('Open the settings', context),
  }),
  call_budget: (context) => ({
    title: 'The call budget of the run is used up.',
    explanation: 'Hone makes no call that would exceed it.',
    next: inSettings('Raise the budget', context, 'people'),
  }),
  experiment_budget: (context) => ({
    title: 'The budget of the experiment is used up.',
    explanation: 'Hone makes no call that would exceed it.',
    next: inSettings('Raise the budget', context, 'people'),
  }),
  month_budget: () => ({
    title: "The month's budget is used up.",
    explanation: 'Hone makes no paid calls until next month, or until you raise the budget.',
    next: { label: 'Raise the budget', href: MONTH_BUDGET_PATH, needs: 'owner' },
  }),
  no_reference: (context) => ({
    title: 'The case has no reference.',
    explanation: 'A criterion compares the output with a reference answer.',
    next:
      context.experimentId === null
        ? { label: 'Add references', href: '/datasets', needs: 'editor' }
        : inSettings('Change the criteria', context, 'criteria'),
  }),
  unreadable_judgement: (context) => ({
    title: "The judge's response could not be read.",
    explanation: 'The judge did not use the required format, twice. A larger model usually does.',
    next: inSettings('Choose another judge', context, 'task'),
  }),
  unscored: (context) => ({
    title: 'A version could not be scored.',
    explanation: 'An evaluator returned no score twice. The criterion and its reason are named below.',
    next: inSettings('Change the criteria', context, 'criteria'),
  }),
  internal_error: () => ({
    title: 'Hone could not continue the run.',
    explanation: 'All stored data is kept. See the log of Hone for the cause.',
    next: { label: 'See where logs are', href: '/docs/operations/monitoring#logs', needs: 'viewer' },
  }),
};
