'use client';

import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { AnswerText } from '#components/answer/answer-text.tsx';
import { TraceText } from '#components/answer/trace-text.tsx';
import { CaseInput, CaseReference } from '#components/case/case-input.tsx';
import { useIsWide } from '#components/run/output-pane.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { formatScore } from '#lib/format.ts';
import { newDetail } from '#lib/runs/new-detail.ts';
import { SPLIT_LABELS } from './case-table.tsx';
import { type CaseResults, isCutOff, type PromptCaseResult } from './tuning-grid.ts';

type CasePaneProps = {
  look: CaseResults;
  /** The selected prompt and its parent. */
  selected: number | null;
  parent: number | null;
  /** True if the reflection model may see the reference. */
  mayBeShown: boolean;
  onClose: () => void;
};

/** Shows one case: its input, the outputs of the chosen prompt and its parent side by side, and their feedback. */
export function CasePane({ look, selected, parent, mayBeShown, onClose }: CasePaneProps) {
  const isWide = useIsWide();
  const frame = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another case must also be scrolled into view
  useEffect(() => {
    // `void`, because newer browsers return a promise, which an effect must not return.
    void frame.current?.scrollIntoView({ block: 'nearest' });
  }, [look.position]);
  const after = look.tries.find(({ version }) => version === selected);
  const before = look.tries.find(({ version }) => version === parent);
  const compared = [before, after].filter((tried) => tried !== undefined);
  const others = look.tries.filter((tried) => !compared.includes(tried));
  return (
    <Pane
      ref={frame}
      className="medium:sticky medium:top-0 medium:max-h-screen medium:self-start medium:overflow-y-auto"
      aria-label={`Case ${look.position + 1}`}
      data-testid="case-pane"
    >
      <PaneHeader
        title={`Case ${look.position + 1}`}
        note={`${SPLIT_LABELS[look.split]}${look.weight === undefined ? '' : `, weight ${look.weight}`}`}
      >
        <IconButton icon={X} label="Close case" className="ml-auto" onClick={onClose} />
      </PaneHeader>
      <CaseInput input={look.input} messages={look.messages} />
      <CaseReference
        reference={look.reference}
        label={mayBeShown ? 'Reference, may be shown to the reflection model' : 'Reference, never shown to models'}
        className="mt-2"
      />
      <div className="mt-3 flex flex-col gap-3">
        {before && after && before.output !== after.output ? (
          <DiffView
            before={before.output}
            after={after.output}
            layout={isWide ? 'split' : 'unified'}
            label={`Output of v${before.version} and of v${after.version}`}
          />
        ) : before && after ? (
          <div>
            <span className="font-medium text-ink text-sm">
              v{before.version} and v{after.version} give the same answer
            </span>
            <AnswerText text={after.output} />
          </div>
        ) : null}
        {compared.map((tried) => (
          <CaseResultDetails key={tried.version} tried={tried} withOutput={compared.length === 1} />
        ))}
        {compared.length === 0 ? <p className="text-ink-2">The selected prompt was not tested on this case.</p> : null}
        {others.length > 0 ? (
          <details>
            <summary className="cursor-pointer text-ink-2 text-sm">
              What {others.length === 1 ? 'one other prompt' : `${others.length} other prompts`} answered
            </summary>
            <div className="mt-2 flex flex-col gap-3">
              {others.map((tried) => (
                <CaseResultDetails key={tried.version} tried={tried} withOutput />
              ))}
            </div>
          </details>
        ) : null}
      </div>
    </Pane>
  );
}

function CaseResultDetails({ tried, withOutput }: { tried: PromptCaseResult; withOutput: boolean }) {
  const { version, score, satisfactory, output, trace, feedback, detail, criteriaScores, paidBefore } = tried;
  const names = Object.entries(criteriaScores);
  const unshown = newDetail(detail, [feedback], Object.keys(criteriaScores));
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-2 gap-x-2">
        <b>v{version}</b>
        {score === null ? (
          <Badge tone="unscored">unscored</Badge>
        ) : (
          <span>
            {formatScore(score)} <span className="text-ink-2 text-sm">{satisfactory ? '✓ good' : '✕ not good'}</span>
          </span>
        )}
        {names.length > 1 ? (
          <span className="text-ink-2 text-sm">
            {names.map(([name, value]) => `${name} ${formatScore(value)}`).join(', ')}
          </span>
        ) : null}
        {isCutOff(tried) ? <Badge tone="worse">✕ cut off</Badge> : null}
        {paidBefore ? <span className="text-ink-3 text-sm">saved response</span> : null}
      </p>
      {withOutput ? <AnswerText text={output} /> : null}
      {feedback ? <p className="wrap-anywhere text-ink-2 text-sm">{feedback}</p> : null}
      {trace ? (
        <details className="text-sm">
          <summary className="cursor-pointer py-1 text-ink-3 pointer-coarse:py-2">Trace of v{version}</summary>
          <TraceText trace={trace} />
        </details>
      ) : null}
      {unshown ? (
        <details className="text-sm">
          <summary className="cursor-pointer py-1 text-ink-3 pointer-coarse:py-2">
            Details, only shown to people
          </summary>
          <CodeBlock className="mt-1">{unshown}</CodeBlock>
        </details>
      ) : null}
    </div>
  );
}
