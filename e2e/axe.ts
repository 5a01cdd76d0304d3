import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What the theme can change; the rest is the same in both. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on the page as it stands, a line each: the rule and where it is broken. */
export function complaintsOn(page: Page): Promise<string[]> {
  return complaintsOf(axeOn(page).withTags(RULES));
}

/** The same with the system's theme light, and then what dark changes of it. It is left light. */
export async function complaintsInBothThemes(page: Page): Promise<string[]> {
  const theme = page.locator('html');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(theme).toHaveAttribute('data-theme', 'light');
  const inLight = await complaintsOn(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(theme).toHaveAttribute('data-theme', 'dark');
  const inDark = await complaintsOf(axeOn(page).withRules(COLOUR_RULES));
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark.map((complaint) => `dark: ${complaint}`)];
}

/** How many pixels the page is wider than its window: 0 where it does not scroll sideways. */
export function excessWidth(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}

/** No page has frames of others: the way that serves those opens one more page each time. */
function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], preload: false });
}

async function complaintsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
