import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { loadOrRetry } from './load-or-retry.tsx';

const fail = () => Promise.reject(new Error('Failed to load chunk'));
const draw = async (props: object) => renderToStaticMarkup(createElement(await loadOrRetry(fail), props));

describe('loadOrRetry', () => {
  test('returns the loaded component', async () => {
    const Part = () => 'loaded';
    expect(await loadOrRetry(async () => Part)).toBe(Part);
  });

  test('returns an error with a button to try again if the code cannot be loaded', async () => {
    const html = await draw({});
    expect(html).toContain('role="alert"');
    expect(html).toContain('Try again');
    expect(html).not.toContain('Close');
  });

  test.each([
    [{ open: true }, true],
    [{ isOpen: true }, true],
    [{ open: false }, false],
    [{ isOpen: false }, false],
  ])('for the dialog state %j, shows the error with a button to close it: %j', async (state, isShown) => {
    const html = await draw({ ...state, onOpenChange: () => {} });
    expect(html.includes('Close')).toBe(isShown);
    expect(html === '').toBe(!isShown);
  });
});
