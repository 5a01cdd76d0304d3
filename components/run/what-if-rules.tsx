import { useId } from 'react';
import { Table } from '#components/ui/table.tsx';
import { BEST_VERSION_RULES, type ExperimentSettings } from '#lib/core/settings.ts';
import { RULE_NAMES } from './best-rule-names.ts';
import type { WhatIfOutcome } from './use-what-if.ts';
import { pickOf } from './what-if-answer.tsx';

type WhatIfRulesProps = {
  outcome: WhatIfOutcome;
  onChoose: (rule: ExperimentSettings['bestVersion']) => void;
};

/** What each rule for the best version would return, one of them chosen. */
export function WhatIfRules({ outcome, onChoose }: WhatIfRulesProps) {
  const name = useId();
  const { happened, would, settings } = outcome;
  return (
    <Table isTight>
      <thead>
        <tr>
          <th scope="col">Best version by</th>
          <th scope="col" className="whitespace-nowrap text-right">
            Happened
          </th>
          <th scope="col" className="whitespace-nowrap text-right">
            What if
          </th>
        </tr>
      </thead>
      <tbody>
        {BEST_VERSION_RULES.map((rule) => (
          <tr key={rule}>
            <th scope="row" className="font-normal">
              <label className="flex items-center gap-2">
                <input
                  type="radio"
                  name={name}
                  className="accent-brand"
                  checked={rule === settings.bestVersion}
                  onChange={() => onChoose(rule)}
                />
                {RULE_NAMES[rule]}
              </label>
            </th>
            <td className="whitespace-nowrap text-right text-ink-2 text-sm">
              {pickOf({ ...happened, returned: happened.bestByRule[rule] })}
            </td>
            <td className="whitespace-nowrap text-right font-semibold">
              {pickOf({ ...would, returned: would.bestByRule[rule] })}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
