import type { ReactNode } from 'react';

type PageHeadProps = { title: string; facts?: ReactNode; actions?: ReactNode };

/** The page's title, the facts that place it, and what can be done with it. */
export function PageHead({ title, facts, actions }: PageHeadProps) {
  return (
    <div className="pagehead">
      <div className="grow">
        <h1 className="wrap-anywhere">{title}</h1>
        {facts ? <div className="facts">{facts}</div> : null}
      </div>
      {actions ? <div className="row wrap actions">{actions}</div> : null}
    </div>
  );
}
