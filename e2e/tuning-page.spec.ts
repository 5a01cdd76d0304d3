import { startedSchema } from '#lib/api/experiments-schema.ts';
import { runSchema } from '#lib/api/runs-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';
import { type ScriptedRequest, startScriptedProvider } from './scripted-provider.ts';
import { casesOf, createTuned, isProposalRequest, itemAnswer, proposalOf } from './tuned-experiment.ts';

/** Returns a prompt that solves the listed items. Two of its lines differ between proposals. */
const promptOf = (known: string, tone: string) =>
  `Item: {{input}}.\n\nKnown: ${known}.\n\nAnswer with one word.\n\nTone: ${tone}.`;
const PROPOSALS = [promptOf('a p', 'calm'), promptOf('a b p q', 'warm'), promptOf('a b c p q r', 'brief')];
const CASES = [
  ...casesOf('train', ['a', 'b', 'c', 'd', 'e', 'f']),
  ...casesOf('validation', ['p', 'q', 'r', 's', 't', 'u', 'v', 'w']),
  ...casesOf('held_out', ['x', 'y']),
];

/** Responds "yes" for items in the prompt and proposes the prompts above in order. */
function scripted(delayMs: () => number) {
  let proposed = 0;
  return (request: ScriptedRequest) => {
    const text = isProposalRequest(request)
      ? proposalOf(PROPOSALS[proposed++] ?? promptOf(`a b c d p q r ${proposed}`, 'plain'))
      : itemAnswer(request);
    return { text, delayMs: delayMs() };
  };
}

test('the page of a tuning run: remaining cost, tree, trade-offs, more proposals, an edit and a manual merge', async ({
  page,
  app,
}) => {
  test.setTimeout(180_000);
  const api = openApi(app.address);
  let delayMs = 400;
  const provider = await startScriptedProvider(scripted(() => delayMs));
  try {
    const id = await createTuned(
      api,
      { name: 'tuner', baseUrl: provider.baseUrl },
      {
        name: 'Known items',
        prompts: { generate: promptOf('nothing', 'stern') },
        maxIterations: 2,
        convergence: null,
        tune: { minibatchSize: 6, maxRepeats: 1, selection: 'best' },
      },
    );
    const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${id}/runs`, { cases: CASES });
    const [runId = ''] = started.runIds;
    const read = () => api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);

    // The remaining budget is in calls, because the model has no price.
    await page.goto(`/runs/${runId}`);
    await expect(page.getByTestId('rest')).toHaveText(
      /^About [\d,]+ calls more(, about [\d,]+ calls)? if every proposal is validated$/,
    );
    delayMs = 0;
    await api.waitForRun(runId, ['finished'], 60_000);
    await expect(page.getByTestId('outcome')).toContainText('2 proposals, 2 kept after validation');
    await expect(page.getByTestId('outcome')).toContainText(
      'Of 2 proposals, 2 were not shown to be better or worse on 8 validation cases.',
    );
    // The page shows no next steps of a first batch, because a tuning run shows them with its outcome.
    await page.reload();
    await expect(page.getByTestId('outcome')).toContainText('2 proposals');
    await expect(page.getByTestId('next-steps')).toHaveCount(0);

    // Keyboard navigation in the tree: up, down, to the parent and to the child.
    const tree = page.getByRole('treegrid', { name: 'Candidates' });
    const candidate = (version: number) => tree.getByRole('button', { name: new RegExp(`^v${version},`) });
    await expect(tree.getByRole('row', { level: 3 })).toHaveCount(1);
    await expect(candidate(2)).toHaveAccessibleName('v2, kept, from v1, mean 0.25, best');
    await candidate(2).focus();
    await page.keyboard.press('Home');
    await expect(candidate(0)).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(candidate(1)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/[?&]v=1\b/);
    await expect(tree.getByRole('row', { selected: true })).toContainText('v1');
    await expect(page.getByTestId('lineage-reason')).toContainText('v1 was proposed from v0 in round 1.');
    await expect(candidate(1)).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(candidate(0)).toBeFocused();

    // Trade-offs: a candidate can be selected in the chart, in the table, by a criterion, and by a case it is best on.
    const frontier = page.getByTestId('frontier');
    await expect(frontier).toContainText('No cost is known.');
    await frontier.getByRole('radio', { name: 'Prompt length' }).click();
    await expect(frontier.getByTestId('frontier-table').getByRole('row')).toHaveCount(3);
    await frontier.locator('g[data-version="2"]').click();
    await expect(page).toHaveURL(/[?&]v=2\b/);
    await frontier.getByTestId('frontier-table').getByRole('button', { name: 'Select v1' }).click();
    await expect(page).toHaveURL(/[?&]v=1\b/);
    await frontier.getByTestId('criterion-leaders').getByRole('button', { name: 'Select v2' }).click();
    await expect(page).toHaveURL(/[?&]v=2\b/);
    await candidate(0).click();
    await expect(page).toHaveURL(/[?&]v=0\b/);
    await page
      .getByTestId('case-table')
      .getByRole('button', { name: 'Select v2, which leads on this case' })
      .first()
      .click();
    await expect(page).toHaveURL(/[?&]v=2\b/);
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await excessWidth(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });

    // Continuing the run keeps its candidates.
    await page.getByRole('button', { name: 'Continue with more' }).click();
    const more = page.getByRole('dialog', { name: 'Continue with higher limits' });
    await more.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(more.getByLabel('Proposals')).toHaveAccessibleDescription(/has used 2 proposals of 2/);
    await more.getByLabel('Proposals').fill('3');
    await more.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(more).toBeHidden();
    await expect.poll(async () => (await read()).versions.length, { timeout: 30_000 }).toBe(4);
    await api.waitForRun(runId, ['finished'], 60_000);
    await expect(candidate(3)).toBeVisible();

    // An edit becomes the first prompt of a new run.
    await page.goto(`/runs/${runId}?v=3`);
    await page.getByRole('button', { name: 'Edit v3' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit v3' });
    await edit.getByLabel('First prompt of the new run').fill('Sort {{reference}}.');
    await edit.getByRole('button', { name: 'Start run' }).click();
    await expect(edit.getByLabel('First prompt of the new run')).toHaveAccessibleDescription(/reference/);
    const edited = promptOf('a b c d p q r', 'frank');
    await edit.getByLabel('First prompt of the new run').fill(edited);
    await edit.getByRole('button', { name: 'Start run' }).click();
    await expect(page.getByTestId('branches')).toContainText('Starts with the text of v3');
    const editedId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect((await api.waitForRun(editedId, ['finished'], 60_000)).versions[0]?.output).toBe(edited);

    // A partial merge of two candidates becomes the first prompt of a new run too.
    await page.goto(`/runs/${runId}?v=3`);
    await page.getByRole('button', { name: 'Merge v3 by hand' }).click();
    await page.getByLabel('Compare version 3 with').selectOption({ label: 'v0' });
    await expect(page.getByTestId('continue')).toContainText('To merge v3 into v0');
    await page
      .getByTestId('diff')
      .first()
      .getByRole('group', { name: /^Change / })
      .first()
      .getByRole('button', { name: 'Leave' })
      .click();
    await page.getByRole('button', { name: 'Merge 1 change' }).click();
    const merge = page.getByRole('dialog', { name: 'Merge v3 by hand' });
    await expect(merge.getByLabel('First prompt of the new run')).toHaveValue(promptOf('nothing', 'brief'));
    await merge.getByRole('button', { name: 'Start run' }).click();
    await expect(page).not.toHaveURL(new RegExp(runId));
    await expect(page.getByTestId('branches')).toContainText('Starts with the text of v3');
  } finally {
    await provider.stop();
  }
});
