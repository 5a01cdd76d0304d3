import { describe, expect, test } from 'vitest';
import { FAILURE_CAUSES } from '#lib/core/run-record.ts';
import { failureAdvice } from './failure-advice.ts';

const CONTEXT = { provider: 'shed', model: 'm-1', experimentId: 'e-1' };
const NO_CONTEXT = { provider: null, model: null, experimentId: null };

describe('failureAdvice for every failure cause', () => {
  test.each(FAILURE_CAUSES)('%s has a title, an explanation and one next step', (cause) => {
    for (const context of [CONTEXT, NO_CONTEXT]) {
      const { title, explanation, next } = failureAdvice(cause, context);
      expect(title).toMatch(/^[A-Za-z].*\.$/);
      expect(explanation).toMatch(/^[A-Z"].*\.$/);
      expect(next.label.split(' ').length).toBeLessThanOrEqual(4);
      expect(next.href).toMatch(/^\/[a-z]/);
      expect(`${title} ${explanation}`).not.toMatch(/null|undefined/);
    }
  });

  test.each([
    ['unauthorized', 'shed returned 401 Unauthorized.', 'Update the API key', '/models?provider=shed'],
    ['not_found', 'shed has no model named "m-1".', 'Choose another model', '/experiments/e-1/edit'],
    ['network', 'shed cannot be reached.', 'Test the connection', '/models?provider=shed'],
    ['timeout', 'shed did not respond in time.', 'Raise the timeout', '/models?provider=shed'],
    ['rate_limited', 'shed refuses more calls at the moment.', 'Limit the calls', '/models?provider=shed'],
    ['bad_request', 'shed rejected the request.', 'Change the settings', '/experiments/e-1/edit?open=task'],
    ['no_reference', 'The case has no reference.', 'Change the criteria', '/experiments/e-1/edit?open=criteria'],
    [
      'unreadable_judgement',
      "The judge's response could not be read.",
      'Choose another judge',
      '/experiments/e-1/edit?open=task',
    ],
    [
      'experiment_budget',
      'The budget of the experiment is used up.',
      'Raise the budget',
      '/experiments/e-1/edit?open=people',
    ],
    ['month_budget', "The month's budget is used up.", 'Raise the budget', '/models#month-budget'],
    ['internal_error', 'Hone could not continue the run.', 'See where logs are', '/docs/operations/monitoring#logs'],
  ] as const)('%s', (cause, title, label, href) => {
    expect(failureAdvice(cause, CONTEXT)).toMatchObject({ title, next: { label, href } });
  });
});
