import { ChevronRight } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { formatCost, formatCount, formatDuration, formatMoment, formatNumberOf } from '#lib/format.ts';

/** A model call as it was sent and answered. */
export type CallListItem = {
  id: number;
  step: number;
  role: string;
  provider: string;
  model: string;
  instructions: string;
  prompt: string;
  text: string | null;
  finishReason: string | null;
  failure: { kind: string; message: string; remedy: string } | null;
  tokenUsage: { input: number; output: number; total: number };
  costUsd: number | null;
  latencyMs: number;
  attempts: number;
  warnings: string[];
  createdAt: string;
};

/** Every call of a run in order; each opens to what was sent and what came back, word for word. */
export function CallList({ calls }: { calls: readonly CallListItem[] }) {
  if (calls.length === 0) return <p className="pane muted">No model was asked yet.</p>;
  return calls.map((call) => (
    <details key={call.id} className="fsec">
      <summary>
        <ChevronRight className="i s chev" aria-hidden />
        <span className="ttl">{ROLE_WORDS[call.role] ?? call.role}</span>
        <span className="val trunc">
          step {call.step} · {call.provider} / {call.model} · {formatCount(call.tokenUsage.total)} tokens ·{' '}
          {call.costUsd === null ? 'no price' : formatCost(call.costUsd, false)} · {formatDuration(call.latencyMs)}
          {call.attempts > 1 ? ` · ${formatNumberOf(call.attempts, 'try', 'tries')}` : ''}
        </span>
        <span>{call.failure ? <Badge tone="worse">✕ {call.failure.kind.replaceAll('_', ' ')}</Badge> : null}</span>
      </summary>
      <div className="fbody stack gap-3">
        {call.instructions ? <Part name="Instructions" text={call.instructions} /> : null}
        <Part name="Prompt" text={call.prompt} />
        {call.text === null ? null : (
          <Part
            name={
              call.finishReason && call.finishReason !== 'stop' ? `Answer, ended by ${call.finishReason}` : 'Answer'
            }
            text={call.text}
          />
        )}
        {call.failure ? (
          <p className="worse wrap-anywhere">
            ✕ {call.failure.message} {call.failure.remedy}
          </p>
        ) : null}
        {call.warnings.map((warning) => (
          <p key={warning} className="sm muted">
            Warning: {warning}
          </p>
        ))}
        <p className="sm faint">
          {formatMoment(call.createdAt)} · {formatCount(call.tokenUsage.input)} tokens in,{' '}
          {formatCount(call.tokenUsage.output)} out
        </p>
      </div>
    </details>
  ));
}

function Part({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <h3 className="mb-1">{name}</h3>
      <pre className="plain">{text}</pre>
    </div>
  );
}

const ROLE_WORDS: Record<string, string> = {
  generate: 'Draft',
  evaluate: 'Judge',
  reflect: 'Critique',
  revise: 'Revise',
  lesson: 'Lesson',
};
