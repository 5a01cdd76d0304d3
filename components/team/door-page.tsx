import type { ReactNode } from 'react';
import { ThemeSwitch } from '#components/shell/theme-switch.tsx';

/** The frame of the pages in front of the app: no side bar, one form. */
export function DoorPage({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · Hone`}</title>
      <header className="row p-3">
        <span className="brandmark">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M2 16 6.5 9.5 10.5 12 16.5 4.5" />
            <circle cx="16.5" cy="4.5" r="2.6" />
          </svg>
          <span>Hone</span>
        </span>
        <span className="end">
          <ThemeSwitch size="icon" />
        </span>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-[25rem] flex-1 flex-col px-4 pt-[8vh] pb-12"
      >
        <h1>{title}</h1>
        {text ? <p className="muted mt-1">{text}</p> : null}
        <div className="mt-4">{children}</div>
      </main>
    </div>
  );
}
