import { interactionRecord } from '@trawl/test-support/records';
import { openStore } from '../../src/opening/open-store.ts';
import { printLine, programArguments } from './arguments.ts';

/** Opens the store, makes its own project, records once and ends without closing anything. */
const { store: options, projectId } = programArguments();
const store = await openStore({ ...options, workerUrl: new URL(options.workerUrl) });
await store.keys.ensureProject({ id: projectId, name: projectId, createdAt: '' });
await store.recorder.record(interactionRecord({ projectId }));
printLine(await store.setting('first', projectId));
