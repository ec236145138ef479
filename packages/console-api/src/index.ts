export { createSetupCode } from './accounts/setup-code.ts';
export { consoleBranch } from './branch/branch.ts';
