import type { ReactNode } from 'react';
import { classNames } from '#components/ui/class-names.ts';

type PageHeadProps = {
  title: string;
  titleClassName?: string;
  facts?: ReactNode;
  actions?: ReactNode;
  /** Content above the title. */
  children?: ReactNode;
};

/** Page header with the title, key facts and actions. */
export function PageHead({ title, titleClassName, facts, actions, children }: PageHeadProps) {
  return (
    <div
      data-slot="page-head"
      className="flex flex-wrap items-end gap-x-8 gap-y-2 border-line border-b px-6 pt-3 pb-3.5 max-narrow:px-4"
    >
      <div className="min-w-0 flex-[1_1_24rem]">
        {children}
        <h1 className={classNames('wrap-anywhere', titleClassName)}>
          <bdi>{title}</bdi>
        </h1>
        {facts ? (
          <div className="max-[401px]:[&>span]:wrap-anywhere mt-[0.3rem] flex flex-wrap gap-x-4 gap-y-0.5 text-ink-2 text-sm [&_b]:font-medium [&_b]:text-ink">
            {facts}
          </div>
        ) : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2 max-narrow:w-full">{actions}</div> : null}
    </div>
  );
}
