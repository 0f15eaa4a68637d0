// A text of the contract, with what stands between backticks as code.

/** Every second part stands between two of them. */
export const MarkedCode = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);
