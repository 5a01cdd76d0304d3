import { Fragment, type ReactNode } from 'react';

/** Text in a message that becomes a link to the sign-in page. */
export const SIGN_IN_LABELS = 'Sign in in another tab';

/** Text in which the sign-in phrase is a link. It opens in a new tab, so that this page and its input are kept. */
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
