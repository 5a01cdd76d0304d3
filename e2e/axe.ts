import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

/** The minified build, because every page compiles it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What the theme can change; the rest is the same in both. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on the page as it stands, a line each: the rule and where it is broken. */
export function complaintsOn(page: Page): Promise<string[]> {
  return complaintsOf(page, { type: 'tag', values: RULES });
}

/** The same with the system's theme light, and then what dark changes of it. It is left light. */
export async function complaintsInBothThemes(page: Page): Promise<string[]> {
  await setTheme(page, 'light');
  const inLight = await complaintsOn(page);
  const inDark = await complaintsOfDark(page);
  await setTheme(page, 'light');
  return [...inLight, ...inDark];
}

/** What dark changes of what axe finds. The theme is left dark. */
export async function complaintsOfDark(page: Page): Promise<string[]> {
  await setTheme(page, 'dark');
  const complaints = await complaintsOf(page, { type: 'rule', values: COLOUR_RULES });
  return complaints.map((complaint) => `dark: ${complaint}`);
}

async function setTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
}

/** How many pixels the page is wider than its window: 0 where it does not scroll sideways. What is drawn by its size needs a moment for it. */
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
 * A complaint that is gone a moment later was of a page whose scripts were not through yet. Of what is too small to press, one that is
 * gone once the page is scrolled was of something half under a bar that sticks to the window; what stays under it is told.
 */
const LOOKS = 4;
const BETWEEN_LOOKS_MS = 500;
const SCROLLED_BETWEEN_LOOKS = 120;
const SIZE = 'target-size: ';

/** Brought into a page once, and by the protocol, so that the page's policy has no say. No page has frames of others. */
async function complaintsOf(page: Page, rules: Rules): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${AXE};0`);
  let before: string[] = [];
  let scrolled = 0;
  for (let looks = 1; ; looks++) {
    const complaints = await page.evaluate(runAxe, rules);
    if (complaints.length === 0 || looks === LOOKS) {
      await page.evaluate(scrollDown, -scrolled);
      return complaints.filter((complaint) => !complaint.startsWith(SIZE) || before.includes(complaint));
    }
    before = complaints;
    if (complaints.every((complaint) => complaint.startsWith(SIZE))) {
      await page.evaluate(scrollDown, SCROLLED_BETWEEN_LOOKS);
      scrolled += SCROLLED_BETWEEN_LOOKS;
    }
    await page.waitForTimeout(BETWEEN_LOOKS_MS);
  }
}

function scrollDown(by: number): void {
  window.scrollBy(0, by);
}

/** Runs in the page, once no colour is on its way to another. */
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
