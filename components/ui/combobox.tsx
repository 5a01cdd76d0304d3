'use client';

import { Check } from 'lucide-react';
import { type ComponentProps, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { CLOSED, type ComboboxState, matchingOptions, stateAfterKey } from './combobox-state.ts';
import { Input, useFieldIds } from './field.tsx';

type ComboboxProps = Pick<ComponentProps<'input'>, 'className' | 'name' | 'placeholder' | 'aria-label'> & {
  value: string;
  /** Suggestions. Any other text is allowed too. */
  options: readonly string[];
  onChange: (value: string) => void;
};

/** Text field with suggestions. Opening it shows all of them, typing filters them. */
export function Combobox({ value, options, onChange, className, ...props }: ComboboxProps) {
  const id = useId();
  const labelId = useFieldIds()?.label;
  const field = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<ComboboxState>(CLOSED);
  const shown = matchingOptions(options, state.filter);
  const isOpen = state.isOpen && shown.length > 0;
  const optionId = (index: number) => `${id}-${index}`;
  const open = () => setState({ ...CLOSED, isOpen: true });

  function choose(option: string | undefined) {
    setState(CLOSED);
    if (option !== undefined) onChange(option);
  }

  return (
    <div ref={field} className={classNames('relative w-full', className)}>
      <Input
        {...props}
        className="pr-7"
        value={value}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={
          isOpen && state.active !== null && state.active < shown.length ? optionId(state.active) : undefined
        }
        onValue={(value) => {
          onChange(value);
          setState({ isOpen: true, filter: value, active: null });
        }}
        onClick={() => {
          if (!isOpen) open();
        }}
        onBlur={() => setState(CLOSED)}
        onKeyDown={(event) => {
          const next = stateAfterKey({ ...state, isOpen }, event.nativeEvent, {
            count: shown.length,
            current: shown.indexOf(value),
          });
          if (next === null)
            return event.key === 'Enter' && !event.nativeEvent.isComposing ? setState(CLOSED) : undefined;
          event.preventDefault();
          event.stopPropagation();
          setState(next.state);
          if (next.chosen !== null) choose(shown[next.chosen]);
        }}
      />
      {options.length === 0 ? null : (
        <button
          type="button"
          tabIndex={-1}
          aria-label="Show all options"
          aria-expanded={isOpen}
          className="select-arrow absolute inset-y-0 right-0 w-7 cursor-pointer"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            field.current?.querySelector('input')?.focus();
            if (isOpen) setState(CLOSED);
            else open();
          }}
        />
      )}
      {isOpen ? (
        <OptionList
          id={id}
          labelId={labelId}
          label={props['aria-label']}
          field={field}
          options={shown}
          optionId={optionId}
          active={state.active}
          value={value}
          onChoose={choose}
          onClose={() => setState(CLOSED)}
        />
      ) : null}
    </div>
  );
}

type OptionListProps = {
  id: string;
  labelId: string | undefined;
  label: string | undefined;
  field: RefObject<HTMLElement | null>;
  options: readonly string[];
  optionId: (index: number) => string;
  active: number | null;
  value: string;
  onChoose: (option: string) => void;
  onClose: () => void;
};

/** List of options above everything else, so that dialogs and scrolling panes do not cut it off. */
function OptionList(props: OptionListProps) {
  const { id, labelId, label, field, options, optionId, active, value, onChoose, onClose } = props;
  const list = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });

  useLayoutEffect(() => {
    const popover = list.current;
    // Safari 16 has no popovers. Without this check, opening the list would replace the page by an error.
    if (popover !== null && 'showPopover' in popover) popover.showPopover();
    popover?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, []);

  useLayoutEffect(() => {
    const popover = list.current;
    const place = () => {
      if (popover === null || field.current === null) return;
      if (!placeBeside(popover, field.current.getBoundingClientRect())) close.current();
    };
    place();
    // Fewer options lower a list above the field.
    const resized = new ResizeObserver(place);
    if (popover !== null) resized.observe(popover);
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    // The keyboard of a phone covers the page without a resize of the window.
    window.visualViewport?.addEventListener('resize', place);
    window.visualViewport?.addEventListener('scroll', place);
    return () => {
      resized.disconnect();
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
      window.visualViewport?.removeEventListener('resize', place);
      window.visualViewport?.removeEventListener('scroll', place);
    };
  }, [field]);

  useEffect(() => {
    if (active !== null) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      tabIndex={-1}
      popover="manual"
      aria-label={label}
      aria-labelledby={label === undefined ? labelId : undefined}
      className="fixed inset-auto m-0 max-w-[calc(100vw-1rem)] overflow-y-auto overscroll-contain rounded-3 border border-line-strong bg-surface p-1 text-ink text-md shadow-pop"
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field handles the keys
        <div
          key={option}
          id={optionId(index)}
          role="option"
          aria-selected={option === value}
          className={classNames(
            'wrap-anywhere flex min-h-7.5 cursor-pointer items-center gap-2 rounded-2 px-2 py-1 hover:bg-hover pointer-coarse:min-h-10',
            index === active && 'bg-brand-tint text-brand',
          )}
          onClick={() => onChoose(option)}
        >
          <span className="min-w-0 flex-1">{option}</span>
          {option === value ? <Check aria-hidden /> : null}
        </div>
      ))}
    </div>
  );
}

const MARGIN = 8;
const MAX_HEIGHT = 288;
/** Height below the field from which the list is placed there, even if there is more space above. */
const ENOUGH = 200;

/** Places the list below the field, or above if there is more space. Returns false if the field is out of view. */
function placeBeside(list: HTMLElement, field: DOMRect): boolean {
  // The part of the page that a keyboard or a zoom leaves visible.
  const { offsetTop: top, height } = window.visualViewport ?? { offsetTop: 0, height: window.innerHeight };
  if (field.bottom < top || field.top > top + height) return false;
  const below = top + height - field.bottom - MARGIN;
  const above = field.top - top - MARGIN;
  const isBelow = below >= Math.min(ENOUGH, list.scrollHeight) || below >= above;
  list.style.maxHeight = `${Math.min(MAX_HEIGHT, isBelow ? below : above)}px`;
  list.style.minWidth = `${field.width}px`;
  list.style.left = `${Math.max(MARGIN, Math.min(field.left, window.innerWidth - list.offsetWidth - MARGIN))}px`;
  list.style.top = `${isBelow ? field.bottom + 2 : field.top - list.offsetHeight - 2}px`;
  return true;
}
