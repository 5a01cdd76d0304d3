'use client';

import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { DiffView } from '#components/run/diff-view.tsx';
import { useIsWide } from '#components/run/use-is-wide.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { formatScore } from '#lib/format.ts';
import type { CaseLook, LookedTry } from './case-look.ts';
import { SPLIT_WORDS } from './case-table.tsx';

type CasePaneProps = {
  look: CaseLook;
  /** The prompt that is looked at, and the one it was made from. */
  selected: number | null;
  parent: number | null;
  /** The reflection model may see the reference. */
  mayBeShown: boolean;
  onClose: () => void;
};

/** A case looked into: its input, the outputs of the chosen prompt and of its parent against each other, and what was said of them. */
export function CasePane({ look, selected, parent, mayBeShown, onClose }: CasePaneProps) {
  const isWide = useIsWide();
  const frame = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another case is brought into sight too.
  useEffect(() => {
    // A promise in newer browsers: nothing an effect may return.
    void frame.current?.scrollIntoView({ block: 'nearest' });
  }, [look.position]);
  const after = look.tries.find(({ version }) => version === selected);
  const before = look.tries.find(({ version }) => version === parent);
  const compared = [before, after].filter((tried) => tried !== undefined);
  const others = look.tries.filter((tried) => !compared.includes(tried));
  return (
    <section ref={frame} className="pane stays" aria-label={`Case ${look.position + 1}`} data-testid="case-pane">
      <div className="ph">
        <h2>Case {look.position + 1}</h2>
        <span className="note">{SPLIT_WORDS[look.split]}</span>
        <Button variant="ghost" size="smallIcon" className="end" aria-label="Close this case" onClick={onClose}>
          <X className="i s" aria-hidden />
        </Button>
      </div>
      <p className="prose whitespace-pre-wrap wrap-anywhere">{look.input}</p>
      {look.reference === null ? null : (
        <p className="sm muted mt-2 wrap-anywhere">
          {mayBeShown ? 'Reference, may be shown to the reflection model: ' : 'Reference, never shown to models: '}
          <b className="md5">{look.reference}</b>
        </p>
      )}
      <div className="stack mt-3 gap-3">
        {before && after && before.output !== after.output ? (
          <DiffView
            before={before.output}
            after={after.output}
            layout={isWide ? 'split' : 'unified'}
            label={`Output of v${before.version} and of v${after.version}`}
          />
        ) : before && after ? (
          <div>
            <span className="lbl">
              v{before.version} and v{after.version} answer the same, word for word
            </span>
            <pre className="plain">{after.output}</pre>
          </div>
        ) : null}
        {compared.map((tried) => (
          <Tried key={tried.version} tried={tried} withOutput={compared.length === 1} />
        ))}
        {compared.length === 0 ? <p className="muted">The chosen prompt was not tried on this case.</p> : null}
        {others.length > 0 ? (
          <details>
            <summary className="sm muted cursor-pointer">
              What {others.length === 1 ? 'one other prompt' : `${others.length} other prompts`} answered
            </summary>
            <div className="stack mt-2 gap-3">
              {others.map((tried) => (
                <Tried key={tried.version} tried={tried} withOutput />
              ))}
            </div>
          </details>
        ) : null}
      </div>
    </section>
  );
}

function Tried({ tried, withOutput }: { tried: LookedTry; withOutput: boolean }) {
  const { version, score, satisfactory, output, feedback, detail, criteriaScores, finishReason, paidBefore } = tried;
  const names = Object.entries(criteriaScores);
  return (
    <div className="stack gap-1">
      <p className="row wrap gap-x-2">
        <b>v{version}</b>
        {score === null ? (
          <Badge tone="unscored">unscored</Badge>
        ) : (
          <span>
            {formatScore(score)} <span className="sm muted">{satisfactory ? '✓ good' : '✕ not good'}</span>
          </span>
        )}
        {names.length > 1 ? (
          <span className="sm muted">{names.map(([name, value]) => `${name} ${formatScore(value)}`).join(', ')}</span>
        ) : null}
        {finishReason === 'length' ? <Badge tone="worse">✕ cut off</Badge> : null}
        {paidBefore ? <span className="sm faint">paid for before</span> : null}
      </p>
      {withOutput ? <pre className="plain">{output}</pre> : null}
      {feedback ? <p className="sm muted wrap-anywhere">{feedback}</p> : null}
      {detail ? (
        <details className="sm">
          <summary className="faint cursor-pointer">Detail, for people only</summary>
          <pre className="plain mt-1">{detail}</pre>
        </details>
      ) : null}
    </div>
  );
}
