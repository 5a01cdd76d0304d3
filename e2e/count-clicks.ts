import type { Page } from '@playwright/test';

/** Counts clicks from now on, across navigation. A selection in a list counts as one click. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  let count = 0;
  await page.exposeFunction('honeCountsClick', () => {
    count += 1;
  });
  await page.addInitScript(() => {
    const report = (event: Event) => {
      const { honeCountsClick } = window as unknown as { honeCountsClick: () => void };
      if (event.isTrusted || event.type === 'change') honeCountsClick();
    };
    document.addEventListener('click', report, { capture: true });
    document.addEventListener('change', (event) => event.target instanceof HTMLSelectElement && report(event), {
      capture: true,
    });
  });
  // Waits for pending calls from the page.
  return async () => {
    await page.evaluate(() => null);
    return count;
  };
}
