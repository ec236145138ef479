/** No letter and no digit is next to it, so that it is not a part of a longer token. */
const LETTER = /[A-Za-z0-9]/;

/** Text of the form of an API key of trawl, or of a code or token of a login. */
const OWN_KEY = /(?<![A-Za-z0-9])t(?:k|l[acr])_[A-Za-z0-9]{43}(?![A-Za-z0-9])/;

/**
 * Secrets of known services by their form. Each is bounded, and begins where no letter or digit is
 * before it.
 */
const SECRETS: readonly RegExp[] = [
  // GitHub: "About authentication to GitHub" in its documentation
  /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36}/,
  /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{22}/,
  // AWS: ids of access keys, and secret ones next to their name
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
  /aws_secret_access_key["']?[ \t]{0,8}[=:][ \t]{0,8}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/i,
  // Slack
  /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9][A-Za-z0-9-]{9}/,
  /(?<![A-Za-z0-9])xapp-\d-[A-Za-z0-9][A-Za-z0-9-]{9}/,
  /hooks\.slack\.com\/services\/T[A-Za-z0-9]{6}/i,
  // Stripe
  /(?<![A-Za-z0-9])(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10}/,
  /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/]{24}/,
  // a JSON web token: a header and claims, which are objects in base64
  /(?<![\w-])eyJ[\w-]{8,4096}\.eyJ[\w-]{8,16384}\./,
  // PEM
  /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY/,
  // GitLab, npm, Google, Hugging Face, OpenAI and Anthropic
  /(?<![A-Za-z0-9])glpat-[\w-]{20}/,
  /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/,
  /(?<![A-Za-z0-9])AIza[\w-]{35}/,
  /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{34}/,
  /(?<![A-Za-z0-9])sk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9][\w-]{30}[A-Za-z0-9]/,
];

/** Whether one of the forms of a text has a secret of a known service. */
export const hasSecret = (forms: readonly string[]): boolean =>
  forms.some((form) => SECRETS.some((pattern) => pattern.test(form)));

/**
 * Whether one of the forms of a text has a key of this server or of a provider.
 * @param own the configured ones, as whole tokens
 */
export const hasKey = (forms: readonly string[], own: readonly string[]): boolean =>
  forms.some((form) => OWN_KEY.test(form) || own.some((key) => hasToken(form, key)));

function hasToken(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    const isWhole =
      !LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + token.length));
    if (isWhole) return true;
  }
  return false;
}

/** Escapes that are decoded: an escape of an escape of an escape. */
const ROUNDS = 3;
/** Characters that are not seen: joiners, marks of direction, soft hyphens, tags, selectors. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * A text in the forms in which a key may be in it: as it is, with percent escapes decoded, with
 * letters of other widths as the usual ones, and without invisible characters. `+` may be a space.
 */
export function formsOf(text: string): readonly string[] {
  const forms = readForms(text);
  return text.includes('+') ? [...forms, ...readForms(text.replaceAll('+', ' '))] : forms;
}

function readForms(text: string): readonly string[] {
  const forms = [text];
  let last = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = plain(unescaped(last));
    if (next === last) break;
    forms.push(next);
    last = next;
  }
  return forms;
}

const plain = (text: string): string =>
  ASCII.test(text) ? text : text.normalize('NFKC').replace(INVISIBLE, '');

const ESCAPES = /(?:%[0-9a-f]{2}){1,2048}/gi;

/** Bytes that are not UTF-8 become a character that no token has. */
const unescaped = (text: string): string =>
  text.includes('%')
    ? text.replace(ESCAPES, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
    : text;
