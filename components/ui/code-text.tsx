import { CodeBlock } from '#components/ui/code-block.tsx';
import type { CodeToken } from '#components/ui/highlight-lines.ts';

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
