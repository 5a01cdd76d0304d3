import { setTimeout } from 'node:timers/promises';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, createElement, Fragment, type PropsWithChildren } from 'react';
import type { Root } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';

/** Returns a container with the parts of a page that React DOM uses when nothing is drawn. */
function stubPage(): Element {
  const document = Object.assign(new EventTarget(), { nodeType: 9, activeElement: null, visibilityState: 'visible' });
  const window = Object.assign(new EventTarget(), { document, HTMLIFrameElement: class {} });
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = Object.assign(new EventTarget(), { nodeType: 1, tagName: 'DIV', ownerDocument: document });
  return container as unknown as Element;
}

type RenderedHook<Value> = {
  /** Latest value of the hook. */
  current: () => Value;
  /** Runs a step and waits until React and the pending promises have settled. */
  act: (step: () => unknown) => Promise<void>;
  /** Renders again, for changed arguments of the hook. */
  render: () => Promise<void>;
  unmount: () => Promise<void>;
};

/** Runs a hook with React DOM but without a browser. Unmounts it and removes the globals at the end of the test. */
export async function renderHook<Value>(
  hook: () => Value,
  wrapper: ComponentType<PropsWithChildren> = Fragment,
): Promise<RenderedHook<Value>> {
  const container = stubPage();
  // React DOM reads the globals when it is loaded.
  const [{ act }, { createRoot }] = await Promise.all([import('react'), import('react-dom/client')]);
  let value: { latest: Value } | null = null;
  const Probe = () => {
    value = { latest: hook() };
    return null;
  };
  let root: Root | null = createRoot(container);
  const unmount = async () => {
    await act(async () => root?.unmount());
    root = null;
  };
  onTestFinished(async () => {
    await unmount();
    vi.unstubAllGlobals();
  });
  const render = () => act(async () => root?.render(createElement(wrapper, null, createElement(Probe))));
  await render();
  return {
    current: () => {
      if (value === null) throw new Error('the hook was not rendered');
      return (value as { latest: Value }).latest;
    },
    act: (step) =>
      act(async () => {
        await step();
        // Runs after timers of 0 ms, with which libraries defer their updates.
        await setTimeout(1);
      }),
    render,
    unmount,
  };
}

/** Returns a wrapper that gives a hook a query client. */
export function queryWrapper(client: QueryClient): ComponentType<PropsWithChildren> {
  return ({ children }) => createElement(QueryClientProvider, { client }, children);
}
