import { FlaskConical } from 'lucide-react';
import Link from 'next/link';
import { Fragment, type ReactNode } from 'react';
import { NarrowMenu } from './narrow-menu.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** One step of the path to a page; the last has no address, it is where one is. */
export type Crumb = { label: string; href?: string };

type PageProps = {
  crumbs: readonly Crumb[];
  practice?: boolean;
  /** The page's `<title>` where it is not the last of the path. */
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
};

/** The frame of every page: practice banner where the numbers are practice, path, content, and what sticks to the bottom. */
export function Page({ crumbs, practice = false, title, actions, children, footer }: PageProps) {
  return (
    <div className="main">
      {title ?? <title>{`${crumbs.at(-1)?.label ?? 'Home'} · Hone`}</title>}
      {practice ? <PracticeBanner /> : null}
      <header className="top">
        <NarrowMenu />
        <Crumbs crumbs={crumbs} />
        <div className="row end">
          {actions}
          <span className="narrow-only">
            <ThemeSwitch size="icon" />
          </span>
        </div>
      </header>
      <main id="content" className="flex min-w-0 flex-1 flex-col" tabIndex={-1}>
        {children}
      </main>
      {footer}
    </div>
  );
}

function PracticeBanner() {
  return (
    <section className="practice" aria-label="Practice data">
      <FlaskConical className="i s" aria-hidden />
      <span>
        <b className="md5">Practice data.</b>{' '}
        <span className="wide-only">
          Texts, scores and prices come from the built-in practice model, not from a real one.{' '}
        </span>
        <Link className="link" href="/models">
          Connect a model
        </Link>
      </span>
    </section>
  );
}

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav className="crumbs" aria-label="Path">
      {crumbs.map(({ label, href }, index) => {
        const middle = index > 0 && index < crumbs.length - 1 ? 'mid' : '';
        return (
          <Fragment key={href ?? label}>
            {index > 0 ? (
              <span className={middle} aria-hidden>
                /
              </span>
            ) : null}
            {href ? (
              <Link className={`${middle} trunc`} href={href}>
                {label}
              </Link>
            ) : (
              <span aria-current="page" className="trunc">
                {label}
              </span>
            )}
          </Fragment>
        );
      })}
    </nav>
  );
}
