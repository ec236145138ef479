/** Saves a text as a file of the person's machine. */
export const saveText = (text: string, name: string, type: string): void =>
  saveFile(new Blob([text], { type }), name);

/** Saves a file on the person's machine. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
