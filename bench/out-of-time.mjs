// What was not there when its time was up: a server that stands still does that, and so does a machine that others use.

export class OutOfTime extends Error {}
