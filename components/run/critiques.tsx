import { Quote } from '#components/ui/quote.tsx';
import type { CritiqueRecord } from '#lib/core/run-record.ts';

/** All that models said is wrong with a version, each under what made them say so. */
export function Critiques({ critiques }: { critiques: CritiqueRecord[] }) {
  return critiques.map((critique, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: critiques are only ever added, at the end
    <div className="mt-4" key={index}>
      <h3>{HEADINGS[critique.trigger]}</h3>
      <Quote className="wrap-anywhere mt-1 whitespace-pre-wrap">{critique.text}</Quote>
      {critique.suggestions.length > 0 ? (
        <ul className="mt-2 list-disc pl-5 text-ink-2 text-sm">
          {critique.suggestions.map((suggestion) => (
            <li key={suggestion}>{suggestion}</li>
          ))}
        </ul>
      ) : null}
    </div>
  ));
}

const HEADINGS: Record<CritiqueRecord['trigger'], string> = {
  completion: 'Critique',
  manual: 'Critique, asked for by hand',
  quality_drop: 'Why the score fell',
  error: 'Why this version could not be made at first',
  step_interval: 'Critique on the way, after so many turns',
  tool_result: 'Critique on the way, after a result of a tool',
  run_end: 'No lesson from this run',
};
