/** The paths of all files below a folder, in its subfolders too. */
export function filesBelow(folder: string): readonly string[];
/** Folder of the repository. */
export const ROOT: string;
/** Whether `dist` is what the sources of this repository make, the documentation aside. */
export function isBundleCurrent(root: string): boolean;
