'use client';

import { useState } from 'react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, FieldGrid, Input, Select } from '#components/ui/field.tsx';
import { type HeaderDraft, headersOf, StoredHeaderFields } from '#components/ui/header-fields.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { StoredInput } from '#components/ui/stored-input.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { type StoredField, savedAll, storedFieldError, useStoredField } from '#components/ui/use-stored-field.ts';
import { baseUrlOf } from '#lib/providers/provider-configuration.ts';
import {
  PROVIDER_DEFINITIONS,
  PROVIDER_OPTIONS,
  type ProviderOption,
  type ProviderOptions,
} from '#lib/providers/provider-kinds.ts';
import { OptionFields } from './option-fields.tsx';
import { changeProvider, type ShownProvider } from './shown-provider.ts';

type ProviderSettingsProps = {
  provider: ShownProvider;
  /** True if the page was opened to enter the key. */
  isKeyAsked: boolean;
  /** Called after the key or URL changed, which invalidates the last test. */
  onMoved: () => void;
};

const FIELDS = [
  ...['apiKey', 'baseUrl', 'maxConcurrency', 'maxRequestsPerMinute', 'timeoutSeconds', 'toolsBy'],
  ...PROVIDER_OPTIONS.map((name) => `options.${name}`),
];

const isInForm = (field: string) => FIELDS.includes(field) || field.startsWith('headers.');

const TOOL_FORMATS: Record<string, string> = {
  '': 'detect automatically',
  native: 'native tool calls',
  prompt: 'described in the prompt',
};

/** Edits the key, URL, limits and tool format of a provider. The key field starts empty, because stored keys are never shown. */
export function ProviderSettings({ provider, isKeyAsked, onMoved }: ProviderSettingsProps) {
  const toast = useToast();
  const draft = useProviderDraft(provider);
  const { apiKey, headers, baseUrlField, optionsField, limit, rate, timeout, toolsBy } = draft;
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was saved.', {
    refreshes: 'always',
  });
  const { kind } = provider;
  const { baseUrl: fixedUrl, baseUrlFrom, fields } = PROVIDER_DEFINITIONS[kind];
  const ownUrl = fixedUrl === null ? baseUrlFrom?.(optionsField.options) : 'default of the provider';
  const hasHeaders = provider.headers.length > 0;
  const errorOf = (name: string, field: StoredField<string>, stored?: string) =>
    storedFieldError(field, errorAt(name), problem, stored);

  function send() {
    submit(changeProvider(provider.name, draft.request), () => {
      draft.saved();
      toast(`Saved ${provider.name}`);
      if (draft.isMoved || apiKey !== '') onMoved();
    });
  }

  return (
    <RoleGate needs="owner">
      <SubmitForm className="flex flex-col gap-4" onSubmit={send}>
        <FieldGrid>
          <Field
            label="New key"
            help="Stored encrypted. Only the last four characters are shown again."
            error={errorAt('apiKey')}
          >
            <Input
              type="password"
              value={apiKey}
              autoFocus={isKeyAsked}
              placeholder={provider.keyLastFour ? `replaces the key ending in ${provider.keyLastFour}` : ''}
              onValue={draft.setApiKey}
            />
          </Field>
          <StoredInput
            label="Base URL"
            help={`Changing the URL deletes the stored key${hasHeaders ? ' and headers' : ''}.`}
            error={errorOf('baseUrl', baseUrlField)}
            field={baseUrlField}
            inputMode="url"
            placeholder={ownUrl ?? ''}
          />
        </FieldGrid>
        {fields === undefined ? null : (
          <FieldGrid>
            <OptionFields
              kind={kind}
              options={optionsField.options}
              errorOf={(name) => errorOf(`options.${name}`, optionsField.fields[name])}
              onChange={optionsField.setOption}
            />
          </FieldGrid>
        )}
        {draft.isMoved && apiKey === '' && provider.hasKey ? (
          <LostKeyNotice provider={provider} losesHeaders={headers === null && hasHeaders} />
        ) : null}
        <FieldGrid>
          <StoredInput
            label="Concurrent calls"
            help="1 to 1,000. Leave empty for no limit."
            error={errorOf('maxConcurrency', limit)}
            field={limit}
            numeric
          />
          <StoredInput
            label="Calls per minute"
            help="1 to 100,000, evenly spaced. Leave empty for no limit."
            error={errorOf('maxRequestsPerMinute', rate)}
            field={rate}
            numeric
          />
          <StoredInput
            label="Timeout (seconds)"
            help="1 to 3,600, default 300."
            error={errorOf('timeoutSeconds', timeout)}
            field={timeout}
            numeric
          />
          <Field
            label="Tools"
            help="How models receive the tools of an agent"
            error={errorOf('toolsBy', toolsBy, TOOL_FORMATS[toolsBy.stored] ?? '')}
          >
            <Select value={toolsBy.value} onValue={toolsBy.setValue}>
              <Options of={Object.entries(TOOL_FORMATS)} />
            </Select>
          </Field>
        </FieldGrid>
        <StoredHeaderFields
          stored={provider.headers}
          headers={headers}
          errorOf={(header) => errorAt(`headers.${header}`)}
          onChange={draft.setHeaders}
        />
        {problem && !isInForm(problem.field ?? '') ? <InlineError>{problem.message}</InlineError> : null}
        <div>
          <Button type="submit" disabled={isBusy || !draft.isChanged}>
            {isBusy ? 'Saving' : 'Save'}
          </Button>
        </div>
      </SubmitForm>
    </RoleGate>
  );
}

/** State of the form. `request` contains what was changed. */
function useProviderDraft(provider: ShownProvider) {
  const [apiKey, setApiKey] = useState('');
  const [headers, setHeaders] = useState<HeaderDraft[] | null>(null);
  const hasSecrets = apiKey !== '' || headers !== null;
  // A key or header is entered for the URL shown, so the URL must not change unnoticed.
  const baseUrlField = useStoredField(provider.baseUrl ?? '', hasSecrets);
  const optionsField = useProviderOptions(provider.options, hasSecrets);
  const limit = useStoredField(String(provider.maxConcurrency ?? ''));
  const rate = useStoredField(String(provider.maxRequestsPerMinute ?? ''));
  const timeout = useStoredField(String(provider.timeoutSeconds ?? ''));
  const toolsBy = useStoredField<string>(provider.toolsBy ?? '');
  const baseUrl = baseUrlField.value.trim() || null;
  const { options } = optionsField;
  const isMoved =
    baseUrl !== provider.baseUrl || baseUrlOf({ kind: provider.kind, baseUrl, options }) !== baseUrlOf(provider);
  const changes = {
    ...(baseUrl === provider.baseUrl ? {} : { baseUrl }),
    ...(optionsField.isChanged ? { options, seenOptions: provider.options } : {}),
    ...(headers === null ? {} : { headers: headersOf(headers) }),
    ...(apiKey === '' ? {} : { apiKey }),
    ...changedNumber('maxConcurrency', limit),
    ...changedNumber('maxRequestsPerMinute', rate),
    ...changedNumber('timeoutSeconds', timeout),
    ...(toolsBy.isChanged ? { toolsBy: toolsBy.value || null } : {}),
  };
  return {
    ...{ apiKey, setApiKey, headers, setHeaders, baseUrlField, optionsField, limit, rate, timeout, toolsBy, isMoved },
    isChanged: Object.keys(changes).length > 0,
    request: { ...(isMoved || hasSecrets ? { seenBaseUrl: baseUrlOf(provider) } : {}), ...changes },
    saved: () => {
      setApiKey('');
      setHeaders(null);
      for (const { saved } of [baseUrlField, optionsField, limit, rate, timeout, toolsBy]) saved();
    },
  };
}

/** Shown if saving a new URL deletes the key. */
function LostKeyNotice({ provider, losesHeaders }: { provider: ShownProvider; losesHeaders: boolean }) {
  return (
    <Notice
      tone="wait"
      title={
        provider.source === 'environment'
          ? 'The key from the environment will not be used'
          : `Saving deletes the stored key${losesHeaders ? ' and headers' : ''}`
      }
    >
      A key is only sent to the base URL it was saved with ({provider.baseUrl ?? 'the default of the provider'}). To use
      it with the new URL, enter it again above.
    </Notice>
  );
}

/** Returns the typed number if it was changed, by the name of its setting. Null for an empty field. */
function changedNumber(name: string, { value, isChanged }: StoredField<string>) {
  return isChanged ? { [name]: parseNumberEntry(value) } : {};
}

/**
 * Edits the options of a provider. `options` contains the non-empty ones, as they are stored. Options that were not edited follow what
 * other owners save.
 */
export function useProviderOptions(stored: ProviderOptions, isHeld: boolean) {
  const fields = {
    resourceName: useStoredField(stored.resourceName ?? '', isHeld),
    apiVersion: useStoredField(stored.apiVersion ?? '', isHeld),
    region: useStoredField(stored.region ?? '', isHeld),
    accessKeyId: useStoredField(stored.accessKeyId ?? '', isHeld),
    project: useStoredField(stored.project ?? '', isHeld),
    location: useStoredField(stored.location ?? '', isHeld),
    api: useStoredField(stored.api ?? '', isHeld),
    query: useStoredField(stored.query ?? '', isHeld),
  } satisfies Record<ProviderOption, unknown>;
  const options: ProviderOptions = Object.fromEntries(
    PROVIDER_OPTIONS.flatMap((name) => (fields[name].value.trim() === '' ? [] : [[name, fields[name].value]])),
  );
  return {
    fields,
    options,
    setOption: (name: ProviderOption, value: string) => fields[name].setValue(value),
    isChanged: Object.values(fields).some(({ isChanged }) => isChanged),
    saved: savedAll(fields),
  };
}
