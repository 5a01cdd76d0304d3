'use client';

import { useToast } from '#components/ui/toaster.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { askForReflection } from './ask-for-reflection.ts';
import { AskedScores } from './asked-scores.tsx';
import { EvaluationPane } from './evaluation-pane.tsx';
import type { RunAnswer } from './use-run-answer.ts';
import { unreachable } from './use-run-decisions.ts';

type JudgedVersionProps = {
  record: RunRecord;
  version: VersionRecord;
  settings: ExperimentSettings;
  answer: RunAnswer;
  refresh: () => void;
};

/** What was said of a version and what can be said of it: its evaluations, the scores that are asked of a person, a reflection by hand. */
export function JudgedVersion({ record, version, settings, answer, refresh }: JudgedVersionProps) {
  const toast = useToast();
  const { decisions, asking, askedForm, giveScore } = answer;
  const { number } = version;
  async function reflect() {
    const result = await askForReflection(record.id, number).catch(unreachable);
    decisions.setProblem(result.ok ? null : result.problem);
    if (result.ok) toast(`A reflection on v${number} stands among its critiques`);
    refresh();
  }
  return (
    <EvaluationPane
      record={record}
      version={version}
      settings={settings}
      onReflect={reflect}
      onRestore={() => decisions.proposeRestore(number)}
      asked={
        asking?.version === number ? (
          <AskedScores
            key={asking.pauseId}
            pause={asking}
            give={giveScore}
            onGiven={(count) => toast(count > 1 ? 'Your scores are stored' : 'Your score is stored')}
            form={askedForm}
          />
        ) : null
      }
    />
  );
}
