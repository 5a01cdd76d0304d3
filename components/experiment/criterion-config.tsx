'use client';

import type { ReactNode } from 'react';
import { RoleTextLink } from '#components/access/role-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { CodeEditor } from '#components/ui/code-editor.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { OpeningDetails } from '#components/ui/fold-section.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import type { ConfigEntries, ConfigField } from '#lib/core/criteria/definition.ts';
import { criterionDefinition, runsPython } from '#lib/core/criterion.ts';
import type { EvaluatorKind } from '#lib/core/criterion-schema.ts';
import { type CriterionDraft, entriesOf, withEntry } from './criterion-draft.ts';
import { ItemsEditor } from './items-editor.tsx';
import { PromptWarning } from './prompt-warning.tsx';

type CriterionConfigProps = {
  criterion: CriterionDraft;
  /** Path of the criterion in the request: `criteria.0`. */
  path: string;
  /** Names of the installation's webhooks. */
  webhooks: readonly string[];
  /** True if an owner has enabled Python. */
  isPythonOn: boolean;
  /** Returns the error of a field, by its path within the criterion: `config.pattern`. */
  errorAt: (field: string) => string | null;
  onChange: (changes: Partial<CriterionDraft>) => void;
};

/** Additional help below the fields of an evaluator that needs more than a paragraph. */
const DETAILS: { [Kind in EvaluatorKind]?: () => ReactNode } = { function: FunctionResults };

/** Edits the fields of the criterion's evaluator, generated from its definition. */
export function CriterionConfig({ criterion, path, webhooks, isPythonOn, errorAt, onChange }: CriterionConfigProps) {
  const { fields, note } = criterionDefinition(criterion.evaluator);
  const entries = entriesOf(criterion);
  const Details = DETAILS[criterion.evaluator];
  return (
    <>
      {runsPython(criterion) && !isPythonOn ? <PythonIsOff /> : null}
      {rowsOf(fields, entries).map(({ columns, keys }) => {
        const controls = keys.map(([key, field]) => (
          <ConfigControl
            key={`${criterion.evaluator}.${key}`}
            field={field}
            path={`${path}.config.${key}`}
            entry={entries[key] ?? ''}
            entries={entries}
            webhooks={webhooks}
            errorAt={(item) => errorAt(item === null ? `config.${key}` : `config.${key}.${item}`)}
            onChange={(entry) => onChange(withEntry(criterion, key, entry))}
          />
        ));
        return columns === undefined ? (
          controls
        ) : (
          <div key={keys[0]?.[0]} className={`grid grid-cols-1 gap-4 ${COLUMNS[columns]}`}>
            {controls}
          </div>
        );
      })}
      {note ? <p className="text-ink-2 text-sm">{withCode(note(entries))}</p> : null}
      {Details ? <Details /> : null}
    </>
  );
}

const COLUMNS = { 2: 'narrow:grid-cols-2', 3: 'narrow:grid-cols-3' };

type Row = { columns: ConfigField['columns']; keys: (readonly [string, ConfigField])[] };

/** Returns the visible fields, grouped into rows. */
function rowsOf(fields: Readonly<Record<string, ConfigField>>, entries: ConfigEntries): Row[] {
  const rows: Row[] = [];
  for (const [key, field] of Object.entries(fields)) {
    if (field.isShown?.(entries) === false) continue;
    const last = rows.at(-1);
    if (last !== undefined && last.columns === field.columns) last.keys.push([key, field]);
    else rows.push({ columns: field.columns, keys: [[key, field]] });
  }
  return rows;
}

type ConfigControlProps = {
  field: ConfigField;
  /** Path of the value in the request. */
  path: string;
  entry: string | boolean;
  entries: ConfigEntries;
  webhooks: readonly string[];
  /** Returns the error of the value, or of one list item. Items count from 0 and exclude empty ones. */
  errorAt: (item: number | null) => string | null;
  onChange: (entry: string | boolean) => void;
};

function ConfigControl({ field, path, entry, entries, webhooks, errorAt, onChange }: ConfigControlProps) {
  const { label } = field;
  const help = field.help && withCode(field.help);
  const error = errorAt(null);
  const text = String(entry);
  const inField = (control: ReactNode) => (
    <Field label={label} help={help} error={error} path={path}>
      {control}
    </Field>
  );
  switch (field.type) {
    case 'text':
      return inField(<Input spellCheck={false} value={text} onValue={onChange} />);
    case 'number':
      return inField(<Input numeric value={text} onValue={onChange} />);
    case 'textarea': {
      const { rows, forJudge, foldedUnder } = field;
      const isFolded = foldedUnder !== undefined;
      const control = (
        <>
          <Field
            label={label}
            hideLabel={isFolded}
            className={isFolded ? 'mt-2' : undefined}
            help={help}
            error={error}
            path={path}
          >
            <Textarea rows={rows} value={text} onValue={onChange} />
          </Field>
          {forJudge ? <PromptWarning text={text} reader="judge" /> : null}
        </>
      );
      if (!isFolded) return control;
      return (
        <OpeningDetails isOpen={text !== '' || error !== null} title={foldedUnder}>
          {control}
        </OpeningDetails>
      );
    }
    case 'select': {
      const { options, emptyLabel } = field;
      return (
        <Field label={label} help={options.find(({ value }) => value === text)?.help ?? help} error={error} path={path}>
          <Select value={text} onValue={onChange}>
            {emptyLabel ? <option value="">{emptyLabel(entries)}</option> : null}
            <Options of={options.map((option) => [option.value, option.label])} />
          </Select>
        </Field>
      );
    }
    case 'checkbox':
      return (
        <CheckboxField
          label={label}
          help={help}
          checked={entry === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case 'code':
    case 'json': {
      const { examples } = field;
      return (
        <>
          {inField(
            <CodeEditor
              language={field.type === 'json' ? 'json' : field.language}
              value={text}
              example={examples[0]?.code ?? ''}
              onChange={onChange}
            />,
          )}
          <CodeExamples examples={examples} onUse={onChange} />
        </>
      );
    }
    case 'list':
      return <ListControl field={field} text={text} errorAt={errorAt} onChange={onChange} />;
    case 'webhook':
      return (
        <Field label={label} help={<WebhookHelp hasWebhooks={webhooks.length > 0} />} error={error}>
          <Select value={text} onValue={onChange}>
            <option value="">choose one</option>
            {text !== '' && !webhooks.includes(text) ? <option value={text}>{text} (deleted)</option> : null}
            <Options of={webhooks} />
          </Select>
        </Field>
      );
  }
}

type ListControlProps = Pick<ConfigControlProps, 'errorAt' | 'onChange'> & {
  field: Extract<ConfigField, { type: 'list' }>;
  /** The items, one per line. */
  text: string;
};

function ListControl({ field, text, errorAt, onChange }: ListControlProps) {
  const items = text.split('\n');
  // Empty items are not sent, so error indexes exclude them.
  const positionOf = (index: number) => items.slice(0, index).filter((item) => item.trim() !== '').length;
  return (
    <>
      <ItemsEditor
        label={field.label}
        help={field.help ?? ''}
        example={field.example}
        items={items}
        error={errorAt(null)}
        errorOf={(index) => (items[index]?.trim() ? errorAt(positionOf(index)) : null)}
        onChange={(next) => onChange(next.join('\n'))}
      />
      {field.forJudge ? <PromptWarning text={text} reader="judge" /> : null}
    </>
  );
}

function WebhookHelp({ hasWebhooks }: { hasWebhooks: boolean }) {
  return (
    <>
      {hasWebhooks ? null : 'There are no webhooks yet. '}An owner adds webhooks under{' '}
      <RoleTextLink needs="owner" href="/settings#webhooks">
        Settings
      </RoleTextLink>
      .
    </>
  );
}

/** Renders text in backticks as code. */
function withCode(text: string): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a constant text keep their order
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}

function PythonIsOff() {
  return (
    <Notice tone="person" title="Python is turned off">
      Runs of this experiment cannot start until an owner turns it on under{' '}
      <RoleTextLink needs="owner" href="/settings#python">
        Settings
      </RoleTextLink>
      .
    </Notice>
  );
}

function FunctionResults() {
  return (
    <details>
      <summary className="cursor-pointer text-ink-2 text-sm">Allowed return values</summary>
      <ul className="mt-1 list-disc pl-5 text-ink-2 text-sm">
        <li>
          a score from <code>0</code> to <code>1</code>, or <code>true</code> or <code>false</code>
        </li>
        <li>
          <code>[passed, message]</code>, where passed can also be a score
        </li>
        <li>
          <code>{'{ score, message, issues, suggestions }'}</code>, where issues and suggestions are lists of strings
        </li>
        <li>any other value, or an error, leaves the criterion unscored</li>
      </ul>
      <p className="mt-1 text-ink-2 text-sm">
        Models receive the message, issues and suggestions. Texts that quote the reference are shown only to people.
      </p>
    </details>
  );
}

type CodeExamplesProps = {
  examples: readonly { name: string; code: string }[];
  onUse: (code: string) => void;
};

/** Buttons that replace the editor content with an example. Undo in the editor restores the previous content. */
function CodeExamples({ examples, onUse }: CodeExamplesProps) {
  return (
    <div className="flex flex-wrap items-center gap-1">
      <span className="text-ink-2 text-sm">{examples.length === 1 ? 'Example:' : 'Examples:'}</span>
      {examples.map(({ name, code }) => (
        <Button
          key={name}
          size="small"
          aria-label={`Insert example: ${name}`}
          title="Replaces the current code. You can undo this."
          onClick={() => onUse(code)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
