'use client';

import type { CriterionConfigProps } from './criterion-config-props.ts';
import { ItemsEditor } from './items-editor.tsx';
import { PromptWarning } from './prompt-warning.tsx';

/** The items that a judging model answers with yes or no. */
export function CriterionConfigChecklist({ criterion, errorAt, onChange }: CriterionConfigProps) {
  const items = criterion.items.split('\n');
  // Empty items are not sent, so places in an answer count only the others.
  const placeOf = (index: number) => items.slice(0, index).filter((item) => item.trim() !== '').length;
  return (
    <>
      <ItemsEditor
        label="Item"
        help="1 to 50, each judged with yes or no; the score is the share of yes. Empty ones are left out. Items may hold {{input}}, {{output}}, {{reference}} and {{metadata.name}}."
        example="Gives an example that can be run"
        items={items}
        error={errorAt('config.items')}
        errorOf={(index) => (items[index]?.trim() ? errorAt(`config.items.${placeOf(index)}`) : null)}
        onChange={(next) => onChange({ items: next.join('\n') })}
      />
      <PromptWarning text={criterion.items} reader="judge" />
    </>
  );
}
