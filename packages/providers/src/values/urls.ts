export * from '@trawl/contract/urls';
