import { Info, Pause, TriangleAlert, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { WithSignInLink } from '#components/team/with-sign-in-link.tsx';
import { classNames } from './class-names.ts';

const GLYPHS = { default: Info, worse: TriangleAlert, wait: Pause, person: UserRound };

type NoticeProps = {
  tone?: keyof typeof GLYPHS;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  alert?: boolean;
  className?: string;
};

/** Something to know: what happened, what is safe, what to do next. `alert` has it read out at once. */
export function Notice({ tone = 'default', title, children, actions, alert = false, className }: NoticeProps) {
  const Glyph = GLYPHS[tone];
  return (
    <div
      data-slot="notice"
      className={classNames('notice', tone === 'person' ? 'wait' : tone, className)}
      role={alert ? 'alert' : undefined}
    >
      <Glyph className="i" aria-hidden />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title ? (
          <b className="md5">
            <WithSignInLink>{title}</WithSignInLink>{' '}
          </b>
        ) : null}
        <WithSignInLink>{children}</WithSignInLink>
        {actions ? <div className="row wrap mt-2">{actions}</div> : null}
      </div>
    </div>
  );
}
