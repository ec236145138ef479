/** The paths of all files below a folder, in its subfolders too. */
export function filesBelow(folder: string): Iterable<string>;
