'use client';

import { useState } from 'react';
import { RoleGate, RoleRequired } from '#components/access/role-controls.tsx';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { ActionBar, ActionBarButtons, ActionBarLine } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { SendKeys, ShortcutKey, useShortcuts } from '#components/ui/use-shortcuts.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCount } from '#lib/format.ts';
import { buttonsOf, PauseAge, UnsentDecision } from '../decision-status.tsx';
import { TextDecisionDialog } from '../text-decision-dialog.tsx';
import type { RunDecisions } from '../use-run-answer.ts';
import {
  argumentsProblem,
  argumentsText,
  type ToolPause,
  toolRequesterLabel,
  toolRequestLabel,
} from './agent-labels.ts';

/** The open dialog and the pause that it answers. */
export type ToolDialog = { name: 'change' | 'refuse'; pauseId: string };

type ApprovalBarProps = {
  record: RunRecord;
  pause: ToolPause;
  settings: ExperimentSettings;
  decisions: RunDecisions;
  dialog: ToolDialog | null;
  onDialog: (dialog: ToolDialog | null) => void;
  /** Sends the draft and moves to the next waiting run. Without a draft, creates one that allows the tool call. */
  onSend: () => void;
};

/**
 * Sticky bottom bar to approve or refuse a tool call, with one shortcut per action. The first line shows the request, then the effect of
 * the draft and the time left to undo it.
 */
export function ApprovalBar(props: ApprovalBarProps) {
  const { record, pause, settings, decisions, dialog, onDialog, onSend } = props;
  const { draft, isBusy } = decisions;
  const { toolCall, pauseId } = pause;
  const { full } = argumentsText(toolCall.arguments);
  const setDialog = (name: ToolDialog['name'] | null) => onDialog(name === null ? null : { name, pauseId });
  const { may, why } = useRoleAccess('reviewer');
  const rest = isBusy || !may;
  const dialogProps = (name: 'change' | 'refuse') => ({
    open: dialog?.name === name && dialog.pauseId === pauseId,
    onOpenChange: (isOpen: boolean) => setDialog(isOpen ? name : null),
  });
  const acts = {
    'tool.allow': decisions.proposeAllow,
    'tool.change': () => setDialog('change'),
    'tool.refuse': () => setDialog('refuse'),
    'tool.stop': decisions.proposeStop,
    'tool.undo': draft === null ? null : decisions.undo,
  };
  const buttonOf = buttonsOf(acts, isBusy);
  useShortcuts(rest ? {} : acts);
  useModEnter(rest ? null : onSend, { ignoresFields: true });
  return (
    <ActionBar aria-label="Your decision" data-testid="approval-bar">
      <ActionBarLine>
        {draft ? (
          <UnsentDecision draft={draft} shortcut="tool.undo" onUndo={decisions.undo} />
        ) : (
          <ToolRequestLine record={record} pause={pause} settings={settings} />
        )}
      </ActionBarLine>
      <RoleRequired why={why} />
      <ActionBarButtons>
        <RoleGate needs="reviewer" isSilent>
          {draft ? buttonOf('tool.allow', 'Allow') : null}
          {buttonOf(
            'tool.change',
            <span>
              Change<span className="max-narrow:hidden"> arguments</span>
            </span>,
          )}
          {buttonOf('tool.refuse', 'Refuse')}
          {buttonOf('tool.stop', 'Stop')}
          <span className="min-w-0 flex-1 max-narrow:hidden" />
          {draft ? (
            <Button variant="primary" onClick={onSend} disabled={isBusy}>
              {isBusy ? 'Sending' : 'Send now'} <SendKeys />
            </Button>
          ) : (
            <Button variant="primary" onClick={decisions.proposeAllow} disabled={isBusy}>
              {isBusy ? 'Sending' : 'Allow'} <ShortcutKey id="tool.allow" />
            </Button>
          )}
        </RoleGate>
      </ActionBarButtons>
      <TextDecisionDialog
        key={`change ${pauseId}`}
        {...dialogProps('change')}
        isWide
        title={`Change arguments of ${toolCall.tool}`}
        description="The tool runs with your arguments, and the agent sees the result. The run stores both versions of the arguments."
        send="Allow with changes"
        label="Arguments as JSON"
        isCode
        rows={10}
        maxLength={100_000}
        original={{ text: full, restore: 'Restore original' }}
        problemOf={(text) =>
          text === full ? 'change the arguments, or allow the call unchanged' : argumentsProblem(text)
        }
        onSend={decisions.proposeAllowWith}
      />
      <TextDecisionDialog
        key={`refuse ${pauseId}`}
        {...dialogProps('refuse')}
        title={`Refuse ${toolCall.tool}`}
        description="The tool does not run. The agent sees your reason instead of a result and continues."
        send="Refuse"
        label="Reason"
        help="Optional. For example, what the agent should do instead."
        rows={4}
        maxLength={2_000}
        onSend={(reason) => decisions.proposeRefuse(reason.trim())}
      />
    </ActionBar>
  );
}

function ToolRequestLine({ record, pause, settings }: Pick<ApprovalBarProps, 'record' | 'pause' | 'settings'>) {
  const { short } = argumentsText(pause.toolCall.arguments);
  return (
    <>
      <span>
        <b className="text-wait">
          {toolRequesterLabel(record, pause)} {toolRequestLabel(pause.toolCall)}
        </b>
        : <RequestedArguments key={pause.pauseId} text={short} />
      </span>
      <PauseAge pause={pause} timeout={settings.callbacks.onTimeout === 'stop' ? 'Stops' : 'Refuses the tool'} />
    </>
  );
}

const SHOWN_LENGTH = 160;
/** Isolates the direction of model output so that it cannot reorder the surrounding text. */
const ARGUMENTS =
  'rounded-1 bg-sunken px-[0.3rem] py-px font-mono glyphs-plain text-code/[1.55] wrap-anywhere [direction:ltr] isolate-text';

/** Shows the arguments of a tool call. Long ones can be expanded, so that nobody has to allow unseen arguments. */
function RequestedArguments({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= SHOWN_LENGTH) return <code className={ARGUMENTS}>{text}</code>;
  return (
    <>
      <code
        className={classNames(ARGUMENTS, isWhole && 'block max-h-[40vh] overflow-y-auto')}
        tabIndex={isWhole ? 0 : undefined}
      >
        {isWhole ? text : `${text.slice(0, SHOWN_LENGTH).toWellFormed()} …`}
      </code>{' '}
      <Button variant="ghost" size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all ${formatCount(text.length)} characters`}
      </Button>
    </>
  );
}
