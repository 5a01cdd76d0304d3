import { Check, CircleDashed, X } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import type { TriedCriterion } from '#lib/evaluators/tried-criterion.ts';
import { formatDuration, formatMoney, formatNumberOf, formatScore } from '#lib/format.ts';

/** What a criterion said of an output, what models would be told of it apart from what only people see. */
export function TriedResult({ tried, threshold }: { tried: TriedCriterion; threshold: string }) {
  const { score, passed, reason, issues, suggestions, feedback, detail, tokenUsage, costUsd, durationMs } = tried;
  return (
    <section
      aria-label="Result"
      className="flex flex-col gap-3 border-line-strong border-l-2 pl-3"
      data-testid="tried-result"
    >
      <div className="flex flex-wrap items-center gap-2">
        {score === null ? (
          <Badge tone="unscored">
            <CircleDashed aria-hidden />
            Unscored
          </Badge>
        ) : (
          <>
            <b className="font-mono text-[0.94em]">{formatScore(score)}</b>
            <Badge tone={passed ? 'better' : 'worse'}>
              {passed ? <Check aria-hidden /> : <X aria-hidden />}
              {passed ? 'passes' : 'below'} {threshold}
            </Badge>
          </>
        )}
        <span className="text-ink-3 text-sm">
          {tokenUsage.total > 0
            ? `${formatNumberOf(tokenUsage.total, 'token')}, ${costUsd === null ? 'price unknown' : formatMoney(costUsd)}, ${formatDuration(durationMs)}`
            : 'no model asked'}
        </span>
      </div>
      <p className="wrap-anywhere whitespace-pre-wrap">{reason}</p>
      <Lines title="Issues" lines={issues} />
      <Lines title="Suggestions" lines={suggestions} />
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Told
          title={`Models are told${issues.length + suggestions.length > 0 ? ', beside issues and suggestions' : ''}`}
          text={feedback}
        />
        <Told title="Only people see" text={detail} />
      </div>
    </section>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h4 className="font-medium text-ink text-sm">{title}</h4>
      <ul className="list-disc pl-5">
        {[...new Set(lines)].map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Told({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <h4 className="font-medium text-ink text-sm">{title}</h4>
      {text === '' ? <p className="text-ink-3 text-sm">nothing</p> : <CodeBlock>{text}</CodeBlock>}
    </div>
  );
}
