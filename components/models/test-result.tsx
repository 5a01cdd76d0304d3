import { Badge } from '#components/ui/badge.tsx';
import { LocalMoments } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { formatCost, formatDuration, formatNumberOf } from '#lib/format.ts';
import type { ModelTest, ProviderTest } from '#lib/providers/provider-test.ts';

const MAX_SHOWN_MODELS = 24;

/** Shows the result of a test: the available models and the test call, or the error and how to fix it. */
export function TestResult({ test }: { test: ProviderTest }) {
  return (
    <div className="flex flex-col gap-2">
      {test.ok ? (
        <p className="text-better text-sm" role="status">
          ✓ {test.message} {test.call === null ? formatDuration(test.latencyMs) : callLabel(test.call)}
        </p>
      ) : (
        <Notice tone="worse" alert title={test.message}>
          <LocalMoments text={test.remedy} />
        </Notice>
      )}
      {(test.call?.warnings ?? []).map((warning) => (
        <p key={warning} className="wrap-anywhere text-sm text-wait">
          ▲ {warning}
        </p>
      ))}
      {test.ok && test.remedy !== '' ? <p className="text-sm text-wait">▲ {test.remedy}</p> : null}
      {test.models.length > 0 ? <ModelNames models={test.models} isOld={!test.ok} /> : null}
    </div>
  );
}

function ModelNames({ models, isOld }: { models: readonly string[]; isOld: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-ink-2">{isOld ? 'Models listed before' : 'Models'}</span>
      {models.slice(0, MAX_SHOWN_MODELS).map((model) => (
        <Badge key={model} className="max-w-full font-mono">
          <span className="min-w-0 truncate">{model}</span>
        </Badge>
      ))}
      {models.length > MAX_SHOWN_MODELS ? (
        <span className="text-ink-3">and {models.length - MAX_SHOWN_MODELS} more</span>
      ) : null}
    </div>
  );
}

function callLabel({ latencyMs, inputTokens, outputTokens, costUsd }: ModelTest): string {
  const tokens = formatNumberOf(inputTokens + outputTokens, 'token');
  return `First response in ${formatDuration(latencyMs)} (${tokens}, ${formatCost(costUsd ?? 0, costUsd === null)}).`;
}
