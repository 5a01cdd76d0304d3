import { cva } from 'class-variance-authority';
import { Info, Pause, TriangleAlert, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { WithSignInLink } from './with-sign-in-link.tsx';

const GLYPHS = { default: Info, worse: TriangleAlert, wait: Pause, person: UserRound };

export const noticeVariants = cva(
  'flex items-start gap-x-3 gap-y-2 rounded-2 border px-3 py-2 text-sm leading-normal [&>svg]:mt-[0.15rem] [&>svg]:size-4',
  {
    variants: {
      tone: {
        default: 'border-line bg-surface',
        worse: 'border-worse/30 bg-worse-bg text-ink',
        wait: 'border-wait/30 bg-wait-bg',
        person: 'border-wait/30 bg-wait-bg',
      },
    },
    defaultVariants: { tone: 'default' },
  },
);

type NoticeProps = {
  tone?: keyof typeof GLYPHS;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  alert?: boolean;
  className?: string;
};

/** Message box: the event, its consequences and the next step. `alert` makes screen readers announce it immediately. */
export function Notice({ tone = 'default', title, children, actions, alert = false, className }: NoticeProps) {
  const Glyph = GLYPHS[tone];
  return (
    <div
      data-slot="notice"
      className={classNames(noticeVariants({ tone }), className)}
      role={alert ? 'alert' : undefined}
    >
      <Glyph />
      <div className="wrap-anywhere min-w-0 flex-1">
        {title ? (
          <b className="block font-medium">
            <WithSignInLink>{title}</WithSignInLink>{' '}
          </b>
        ) : null}
        <WithSignInLink>{children}</WithSignInLink>
        {actions ? <div className="mt-2 flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
    </div>
  );
}
