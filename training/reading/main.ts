import { runReading } from './command.ts';

await runReading(process.argv.slice(2));
