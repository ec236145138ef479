import { runTopics } from './command.ts';

runTopics(process.argv.slice(2));
