// A text to copy, and the button that does.

interface ButtonProps {
  /** The id of the element whose text is copied. */
  readonly of: string;
  /** What the button does, for those who do not see what it stands beside. */
  readonly label: string;
  readonly quiet?: boolean;
}

export const CopyButton = ({ of, label, quiet = false }: ButtonProps) => (
  <button type="button" class={quiet ? 'small outline secondary' : 'small outline'} data-copy={of} aria-label={label}>
    Copy
  </button>
);

interface Props {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const Copy = ({ id, title, text }: Props) => (
  <figure class="copy">
    <figcaption>
      {title}
      <CopyButton of={id} label={`Copy: ${title}`} />
    </figcaption>
    <pre id={id} tabindex={0}>
      {text}
    </pre>
  </figure>
);
