export { type Backup, backUp } from './backup/backup.ts';
export { checkWholeDatabase, type DatabaseReport } from './check/check-database.ts';
export { checkStore, type StoreCheck } from './check/check-store.ts';
export { isPostgresUrl, MoveError, moveDatabase, type TableReport } from './move/move-database.ts';
export { exportProject } from './transfer/export-project.ts';
export { importProject } from './transfer/import-project.ts';
