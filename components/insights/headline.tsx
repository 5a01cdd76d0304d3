import type { ReactNode } from 'react';

/** Plain language conclusion of a panel. */
export function Headline({ children }: { children: ReactNode }) {
  return (
    <p data-slot="headline" className="wrap-anywhere mb-3 max-w-[64ch] text-base">
      {children}
    </p>
  );
}

/** Collapsed statistics behind a headline. */
export function Details({ children }: { children: ReactNode }) {
  return (
    <details className="mt-2 text-sm">
      <summary className="cursor-pointer text-ink-2">Show statistics</summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}
