import { isShownToJudge } from '#lib/reflection/may-use-reference.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';

/** What the run was asked, and the answer it is measured by. */
export function TaskPane({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const isJudged = settings.criteria.some((criterion) => isShownToJudge(criterion, settings.prompts.evaluate));
  return (
    <section className="pane o7 grow border-b-0">
      <div className="ph">
        <h2>Task</h2>
      </div>
      {settings.generator.instructions ? (
        <p className="quote mb-2 whitespace-pre-wrap wrap-anywhere">{settings.generator.instructions}</p>
      ) : null}
      <p className="prose max-h-80 overflow-y-auto whitespace-pre-wrap wrap-anywhere" data-testid="task">
        {record.case.input}
      </p>
      {record.case.reference === null ? null : (
        <p className="sm muted mt-2 wrap-anywhere">
          Reference answer, {isJudged ? 'shown to judges only' : 'never shown to models'}:{' '}
          <b className="md5">{record.case.reference}</b>
        </p>
      )}
    </section>
  );
}
