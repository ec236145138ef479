const GROUP_LENGTHS = [8, 4, 4, 4, 12] as const;
const PLAIN_LENGTH = 32;

/** What is wrong with a text that is no UUID, in the words that Pydantic has for it. */
export function uuidFault(text: string): string {
  const stranger = /[^0-9a-f-]/iu.exec(text);
  if (stranger) return `invalid character: found \`${stranger[0]}\` at ${stranger.index + 1}`;
  const groups = text.split('-');
  if (groups.length === 1) {
    // 32 digits without hyphens are a UUID for Pydantic; here only the canonical form is.
    return text.length === PLAIN_LENGTH
      ? `invalid group count: expected ${GROUP_LENGTHS.length}, found 1`
      : `invalid length: expected length ${PLAIN_LENGTH} for simple format, found ${text.length}`;
  }
  if (groups.length !== GROUP_LENGTHS.length) {
    return `invalid group count: expected ${GROUP_LENGTHS.length}, found ${groups.length}`;
  }
  const wrong = GROUP_LENGTHS.findIndex((length, index) => groups[index]?.length !== length);
  return `invalid group length in group ${wrong}: expected ${GROUP_LENGTHS[wrong]}, found ${groups[wrong]?.length}`;
}
