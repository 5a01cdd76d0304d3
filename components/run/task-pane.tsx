import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { isShownToJudge } from '#lib/evaluators/tried-criterion.ts';

/** What the run was asked, and the answer it is measured by. */
export function TaskPane({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const isJudged = settings.criteria.some((criterion) => isShownToJudge(criterion, settings.prompts.evaluate));
  return (
    <Pane className="min-w-0 flex-1 border-b-0 max-medium:order-7">
      <PaneHeader>
        <h2>Task</h2>
      </PaneHeader>
      {settings.generator.instructions ? (
        <Quote className="wrap-anywhere mb-2 whitespace-pre-wrap">{settings.generator.instructions}</Quote>
      ) : null}
      <p className="prose wrap-anywhere max-h-80 overflow-y-auto whitespace-pre-wrap" data-testid="task">
        {record.case.input}
      </p>
      {record.case.reference === null ? null : (
        <p className="wrap-anywhere mt-2 text-ink-2 text-sm">
          Reference answer, {isJudged ? 'shown to judges only' : 'never shown to models'}:{' '}
          <b className="font-medium">{record.case.reference}</b>
        </p>
      )}
    </Pane>
  );
}
