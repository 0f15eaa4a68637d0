// Why a sandbox cannot be made.

/** There is a sandbox of this name already. */
export class NameTakenError extends Error {
  constructor(name: string) {
    super(`There is a sandbox "${name}" already; delete it first, or choose another name`);
  }
}

/** There are as many sandboxes as there may be, and none of them is the registry's to delete. */
export class NoRoomError extends Error {
  constructor(most: number) {
    super(`there are ${most} sandboxes, the most there may be; delete some, or give --max-sandboxes a larger number`);
  }
}
