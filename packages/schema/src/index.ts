export {
  type ColumnTypes,
  POSTGRES_COLUMN_TYPES,
  SQLITE_COLUMN_TYPES,
} from './columns/column-types.ts';
export { migrations } from './migrations/migrations.ts';
