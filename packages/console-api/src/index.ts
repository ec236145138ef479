export { consoleBranch } from './branch/branch.ts';
