'use client';

import { type FormEvent, useEffect, useState } from 'react';
import { problemAt } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Problem } from '#lib/core/problem.ts';
import { isGuarded, labelEvaluationLabel } from '#lib/prompts/evaluation-schema.ts';
import { USUAL_LABELS } from '#lib/prompts/prompt-labels.ts';
import type { LabelEvaluation, PromptLabel, PromptVersion } from '#lib/prompts/schema.ts';
import type { LabelActions, LabelMover } from './use-label-moves.ts';

type MoveLabelFormProps = {
  name: string;
  versions: readonly PromptVersion[];
  labels: readonly PromptLabel[];
  /** The version that is chosen at first. */
  version: number;
  actions: LabelActions;
  mover: LabelMover;
  onMoved: () => void;
};

const OWN = ' own';

/** Puts a label on a version. For production it says first what the held-out cases say, and asks for a reason where they speak against it. */
export function MoveLabelForm({ name, versions, labels, version: first, actions, mover, onMoved }: MoveLabelFormProps) {
  const offered = [...new Set([...USUAL_LABELS, ...labels.map(({ label }) => label)])];
  const [choice, setChoice] = useState(offered[0] ?? OWN);
  const [own, setOwn] = useState('');
  const [version, setVersion] = useState(first);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const { isBusy, send } = mover;
  const label = choice === OWN ? own.trim() : choice;
  const from = labels.find((one) => one.label === label)?.version ?? null;
  const proof = useProof({ name, version, against: isGuarded(label) ? from : null, prove: actions.prove });
  const isThere = from === version;
  const isLosing = proof !== null && proof !== 'asked' && proof.verdict === 'loses';

  function submit(event: FormEvent) {
    event.preventDefault();
    setProblem(null);
    send(
      () => actions.move(name, label, { version, reason, from }),
      setProblem,
      () => {
        setReason('');
        onMoved();
      },
    );
  }

  const errorAt = (field: string) => problemAt(problem, field);
  return (
    <form className="flex flex-col gap-3" onSubmit={submit} noValidate>
      <div className="flex flex-wrap items-start gap-2">
        <Field label="Label" error={choice === OWN ? null : errorAt('label')} className="flex-[1_1_9rem]">
          <Select value={choice} onChange={(event) => setChoice(event.target.value)}>
            {offered.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
            <option value={OWN}>custom label</option>
          </Select>
        </Field>
        {choice === OWN ? (
          <Field label="Label name" error={errorAt('label')} className="flex-[1_1_9rem]">
            <Input value={own} maxLength={40} onChange={(event) => setOwn(event.target.value)} />
          </Field>
        ) : null}
        <Field label="Version" error={errorAt('version')} className="flex-[2_1_12rem]">
          <Select value={version} onChange={(event) => setVersion(Number(event.target.value))}>
            {versions.map(({ number, message }) => (
              <option key={number} value={number}>
                v{number} {message.slice(0, 60)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <p className="text-ink-2 text-sm" role="status">
        {label === '' ? '' : from === null ? `${label} is not on a version yet.` : `${label} is on v${from}.`}
        {isThere ? ' Choose another version.' : ''}
        {proof === 'asked' ? ' Loading the result on held-out cases.' : ''}
      </p>
      {proof === null || proof === 'asked' || isThere ? null : (
        <Notice tone={isLosing ? 'worse' : 'default'} title={labelEvaluationLabel(proof)}>
          {isLosing ? 'Enter a reason to move the label anyway.' : null}
        </Notice>
      )}
      <Field
        label="Reason"
        help={isLosing ? 'Required. Saved with the move.' : 'Optional. Saved with the move.'}
        error={errorAt('reason')}
      >
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
      {problem !== null && !['label', 'version', 'reason'].includes(problem.field ?? '') ? (
        <Notice tone="worse" alert title={problem.message} />
      ) : null}
      <div>
        <Button type="submit" variant="primary" disabled={isBusy || isThere}>
          {isBusy ? 'Moving' : from === null ? `Add to v${version}` : `Move to v${version}`}
        </Button>
      </div>
    </form>
  );
}

type Asked = { name: string; version: number; against: number | null; prove: LabelActions['prove'] };

/** What the held-out cases say; null where there is nothing to compare with, or it could not be looked up. */
function useProof({ name, version, against, prove }: Asked): LabelEvaluation | 'asked' | null {
  const [proof, setProof] = useState<LabelEvaluation | 'asked' | null>(null);
  useEffect(() => {
    if (against === null || against === version) return setProof(null);
    setProof('asked');
    let isLate = false;
    prove(name, { version, against })
      .then((result) => !isLate && setProof(result.ok ? result.value : null))
      // The move itself is checked once more, and says what is wrong.
      .catch(() => !isLate && setProof(null));
    return () => {
      isLate = true;
    };
  }, [name, version, against, prove]);
  return proof;
}
