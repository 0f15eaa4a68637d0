// Instants of the sandbox's clock.

interface Props {
  /** ISO 8601. */
  readonly at: string;
  /** The time of the day alone, to the millisecond. */
  readonly brief?: boolean;
}

export const Instant = ({ at, brief = false }: Props) => (
  <time datetime={at} title={at}>
    {brief ? at.slice(11, 23) : `${at.slice(0, 10)} ${at.slice(11, 19)}`}
  </time>
);
