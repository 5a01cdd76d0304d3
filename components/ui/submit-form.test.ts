import { expect, test, vi } from 'vitest';
import { SubmitForm } from './submit-form.tsx';

test.each([
  { name: 'sends a form whose button is enabled', button: { disabled: false }, times: 1 },
  { name: 'does not send a form again while its button is disabled', button: { disabled: true }, times: 0 },
  { name: 'sends a form without a button', button: null, times: 1 },
])('$name', ({ button, times }) => {
  const onSubmit = vi.fn();
  const form = SubmitForm({ onSubmit });
  const matches = () => button?.disabled;
  form.props.onSubmit({
    preventDefault: () => {},
    currentTarget: { querySelector: () => button && { matches } },
  });
  expect(onSubmit).toHaveBeenCalledTimes(times);
});
