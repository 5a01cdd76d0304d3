import { Check, CircleDashed, X } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { formatDuration, formatMoney, formatNumberOf, formatScore } from '#lib/format.ts';
import type { TriedCriterion } from '#lib/reflection/tried-criterion.ts';

/** What a criterion said of an output, what models would be told of it apart from what only people see. */
export function TriedResult({ tried, threshold }: { tried: TriedCriterion; threshold: string }) {
  const { score, passed, reason, issues, suggestions, feedback, detail, tokenUsage, costUsd, durationMs } = tried;
  return (
    <section aria-label="Result" className="tried stack gap-3" data-testid="tried-result">
      <div className="row wrap">
        {score === null ? (
          <Badge tone="unscored">
            <CircleDashed className="i" aria-hidden />
            Unscored
          </Badge>
        ) : (
          <>
            <b className="mono">{formatScore(score)}</b>
            <Badge tone={passed ? 'better' : 'worse'}>
              {passed ? <Check className="i" aria-hidden /> : <X className="i" aria-hidden />}
              {passed ? 'passes' : 'below'} {threshold}
            </Badge>
          </>
        )}
        <span className="sm faint">
          {tokenUsage.total > 0
            ? `${formatNumberOf(tokenUsage.total, 'token')}, ${costUsd === null ? 'price unknown' : formatMoney(costUsd)}, ${formatDuration(durationMs)}`
            : 'no model asked'}
        </span>
      </div>
      <p className="wrap-anywhere whitespace-pre-wrap">{reason}</p>
      <Lines title="Issues" lines={issues} />
      <Lines title="Suggestions" lines={suggestions} />
      <div className="grid2">
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
      <h4 className="lbl">{title}</h4>
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
      <h4 className="lbl">{title}</h4>
      {text === '' ? <p className="sm faint">nothing</p> : <pre className="plain">{text}</pre>}
    </div>
  );
}
