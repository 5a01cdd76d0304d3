import { CaseInput, CaseReference } from '#components/case/case-input.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { isBlocking } from '#lib/core/tuning/candidate-state.ts';
import { formatNumberOf, formatScore } from '#lib/format.ts';
import type { TunedVersion } from '#lib/statistics/tuning-summary.ts';
import { ChangeBadge, caseChange } from './case-table.tsx';
import { decisionReason, stateLabel } from './labels.ts';
import type { CaseResults, PromptCaseResult, ProposalEffect } from './tuning-grid.ts';

type ProposalPaneProps = {
  version: TunedVersion;
  effect: ProposalEffect;
  settings: ExperimentSettings;
  isEnded: boolean;
};

/** Compares a prompt with its parent: diagnosis, problems found by checks, decision, and effect on each case. */
export function ProposalPane({ version, effect, settings, isEnded }: ProposalPaneProps) {
  const reason = decisionReason(version);
  // Combinations are not evaluated on the training cases of the proposals.
  const cases = version.kind === 'combination' ? effect.cases.filter((one) => triesOf(one, effect)[1]) : effect.cases;
  const changes = cases.map((one) => changeOf(one, effect));
  const count = (...kinds: ReturnType<typeof caseChange>[]) => changes.filter((one) => kinds.includes(one)).length;
  const uncompared = count(null);
  return (
    <Pane className="max-medium:order-3" aria-label={`Effect of v${version.number}`} data-testid="proposal">
      <PaneHeader title={`Effect of v${version.number} on its cases`}>
        <span className="text-ink-3 text-sm">
          {stateLabel(version, isEnded)}
          {cases.length === 0
            ? null
            : `, ${version.kind === 'proposal' ? 'based on' : 'compared on'} ${formatNumberOf(cases.length, 'case')} of v${effect.parent}`}
        </span>
      </PaneHeader>
      {version.problems.map((problem) => (
        <Notice
          key={problem.text}
          tone={isBlocking(problem) ? 'worse' : 'wait'}
          className="mb-2"
          title={isBlocking(problem) ? 'Rejected by checks, not tested' : 'Warning'}
        >
          {problem.text}
        </Notice>
      ))}
      {reason === '' || version.state === 'held_back' ? null : <p className="mb-2">{reason}</p>}
      {version.minibatch === null ? null : (
        <p className="mb-2 text-ink-2 text-sm">
          <span className="text-better">▲</span> {count('fixed', 'better')} fixed or better,{' '}
          <span className="text-worse">▼</span> {count('broken', 'worse')} broken or worse, {count('same')} the same
          {uncompared > 0 ? `, ${uncompared} without a comparison` : ''}.
        </p>
      )}
      <SeenLessons lessons={version.lessons} />
      {cases.map((one) => (
        <CaseEffect
          key={one.position}
          look={one}
          effect={effect}
          referenceLabel={labelOfReference(version, settings)}
        />
      ))}
      {version.diagnosis ? (
        <details className="mt-2" open={cases.length === 0}>
          <summary className="cursor-pointer text-ink-2 text-sm">
            {version.kind === 'proposal' ? `Diagnosis of v${effect.parent}` : 'Diagnosis'}
          </summary>
          <Quote className="wrap-anywhere mt-1 whitespace-pre-wrap">{version.diagnosis}</Quote>
        </details>
      ) : null}
    </Pane>
  );
}

function SeenLessons({ lessons }: Pick<TunedVersion, 'lessons'>) {
  if (lessons.length === 0) return null;
  return (
    <p className="mb-2 flex flex-wrap gap-x-2 text-ink-2 text-sm" data-testid="seen-lessons">
      Lessons shown to the reflection model:
      {lessons.map((id, at) => (
        <TextLink key={id} href={`/lessons/${id}`}>
          lesson {at + 1}
        </TextLink>
      ))}
    </p>
  );
}

/** Only proposals are written from cases with references. Other kinds are only tested on them. */
function labelOfReference({ kind }: TunedVersion, { tune }: ExperimentSettings): string {
  if (!tune.references) return 'Reference, never shown to models';
  return kind === 'proposal' ? 'Reference, shown to the reflection model' : 'Reference';
}

type CaseEffectProps = { look: CaseResults; effect: ProposalEffect; referenceLabel: string };

function CaseEffect({ look, effect, referenceLabel }: CaseEffectProps) {
  const [before, after] = triesOf(look, effect);
  return (
    <details className="border-line border-b last-of-type:border-b-0">
      <summary className="flex min-h-7 cursor-pointer flex-wrap items-center gap-2 py-1.5">
        <span className="font-mono text-ink-3 text-sm">{look.position + 1}</span>
        <span className="min-w-0 flex-1 truncate">{look.input}</span>
        <span className="whitespace-nowrap text-sm">
          {before ? formatScore(before.score) : '–'} → {after ? formatScore(after.score) : 'not tested'}
        </span>
        <ChangeBadge change={changeOf(look, effect)} />
      </summary>
      <div className="flex flex-col gap-2 py-2">
        {look.messages ? (
          <CaseInput input={look.input} messages={look.messages} />
        ) : (
          <Quote className="wrap-anywhere whitespace-pre-wrap">{look.input}</Quote>
        )}
        <CaseReference reference={look.reference} label={referenceLabel} />
        {before && after ? (
          <DiffView
            before={before.output}
            after={after.output}
            layout="unified"
            label={`Case ${look.position + 1}: output of v${effect.parent} and of v${effect.version}`}
          />
        ) : before ? (
          <>
            <span className="font-medium text-ink text-sm">Output of v{effect.parent}</span>
            <CodeBlock>{before.output}</CodeBlock>
          </>
        ) : null}
        {before?.feedback ? (
          <p className="wrap-anywhere text-ink-2 text-sm">
            Feedback on v{effect.parent}: {before.feedback}
          </p>
        ) : null}
      </div>
    </details>
  );
}

function changeOf(look: CaseResults, effect: ProposalEffect) {
  const [before, after] = triesOf(look, effect);
  return caseChange(cellOf(before), cellOf(after));
}

function cellOf(tried: PromptCaseResult | undefined) {
  return tried === undefined ? undefined : { score: tried.score, isGood: tried.satisfactory };
}

function triesOf(
  { tries }: CaseResults,
  { parent, version }: ProposalEffect,
): [PromptCaseResult | undefined, PromptCaseResult | undefined] {
  return [tries.find((one) => one.version === parent), tries.find((one) => one.version === version)];
}
