import { Notice } from '#components/ui/notice.tsx';
import { formatDuration, formatNumberOf } from '#lib/format.ts';
import type { TestOutcome } from './provider-kinds.ts';

/** What a test of a connection came to: the models there are, or what failed and what to do. */
export function TestResult({ outcome }: { outcome: TestOutcome }) {
  if (!outcome.ok) {
    return (
      <Notice tone="worse" alert title={outcome.message}>
        {outcome.remedy}
      </Notice>
    );
  }
  return (
    <div role="status">
      <p className="sm better">
        ✓ {outcome.message} {formatNumberOf(outcome.models.length, 'model')}, {formatDuration(outcome.latencyMs)}
      </p>
      {outcome.models.length > 0 ? (
        <p className="row wrap mt-1.5">
          {outcome.models.slice(0, 24).map((model) => (
            <span key={model} className="chip mono">
              {model}
            </span>
          ))}
          {outcome.models.length > 24 ? <span className="sm faint">and {outcome.models.length - 24} more</span> : null}
        </p>
      ) : null}
    </div>
  );
}
