import { Fragment, type ReactNode } from 'react';

/** In a message, the way to the sign-in. */
export const SIGN_IN_LABELS = 'Sign in in another tab';

/** A text in which the way to the sign-in is a link; it opens in a new tab, so that this page and what was typed there stay. */
export function WithSignInLink({ children }: { children: ReactNode }) {
  if (typeof children !== 'string' || !children.includes(SIGN_IN_LABELS)) return children;
  const [before, ...rest] = children.split(SIGN_IN_LABELS);
  return (
    <>
      {before}
      {rest.map((after) => (
        <Fragment key={after}>
          <a href="/sign-in" target="_blank" rel="noreferrer" className="underline">
            {SIGN_IN_LABELS}
          </a>
          {after}
        </Fragment>
      ))}
    </>
  );
}
