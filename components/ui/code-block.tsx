import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

export const codeBlockClasses =
  'wrap-anywhere m-0 whitespace-pre-wrap rounded-2 bg-sunken px-2.75 py-2 font-mono glyphs-plain text-code/[1.55]';

/** Code or a command, shown as a block. */
export function CodeBlock({ className, ...props }: ComponentProps<'pre'>) {
  return <pre data-slot="code-block" className={classNames(codeBlockClasses, className)} {...props} />;
}
