export {
  type Deployment,
  editionOf,
  formsOf,
  hasShrunk,
  isSameRecord,
  readSiteRecord,
  siteRecords,
  sourceKey,
  sourceNames,
  type StoredBaseline,
  writeSiteRecord,
} from './record.ts'
