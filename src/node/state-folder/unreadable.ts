/** What keeps a file of the state folder from being read, in words that follow its name. */
export class Unreadable extends Error {}
