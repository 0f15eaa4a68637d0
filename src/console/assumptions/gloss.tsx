// A text of the register, with what stands between backticks as code.

/** Every second part stands between two of them. */
export const Gloss = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);
