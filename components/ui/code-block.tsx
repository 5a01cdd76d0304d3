import type { CodeToken } from './highlight-lines.ts';
import { styled } from './styled.ts';

export const codeBlockClasses =
  'wrap-anywhere m-0 whitespace-pre-wrap rounded-2 bg-sunken px-2.75 py-2 font-mono glyphs-plain text-code/[1.55]';

/** Code or a command, shown as a block. */
export const CodeBlock = styled('pre', 'code-block', codeBlockClasses);

/** Highlighted lines of code. Built from React nodes, never from markup in the text. */
export function CodeText({ lines }: { lines: readonly CodeToken[][] }) {
  return (
    <CodeBlock className="code">
      {lines.map((line, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines keep their order
        <span key={number}>
          {line.map(({ text, kind }, index) =>
            kind === null ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the tokens keep their order
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
