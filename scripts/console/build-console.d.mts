export function buildConsole(options: {
  readonly root: string;
  readonly folder: string;
  readonly pages?: string;
}): Promise<Set<string>>;
