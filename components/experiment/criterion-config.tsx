'use client';

import { CriterionConfigChecklist } from './criterion-config-checklist.tsx';
import { CriterionConfigComparison } from './criterion-config-comparison.tsx';
import { CriterionConfigFunction } from './criterion-config-function.tsx';
import { CriterionConfigHuman } from './criterion-config-human.tsx';
import { CriterionConfigJsonSchema } from './criterion-config-json-schema.tsx';
import { CriterionConfigLlm } from './criterion-config-llm.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';
import { CriterionConfigPythonTests } from './criterion-config-python-tests.tsx';
import { CriterionConfigReference } from './criterion-config-reference.tsx';
import { CriterionConfigRegex } from './criterion-config-regex.tsx';
import { CriterionConfigWebhook } from './criterion-config-webhook.tsx';

/** The fields that belong to the criterion's evaluator. */
export function CriterionConfig(props: CriterionConfigProps) {
  switch (props.criterion.evaluator) {
    case 'llm':
      return <CriterionConfigLlm {...props} />;
    case 'checklist':
      return <CriterionConfigChecklist {...props} />;
    case 'comparison':
      return <CriterionConfigComparison {...props} />;
    case 'regex':
      return <CriterionConfigRegex {...props} />;
    case 'json_schema':
      return <CriterionConfigJsonSchema {...props} />;
    case 'reference':
      return <CriterionConfigReference {...props} />;
    case 'python_tests':
      return <CriterionConfigPythonTests {...props} />;
    case 'function':
      return <CriterionConfigFunction {...props} />;
    case 'webhook':
      return <CriterionConfigWebhook {...props} />;
    case 'human':
      return <CriterionConfigHuman {...props} />;
  }
}
