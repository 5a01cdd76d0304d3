import type { Locator, Page } from '@playwright/test';

/**
 * Does it until what it opens is there: before the page's scripts run, a key or a press is lost. Never again once it is there, even late: a
 * second press could confirm what the first one asked.
 */
export function opens(
  act: (page: Page) => Promise<unknown>,
  opened: (page: Page) => Locator,
): (page: Page) => Promise<void> {
  return async (page) => {
    for (let tries = 1; tries < 6; tries++) {
      if (tries > 1 && (await opened(page).isVisible())) return;
      await act(page).catch(async (error: unknown) => {
        // What has opened meanwhile may cover what is to be pressed.
        if (!(await opened(page).isVisible())) throw error;
      });
      const isThere = await opened(page)
        .waitFor({ timeout: 1_000 })
        .then(
          () => true,
          () => false,
        );
      if (isThere) return;
    }
    await opened(page).waitFor({ timeout: 5_000 });
  };
}

/** Presses the page's button, never the one that confirms it, which has the same name: an open dialog hides what is behind it. */
export function pressDelete(page: Page): Promise<void> {
  return page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).first().click({ timeout: 5_000 });
}
