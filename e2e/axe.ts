import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

/** The minified build, because it is compiled again on every page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Rules that depend on the theme. All others give the same result in both. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns the axe violations of the page, one per line: the rule and the element. */
export function violationsOn(page: Page): Promise<string[]> {
  return violationsOf(page, { type: 'tag', values: RULES });
}

/** Returns the violations in the light theme plus those that only the dark theme adds. Leaves the light theme set. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await setTheme(page, 'light');
  const inLight = await violationsOn(page);
  const inDark = await violationsInDarkTheme(page);
  await setTheme(page, 'light');
  return [...inLight, ...inDark];
}

/** Returns the theme-dependent violations in dark. Leaves the dark theme set. */
export async function violationsInDarkTheme(page: Page): Promise<string[]> {
  await setTheme(page, 'dark');
  const found = await violationsOf(page, { type: 'rule', values: COLOUR_RULES });
  return found.map((complaint) => `dark: ${complaint}`);
}

async function setTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
}

/**
 * Returns by how many pixels the page overflows its window, 0 if it does not scroll horizontally. Retries, because elements sized by script
 * need time.
 */
export async function excessWidth(page: Page): Promise<number> {
  for (let looks = 1; ; looks++) {
    const excess = await page.evaluate(async () => {
      for (let frames = 0; frames < 3; frames++) await new Promise((go) => requestAnimationFrame(go));
      return Math.max(0, document.documentElement.scrollWidth - window.innerWidth);
    });
    if (excess === 0 || looks === 20) return excess;
  }
}

type Rules = { type: 'tag' | 'rule'; values: string[] };

/**
 * Violations must persist across retries, because hydration may be incomplete. A target-size violation that disappears on scroll was caused
 * by a sticky bar; one that stays is reported.
 */
const LOOKS = 4;
const BETWEEN_LOOKS_MS = 500;
const SCROLLED_BETWEEN_LOOKS = 120;
const SIZE = 'target-size: ';

/** Injects axe once per page through the DevTools protocol, so that the page's CSP does not apply. Pages have no third-party frames. */
async function violationsOf(page: Page, rules: Rules): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${AXE};0`);
  let before: string[] = [];
  let scrolled = 0;
  for (let looks = 1; ; looks++) {
    const found = await page.evaluate(runAxe, rules);
    if (found.length === 0 || looks === LOOKS) {
      await page.evaluate(scrollDown, -scrolled);
      return found.filter((complaint) => !complaint.startsWith(SIZE) || before.includes(complaint));
    }
    before = found;
    if (found.every((complaint) => complaint.startsWith(SIZE))) {
      await page.evaluate(scrollDown, SCROLLED_BETWEEN_LOOKS);
      scrolled += SCROLLED_BETWEEN_LOOKS;
    }
    await page.waitForTimeout(BETWEEN_LOOKS_MS);
  }
}

function scrollDown(by: number): void {
  window.scrollBy(0, by);
}

/** Runs in the page after all color transitions have ended. */
async function runAxe(rules: Rules): Promise<string[]> {
  const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(passing.map(({ finished }) => finished));
  const { violations } = await window.axe.run(document, {
    runOnly: rules,
    resultTypes: ['violations'],
    preload: false,
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
