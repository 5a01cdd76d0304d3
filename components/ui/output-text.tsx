import { styled } from './styled.ts';

/** Verbatim model output in a frame. */
export const OutputText = styled(
  'div',
  'output-text',
  'prose wrap-anywhere max-w-none whitespace-pre-wrap rounded-2 border border-line bg-surface px-3.5 py-3',
);
