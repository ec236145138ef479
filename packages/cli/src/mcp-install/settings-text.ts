/** A settings file that cannot be edited: what is wrong, and where. */
export class EditError extends Error {}

/** How the lines of a text end. */
export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
