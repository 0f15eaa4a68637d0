// Instants of the sandbox's clock.

/** From which character of ISO 8601 to which: the day and the time, the time alone, or that to the millisecond. */
const forms = { whole: [0, 19], time: [11, 19], milliseconds: [11, 23] } as const;
type Form = keyof typeof forms;

/** An instant of ISO 8601 as a reader sees it. */
export const written = (at: string, form: Form = 'whole'): string => at.slice(...forms[form]).replace('T', ' ');

interface Props {
  /** ISO 8601. */
  readonly at: string;
  readonly form?: Form;
}

export const Instant = ({ at, form }: Props) => (
  <time datetime={at} title={at}>
    {written(at, form)}
  </time>
);
