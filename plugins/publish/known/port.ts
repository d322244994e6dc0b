export {
  type Deployment,
  editionOf,
  hasShrunk,
  isSameRecord,
  readSiteRecord,
  siteRecords,
  sourceKey,
  sourceNames,
  type StoredBaseline,
  writeSiteRecord,
} from './record.ts'
