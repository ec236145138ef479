export { createPasswordLink } from './accounts/password-links.ts';
export { createSetupCode } from './accounts/setup-code.ts';
export { consoleBranch } from './branch/branch.ts';
