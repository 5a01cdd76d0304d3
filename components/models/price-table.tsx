'use client';

import { Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Combobox } from '#components/ui/combobox.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatNumberOf } from '#lib/format.ts';
import {
  changedPrices,
  type PriceChange,
  type PriceDraft,
  priceKey,
  refusedPrice,
  type ShownPrice,
  storedDraft,
  unsavedDrafts,
} from './price-draft.ts';

type PriceTableProps = {
  prices: readonly ShownPrice[];
  /** Stored and environment providers, with the models they list. */
  providers: readonly { name: string; models: readonly string[] }[];
};

/** Table of model prices: public ones, and custom ones that override them. */
export function PriceTable({ prices, providers }: PriceTableProps) {
  const toast = useToast();
  const [added, setAdded] = useState<ShownPrice[]>([]);
  const [drafts, setDrafts] = useState<Record<string, PriceDraft>>({});
  const [sent, setSent] = useState<PriceChange[]>([]);
  const { isBusy, problem, setProblem, submit } = useSubmit('Hone did not respond. Nothing was saved.');
  const known = new Set(prices.map(priceKey));
  const rows = [...prices, ...added.filter((row) => !known.has(priceKey(row)))];
  const changes = changedPrices(rows, drafts);
  const refused = refusedPrice(sent, problem?.field);

  function send() {
    setSent(changes);
    submit(submitApi('PATCH /api/v1/prices', { body: { prices: changes } }), () => {
      setDrafts((current) => unsavedDrafts(current, drafts));
      toast(`Saved ${formatNumberOf(changes.length, 'price')}`);
    });
  }

  return (
    <section className="min-w-0" aria-labelledby="prices">
      <Pane className="border-b-0 pb-1">
        <PaneHeader titleId="prices" title="Prices" note="$ per million tokens" className="m-0" />
        <p className="text-ink-2 text-sm">
          Hone includes public prices. Your prices take priority. Clear a field to use the public price. Cost budgets do
          not apply to models without a price.
        </p>
      </Pane>
      <RoleGate needs="owner">
        <SubmitForm onSubmit={send} aria-label="Prices">
          <Table scrollLabel="Prices" isInset>
            <TableHead>
              <ColumnHead>Model</ColumnHead>
              <NumberHead>Input</NumberHead>
              <NumberHead className="max-narrow:pr-4">Output</NumberHead>
              <ColumnHead className="max-narrow:hidden">Price from</ColumnHead>
            </TableHead>
            <tbody>
              {rows.map((row) => {
                const key = priceKey(row);
                const draft = drafts[key] ?? storedDraft(row);
                const set = (change: Partial<PriceDraft>) =>
                  setDrafts((current) => ({ ...current, [key]: { ...draft, ...change } }));
                const fixed = row.list?.from === 'practice';
                return (
                  <tr key={key}>
                    <td className="min-w-32">
                      <span className="wrap-anywhere font-mono text-ink text-sm">{row.model}</span>
                      <br />
                      <span className="text-ink-3 text-sm">{row.provider}</span>
                      <div className="narrow:hidden text-sm">
                        <PriceSource price={row} />
                      </div>
                    </td>
                    {(['input', 'output'] as const).map((part) => (
                      <NumberCell key={part} className={part === 'output' ? 'max-narrow:pr-4' : undefined}>
                        {fixed ? (
                          listed(row, part)
                        ) : (
                          <Input
                            numeric
                            className="w-20"
                            aria-label={`${part === 'input' ? 'Input' : 'Output'} price of ${row.model}, ${row.provider}`}
                            aria-invalid={refused?.key === key && refused.part === part ? true : undefined}
                            placeholder={listed(row, part)}
                            value={draft[part]}
                            onValue={(value) => set({ [part]: value })}
                          />
                        )}
                      </NumberCell>
                    ))}
                    <td className="text-sm max-narrow:hidden">
                      <PriceSource price={row} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </Table>
          <div className="flex flex-col gap-3 px-6 py-3 max-[760px]:px-4">
            {problem === null ? null : (
              <InlineError>
                {refused === null ? '' : `${refused.model}: `}
                {problemLabel(problem.message)}
              </InlineError>
            )}
            {changes.length > 0 ? (
              <div className="flex flex-wrap items-center gap-2">
                <Button type="submit" disabled={isBusy}>
                  {isBusy ? 'Saving' : `Save ${formatNumberOf(changes.length, 'price')}`}
                </Button>
                <Button
                  variant="ghost"
                  onClick={() => {
                    setDrafts({});
                    setProblem(null);
                  }}
                >
                  Undo
                </Button>
              </div>
            ) : null}
          </div>
        </SubmitForm>
      </RoleGate>
      {providers.length > 0 ? (
        <AddPrice
          providers={providers}
          add={(row) => setAdded((all) => [...all, { ...row, own: null, list: null, isNew: true }])}
        />
      ) : null}
    </section>
  );
}

/** Replaces request paths in an error message by the field labels of the page. */
function problemLabel(message: string): string {
  return message
    .replace(/^prices\.\d+\.(price\.)?/, '')
    .replace('inputPerMillionUsd', 'the input price')
    .replace('outputPerMillionUsd', 'the output price');
}

function listed({ list }: ShownPrice, part: 'input' | 'output'): string {
  if (list === null) return '';
  const price = part === 'input' ? list.inputPerMillionUsd : list.outputPerMillionUsd;
  return price < 0.1 ? String(price) : price.toFixed(2);
}

/** Shows the source of a price, or the effect of a missing one. */
function PriceSource({ price: { own, list, isNew = false } }: { price: ShownPrice }) {
  if (own !== null) {
    const isFree = own.inputPerMillionUsd === 0 && own.outputPerMillionUsd === 0;
    return <span className="text-ink-2">{isFree ? 'custom: free' : 'yours'}</span>;
  }
  if (isNew) return <span className="text-ink-2">enter both, then save</span>;
  if (list === null)
    return (
      <span className="whitespace-nowrap font-semibold text-wait">
        <TriangleAlert /> no price
      </span>
    );
  if (list.from === 'practice') return <span className="text-ink-2">practice price</span>;
  return (
    <span className="text-ink-2">
      {list.url === null ? (
        `${list.from}’s list`
      ) : (
        <a className="link" href={list.url} target="_blank" rel="noreferrer">
          {list.from}’s list
        </a>
      )}
      {list.tiered ? ', more for long prompts' : ''}
    </span>
  );
}

type AddPriceProps = {
  providers: readonly { name: string; models: readonly string[] }[];
  add: (row: { provider: string; model: string }) => void;
};

/** Adds an unused model to the price table. */
function AddPrice({ providers, add }: AddPriceProps) {
  const [provider, setProvider] = useState(providers[0]?.name ?? '');
  const [model, setModel] = useState('');
  const listed = providers.find(({ name }) => name === provider)?.models ?? [];
  return (
    <RoleGate needs="owner" isSilent>
      <SubmitForm
        className="flex flex-wrap items-end gap-2 px-6 pb-4 max-[760px]:px-4"
        aria-label="Another model"
        onSubmit={() => {
          if (model.trim() === '') return;
          add({ provider, model: model.trim() });
          setModel('');
        }}
      >
        <Field label="Provider" className="min-w-0">
          <Select value={provider} onValue={setProvider}>
            <Options of={providers.map(({ name }) => name)} />
          </Select>
        </Field>
        <Field label="Model" className="min-w-0 flex-[1_1_10rem]">
          <Combobox value={model} options={listed} onChange={setModel} />
        </Field>
        <Button type="submit" disabled={model.trim() === ''}>
          <Plus />
          Add model
        </Button>
      </SubmitForm>
    </RoleGate>
  );
}
