import type { Page } from '@playwright/test';

/** Counts what a person clicks from now on, on every page that this one goes to; a choice in a list counts as one. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  let count = 0;
  await page.exposeFunction('honeCountsClick', () => {
    count += 1;
  });
  await page.addInitScript(() => {
    const tell = (event: Event) => {
      const { honeCountsClick } = window as unknown as { honeCountsClick: () => void };
      if (event.isTrusted || event.type === 'change') honeCountsClick();
    };
    document.addEventListener('click', tell, { capture: true });
    document.addEventListener('change', (event) => event.target instanceof HTMLSelectElement && tell(event), {
      capture: true,
    });
  });
  // A call from the page may still be under way.
  return async () => {
    await page.evaluate(() => null);
    return count;
  };
}
