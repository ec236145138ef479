export {
  type ColumnTypes,
  POSTGRES_COLUMN_TYPES,
  SQLITE_COLUMN_TYPES,
} from './columns/column-types.ts';
export { addUpLedger } from './migrations/0006-usage-days.ts';
export { migrations } from './migrations/migrations.ts';
