import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import type { CodeToken } from './highlight-lines.ts';

/** Style of a note below a line of code, including `code` and `button` elements in it. */
export const CODE_NOTE = [
  'border-b border-line bg-worse-bg px-2.5 pt-[0.2rem] pb-1 font-sans glyphs-plain text-sm/[1.45] whitespace-normal text-ink wrap-anywhere',
  '[&_code]:rounded-1 [&_code]:bg-surface [&_code]:px-[0.2rem]',
  '[&_button]:cursor-pointer [&_button]:text-brand [&_button]:underline [&_button]:underline-offset-2 pointer-coarse:[&_button]:min-h-8',
].join(' ');

export const codeBlockClasses =
  'wrap-anywhere m-0 whitespace-pre-wrap rounded-2 bg-sunken px-2.75 py-2 font-mono glyphs-plain text-code/[1.55]';

/** Code or a command, shown as a block. */
export function CodeBlock({ className, ...props }: ComponentProps<'pre'>) {
  return <pre data-slot="code-block" className={classNames(codeBlockClasses, className)} {...props} />;
}

/** Highlighted lines of code. Built from React nodes, never from markup in the text. */
export function CodeText({ lines }: { lines: readonly CodeToken[][] }) {
  return (
    <CodeBlock className="code">
      {lines.map((line, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines stand in a fixed order
        <span key={number}>
          {line.map(({ text, kind }, index) =>
            kind === null ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: tokens stand in a fixed order
              <span key={index} className={`k-${kind}`}>
                {text}
              </span>
            ),
          )}
          {number < lines.length - 1 ? '\n' : ''}
        </span>
      ))}
    </CodeBlock>
  );
}
