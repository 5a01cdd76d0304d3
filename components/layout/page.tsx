import { Fragment, type ReactNode } from 'react';
import { classNames } from '#components/ui/class-names.ts';
import { Link } from '#components/ui/link.tsx';
import { HelpLink, NarrowMenu } from './nav-links.tsx';
import { PracticeBanner } from './practice-banner.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** Breadcrumb. The last one is the current page and has no URL. */
type Crumb = { label: string; href?: string };

type PageProps = {
  crumbs: readonly Crumb[];
  practice?: boolean;
  /** `<title>` of the page, if it is not the last breadcrumb. */
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** Layout of every page: practice banner for practice data, breadcrumbs and content. */
export function Page({ crumbs, practice = false, title, actions, children }: PageProps) {
  return (
    <div className="flex min-w-0 flex-col">
      {title ?? <title>{`${crumbs.at(-1)?.label ?? 'Home'} · Hone`}</title>}
      {practice ? <PracticeBanner /> : null}
      <header className="flex min-h-11 items-center gap-3 border-line border-b bg-bg px-6 py-1.5 max-narrow:gap-2 max-narrow:px-4 print:hidden">
        <NarrowMenu />
        <Crumbs crumbs={crumbs} />
        <div className="ml-auto flex items-center gap-2">
          {actions}
          <HelpLink />
          <span className="narrow:hidden">
            <ThemeSwitch size="icon" />
          </span>
        </div>
      </header>
      <main id="content" className="flex min-w-0 flex-1 flex-col" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav className="flex min-w-0 items-center gap-2 text-ink-3 text-md *:min-w-0" aria-label="Path">
      {crumbs.map(({ label, href }, index) => {
        const middle = index > 0 && index < crumbs.length - 1 ? 'max-narrow:hidden' : '';
        return (
          <Fragment key={href ?? label}>
            {index > 0 ? (
              <span className={middle} aria-hidden>
                /
              </span>
            ) : null}
            {href ? (
              <Link dir="auto" className={classNames('truncate hover:text-ink', middle)} href={href}>
                {label}
              </Link>
            ) : (
              <span dir="auto" aria-current="page" className="truncate font-medium text-ink">
                {label}
              </span>
            )}
          </Fragment>
        );
      })}
    </nav>
  );
}
