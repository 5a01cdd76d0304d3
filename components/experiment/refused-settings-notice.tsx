'use client';

import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { refusedParameterText } from '#lib/providers/refused-parameter-record.ts';
import type { ProviderChoice } from './model-choice.tsx';
import { emptyAt, refusedSettings } from './refused-settings.ts';
import { useSettingsForm } from './setting-fields.tsx';

/** What of the settings their models refuse, with a button that takes it out; nothing where they refuse none. */
export function RefusedSettingsNotice({ providers }: { providers: readonly ProviderChoice[] }) {
  const { settings, set } = useSettingsForm();
  return refusedSettings(settings, providers).map(({ model, parameter, paths }) => (
    <Notice
      key={`${model} ${parameter}`}
      tone="wait"
      title={refusedParameterText(model, parameter)}
      actions={
        <Button
          size="small"
          onClick={() => {
            for (const path of paths) set(path, emptyAt(path));
          }}
        >
          Remove from settings
        </Button>
      }
    >
      The setting has no effect. If the model supports it now, choose Send again on the Models page.
    </Notice>
  ));
}
