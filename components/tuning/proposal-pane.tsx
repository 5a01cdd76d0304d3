import { DiffView } from '#components/run/diff-view.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { formatNumberOf, formatScore } from '#lib/format.ts';
import type { TunedVersion } from '#lib/measures/tuning-summary.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { isBlocking } from '#lib/reflection/tuning/candidate-state.ts';
import { decisionReason, stateWords } from './candidate-words.ts';
import { caseChange } from './case-change.ts';
import type { CaseLook, LookedTry, ProposalEffect } from './case-look.ts';
import { ChangeBadge } from './change-badge.tsx';

type ProposalPaneProps = {
  version: TunedVersion;
  effect: ProposalEffect;
  settings: ExperimentSettings;
  isEnded: boolean;
};

/** A proposal beside its parent: what its model said is wrong, what guards found, what was decided, and what became of each case. */
export function ProposalPane({ version, effect, settings, isEnded }: ProposalPaneProps) {
  const reason = decisionReason(version);
  const changes = effect.cases.map((one) => changeOf(one, effect));
  const [fixed, broken] = [
    ['fixed', 'better'],
    ['broken', 'worse'],
  ].map((kinds) => changes.filter((change) => change !== null && kinds.includes(change)).length);
  return (
    <section className="pane o3" aria-label={`Effect of v${version.number}`} data-testid="proposal">
      <div className="ph">
        <h2>What v{version.number} does to its cases</h2>
        <span className="note">
          {stateWords(version, isEnded)}; made from {formatNumberOf(effect.cases.length, 'case')} of v{effect.parent}
        </span>
      </div>
      {version.problems.map((problem) => (
        <Notice
          key={problem.text}
          tone={isBlocking(problem) ? 'worse' : 'wait'}
          className="mb-2"
          title={isBlocking(problem) ? 'Held back, never tried.' : 'Look at this.'}
        >
          {problem.text}
        </Notice>
      ))}
      {reason === '' || version.state === 'held_back' ? null : <p className="mb-2">{reason}</p>}
      {version.minibatch === null ? null : (
        <p className="sm muted mb-2">
          <span className="better">▲</span> {fixed} fixed or better, <span className="worse">▼</span> {broken} broken or
          worse, {effect.cases.length - (fixed ?? 0) - (broken ?? 0)} the same.
        </p>
      )}
      {effect.cases.map((one) => (
        <CaseEffect key={one.position} look={one} effect={effect} isShown={settings.tune.references} />
      ))}
      {version.diagnosis ? (
        <details className="mt-2" open={effect.cases.length === 0}>
          <summary className="sm muted cursor-pointer">What its model said is wrong with v{effect.parent}</summary>
          <p className="quote mt-1 whitespace-pre-wrap wrap-anywhere">{version.diagnosis}</p>
        </details>
      ) : null}
    </section>
  );
}

function CaseEffect({ look, effect, isShown }: { look: CaseLook; effect: ProposalEffect; isShown: boolean }) {
  const [before, after] = triesOf(look, effect);
  return (
    <details className="effect">
      <summary className="row wrap cursor-pointer gap-x-2">
        <span className="faint mono sm">{look.position + 1}</span>
        <span className="trunc grow">{look.input}</span>
        <span className="sm nw">
          {before ? formatScore(before.score) : '–'} → {after ? formatScore(after.score) : 'not tried'}
        </span>
        <ChangeBadge change={changeOf(look, effect)} />
      </summary>
      <div className="stack gap-2 py-2">
        <p className="quote whitespace-pre-wrap wrap-anywhere">{look.input}</p>
        {look.reference === null ? null : (
          <p className="sm muted wrap-anywhere">
            {isShown ? 'Reference, shown to the reflection model: ' : 'Reference, never shown to models: '}
            <b className="md5">{look.reference}</b>
          </p>
        )}
        {before && after ? (
          <DiffView
            before={before.output}
            after={after.output}
            layout="unified"
            label={`Case ${look.position + 1}: output of v${effect.parent} and of v${effect.version}`}
          />
        ) : before ? (
          <>
            <span className="lbl">Output of v{effect.parent}</span>
            <pre className="plain">{before.output}</pre>
          </>
        ) : null}
        {before?.feedback ? (
          <p className="sm muted wrap-anywhere">
            Said of v{effect.parent}: {before.feedback}
          </p>
        ) : null}
      </div>
    </details>
  );
}

function changeOf(look: CaseLook, effect: ProposalEffect) {
  const [before, after] = triesOf(look, effect);
  return caseChange(cellOf(before), cellOf(after));
}

function cellOf(tried: LookedTry | undefined) {
  return tried === undefined ? undefined : { score: tried.score, isGood: tried.satisfactory };
}

function triesOf(
  { tries }: CaseLook,
  { parent, version }: ProposalEffect,
): [LookedTry | undefined, LookedTry | undefined] {
  return [tries.find((one) => one.version === parent), tries.find((one) => one.version === version)];
}
