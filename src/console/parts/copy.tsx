// A text to copy, with the button that does.

interface Props {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const Copy = ({ id, title, text }: Props) => (
  <figure class="copy">
    <figcaption>
      {title}
      <button type="button" class="small outline" data-copy={id} aria-label={`Copy: ${title}`}>
        Copy
      </button>
    </figcaption>
    <pre id={id} tabindex={0}>
      {text}
    </pre>
  </figure>
);
