import { expect, test } from './app.ts';
import { excessWidth, violationsInBothThemes } from './axe.ts';

test('an owner schedules backups, sees the first one created, and turns the schedule off', async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto('/settings/backup');
  const part = page.getByRole('region', { name: 'Scheduled backups' });
  await expect(part).toContainText('Not set. No scheduled backups.');
  const save = part.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  const kept = part.getByLabel('Scheduled backups kept');
  await expect(async () => {
    await kept.fill('0');
    await expect(save).toBeEnabled({ timeout: 2_000 });
  }).toPass();
  await save.click();
  await expect(part.getByText('must be a whole number from 1 to 365, got 0')).toBeVisible();
  await expect(kept).toHaveAttribute('aria-invalid', 'true');
  expect(await violationsInBothThemes(page)).toEqual([]);

  await kept.fill('3');
  await part.getByLabel('Schedule', { exact: true }).selectOption({ label: 'every day' });
  await save.click();
  await expect(part).toContainText(/Set by you, /);
  const status = part.getByTestId('last-and-next');
  await expect(status).toContainText('-scheduled.backup', { timeout: 90_000 });
  await expect(status).toContainText(/Next: \d+ \w{3} \d{4}, \d\d:\d\d/);
  const row = page.getByTestId('backups').getByRole('row').filter({ hasText: '-scheduled.backup' });
  await expect(row).toContainText('scheduled');

  await page.setViewportSize({ width: 375, height: 800 });
  await expect(row.getByText('scheduled', { exact: true }).filter({ visible: true })).toHaveCount(1);
  expect(await excessWidth(page)).toBe(0);
  expect(await violationsInBothThemes(page)).toEqual([]);

  await part.getByLabel('Schedule', { exact: true }).selectOption({ label: 'off' });
  await save.click();
  await expect(status).toContainText('Next: none (off)');
});
