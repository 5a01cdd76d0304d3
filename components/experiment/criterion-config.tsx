'use client';

import { CriterionConfigFunction } from './criterion-config-function.tsx';
import { CriterionConfigLlm } from './criterion-config-llm.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';
import { CriterionConfigReference } from './criterion-config-reference.tsx';
import { CriterionConfigRegex } from './criterion-config-regex.tsx';

/** The fields that belong to the criterion's evaluator. */
export function CriterionConfig(props: CriterionConfigProps) {
  switch (props.criterion.evaluator) {
    case 'llm':
      return <CriterionConfigLlm {...props} />;
    case 'regex':
      return <CriterionConfigRegex {...props} />;
    case 'reference':
      return <CriterionConfigReference {...props} />;
    case 'function':
      return <CriterionConfigFunction {...props} />;
  }
}
