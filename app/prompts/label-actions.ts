import type { LabelActions } from '#components/prompts/label-actions.ts';
import {
  movePromptLabelAction,
  provePromptLabelAction,
  rollBackPromptLabelAction,
  takeOffPromptLabelAction,
} from './actions.ts';

/** The server's actions that the labels of a prompt are given. */
export const LABEL_ACTIONS: LabelActions = {
  move: movePromptLabelAction,
  takeOff: takeOffPromptLabelAction,
  rollBack: rollBackPromptLabelAction,
  prove: provePromptLabelAction,
};
