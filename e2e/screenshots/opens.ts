import type { Locator, Page } from '@playwright/test';

/**
 * Repeats an action until it opens its target, because clicks before hydration are lost. Stops once the target is visible: a second click
 * could confirm the first one.
 */
export function opens(
  act: (page: Page) => Promise<unknown>,
  opened: (page: Page) => Locator,
): (page: Page) => Promise<void> {
  return async (page) => {
    for (let tries = 1; tries < 6; tries++) {
      if (tries > 1 && (await opened(page).isVisible())) return;
      await act(page).catch(async (error: unknown) => {
        // The opened target may cover the button.
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
    await opened(page).waitFor({ timeout: 30_000 });
  };
}

/** Clicks Delete on the page, not the confirmation of the same name. An open dialog hides the page. */
export function pressDelete(page: Page): Promise<void> {
  return page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).first().click({ timeout: 5_000 });
}
