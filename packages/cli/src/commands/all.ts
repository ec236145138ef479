import type { Environment } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import type { ServerEntry } from '../program/runtime.ts';
import { addAlerts } from './alerts.ts';
import { addBackup } from './backup.ts';
import { addCompletion } from './completion.ts';
import { addConfig } from './config.ts';
import { addConsole } from './console.ts';
import { addContext } from './context.ts';
import { addDb } from './db.ts';
import { addDemo } from './demo.ts';
import { addDiff } from './diff.ts';
import { addDoctor } from './doctor.ts';
import { addEvidence } from './evidence.ts';
import { addExport } from './export.ts';
import { addFeedback } from './feedback.ts';
import { addFetch } from './fetch.ts';
import { addHistory } from './history.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { addMcp } from './mcp.ts';
import { addProjects } from './projects.ts';
import { addProviders } from './providers.ts';
import { addProviderCheck } from './providers-check.ts';
import { addReplay } from './replay.ts';
import { addRouting } from './routing.ts';
import { addRules } from './rules.ts';
import { addSandbox } from './sandbox.ts';
import { addSearch } from './search.ts';
import { addServe } from './serve.ts';
import { addSessions } from './sessions.ts';
import { addTrajectory } from './trajectory.ts';
import { addUsage } from './usage.ts';
import { addVerify } from './verify.ts';
import { addWatch } from './watch.ts';

/*
 * A file of this folder has one command, or a few that share code: their flags and what they do.
 * All of them are loaded at each start, so what is large, such as the server, they load by import()
 * when they run.
 */

/** The commands that are clients of a server, in the order of the help. */
export function addClientCommands(program: Command, environment: Environment): void {
  addSearch(program, environment);
  addFetch(program, environment);
  addContext(program, environment);
  addSessions(program, environment);
  addHistory(program, environment);
  addReplay(program, environment);
  addDiff(program, environment);
  addVerify(program, environment);
  addEvidence(program, environment);
  addTrajectory(program, environment);
  addFeedback(program, environment);
  addProviders(program, environment);
  addUsage(program, environment);
  addConfig(program, environment);
  addWatch(program, environment);
  addCompletion(program, environment);
}

/** The commands of the server and its database, in the order of the help. */
export function addServerCommands(program: Command, entry: ServerEntry): void {
  addServe(program, entry);
  addDemo(program, entry);
  addSandbox(program);
  addMcp(program, entry);
  addDoctor(program, entry);
  addProviderCheck(program, entry);
  addRules(program, entry);
  addKeys(program, entry);
  addProjects(program, entry);
  addConsole(program, entry);
  addAlerts(program, entry);
  addDb(program, entry);
  addBackup(program, entry);
  addExport(program, entry);
  addImport(program, entry);
  addRouting(program, entry);
}
