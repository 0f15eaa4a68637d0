// The rules that an answer was refused by, each with what it requires.
import { explanations } from '../../contract/explanations.ts';
import type { RuleId } from '../../contract/rules.ts';

export const Rules = ({ rules }: { readonly rules: readonly RuleId[] }) => (
  <>
    {rules.map((rule, index) => (
      <>
        {index > 0 && ' '}
        <code class="rule" title={explanations[rule]}>
          {rule}
        </code>
      </>
    ))}
  </>
);
