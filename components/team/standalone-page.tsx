import type { ReactNode } from 'react';
import { BrandName } from '#components/layout/brand-mark.tsx';
import { ThemeSwitch } from '#components/layout/theme-switch.tsx';

/** Layout of the pages outside the app: no sidebar and one form. */
export function StandalonePage({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · Hone`}</title>
      <header className="flex items-center gap-2 p-3">
        <BrandName />
        <span className="ml-auto">
          <ThemeSwitch size="icon" />
        </span>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-[25rem] flex-1 flex-col px-4 pt-[8vh] pb-12"
      >
        <h1>{title}</h1>
        {text ? <p className="mt-1 text-ink-2">{text}</p> : null}
        <div className="mt-4">{children}</div>
      </main>
    </div>
  );
}
