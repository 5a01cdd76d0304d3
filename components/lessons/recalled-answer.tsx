import Link from 'next/link';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import type { TriedRecall } from '#lib/lessons/schema.ts';
import { kindLabel } from './lesson-labels.ts';

/** The lessons that would be recalled, each with how well it fits, and the part of the prompt that they make. */
export function RecalledAnswer({ answer: { lessons, tokens, promptPart } }: { answer: TriedRecall }) {
  if (lessons.length === 0)
    return (
      <Pane className="border-b-0" role="status" data-testid="recalled">
        <p className="font-semibold">No lesson fits</p>
        <p className="mt-0.5 text-ink-2">
          The prompt would stay as it is. Only promoted lessons of the scope are looked at.
        </p>
      </Pane>
    );
  return (
    <Columns className="border-b-0 medium:grid-cols-2" data-testid="recalled">
      <Pane className="border-b-0">
        <PaneHeader>
          <h2>Recalled</h2>
          <span className="text-ink-3 text-sm" role="status">
            {formatNumberOf(lessons.length, 'lesson')}, about {formatCount(tokens)} tokens
          </span>
        </PaneHeader>
        <ol className="flex flex-col gap-3">
          {lessons.map(({ id, kind, text, rank, score }) => (
            <li key={id} className="grid grid-cols-[1.5rem_minmax(0,1fr)_max-content] gap-x-2">
              <span className="text-ink-3">{rank}</span>
              <Link href={`/lessons/${id}`} className="wrap-anywhere whitespace-pre-wrap">
                {text}
              </Link>
              <span className="whitespace-nowrap text-right">
                <span className="sr-only">fits </span>
                <b className="font-medium">{formatScore(score)}</b>
              </span>
              <span className="col-start-2 font-mono text-ink-3 text-xs">{kindLabel(kind)}</span>
            </li>
          ))}
        </ol>
      </Pane>
      <Pane className="border-b-0">
        <PaneHeader>
          <h2>In the prompt</h2>
          <span className="text-ink-3 text-sm">word for word</span>
        </PaneHeader>
        <CodeBlock>{promptPart}</CodeBlock>
      </Pane>
    </Columns>
  );
}
