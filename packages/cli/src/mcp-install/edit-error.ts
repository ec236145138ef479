/** A settings file that cannot be edited: what is wrong, and where. */
export class EditError extends Error {}
