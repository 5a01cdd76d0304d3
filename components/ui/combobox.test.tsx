import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Combobox } from './combobox.tsx';
import { CLOSED, type ComboboxState, matchingOptions, stateAfterKey } from './combobox-state.ts';
import { Field } from './field.tsx';

const MODELS = ['gpt-5', 'gpt-5-mini', 'claude-opus'];

describe('options', () => {
  test.each([
    ['all, before anything is typed', null, MODELS],
    ['all, for an empty text', ' ', MODELS],
    ['those that contain the text, ignoring case', 'GPT', ['gpt-5', 'gpt-5-mini']],
    ['none, for another text', 'llama', []],
  ])('%s', (_name, filter, expected) => {
    expect(matchingOptions(MODELS, filter)).toEqual(expected);
  });
});

describe('keys', () => {
  const open = (active: number | null): ComboboxState => ({ isOpen: true, filter: null, active });
  const shown = { count: 3, current: 1 };
  test.each<[string, string, ComboboxState, { state: ComboboxState; chosen: number | null } | null]>([
    ['opens at the value', 'ArrowDown', CLOSED, { state: open(1), chosen: null }],
    ['opens at the value, upwards', 'ArrowUp', CLOSED, { state: open(1), chosen: null }],
    ['starts at the value', 'ArrowDown', open(null), { state: open(1), chosen: null }],
    ['marks the next one', 'ArrowDown', open(1), { state: open(2), chosen: null }],
    ['continues at the first one', 'ArrowDown', open(2), { state: open(0), chosen: null }],
    ['continues at the last one', 'ArrowUp', open(0), { state: open(2), chosen: null }],
    ['marks the first one', 'Home', open(2), { state: open(0), chosen: null }],
    ['marks the last one', 'End', open(0), { state: open(2), chosen: null }],
    ['moves the cursor if none is marked', 'Home', open(null), null],
    ['moves the cursor of a closed field', 'End', CLOSED, null],
    ['chooses the marked one', 'Enter', open(2), { state: CLOSED, chosen: 2 }],
    ['submits the form if none is marked', 'Enter', open(null), null],
    ['submits the form of a closed field', 'Enter', CLOSED, null],
    ['closes the list', 'Escape', open(2), { state: CLOSED, chosen: null }],
    ['closes the dialog of a closed field', 'Escape', CLOSED, null],
    ['types', 'g', open(1), null],
  ])('%s: %s', (_name, key, state, expected) => {
    expect(stateAfterKey(state, { key, altKey: false, isComposing: false }, shown)).toEqual(expected);
  });

  test.each(['ArrowDown', 'Enter', 'Escape'])('%s belongs to an input method that is composing', (key) => {
    expect(stateAfterKey(open(1), { key, altKey: false, isComposing: true }, shown)).toBeNull();
  });

  test('a marked option that is no longer in the list is not chosen', () => {
    const enter = { key: 'Enter', altKey: false, isComposing: false };
    expect(stateAfterKey(open(5), enter, shown)).toBeNull();
    expect(stateAfterKey(open(5), { ...enter, key: 'ArrowDown' }, shown)?.state.active).toBe(1);
  });

  test('start at an edge if the value is not an option', () => {
    const next = (key: string) =>
      stateAfterKey(CLOSED, { key, altKey: false, isComposing: false }, { count: 3, current: -1 })?.state.active;
    expect([next('ArrowDown'), next('ArrowUp')]).toEqual([0, 2]);
  });
});

test('the field is a closed combobox without a list', () => {
  const html = renderToStaticMarkup(
    <Field label="Model">
      <Combobox value="gpt-5" options={MODELS} onChange={() => undefined} />
    </Field>,
  );
  expect(html).toMatch(/<input[^>]* role="combobox"[^>]* aria-expanded="false"/);
  expect(html).not.toContain('listbox');
});
