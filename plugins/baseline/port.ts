/** What sites have: their answers, what these mean, and what is known of the sites. */
export {
  type Baseline,
  type Baselines,
  baselines,
  type BaselineSource,
  type ReadOptions,
  type SiteReader,
  type Volatile,
} from './baselines.ts'
export type { Reopen } from './deployments.ts'
export { createSiteOrigins, type SiteOrigins } from './origins.ts'
export { createSiteReader, named } from './reader.ts'
export { type Deployment, noteFill, siteRecords } from './record.ts'
export { siteOriginNotAllowed } from './refusals.ts'
export { laterIds, laterIdsBy, laterIdsOn, recordLaterIds } from './renames.ts'
export { forgetSent, recordSent, renamesOn, sentPublishes, settleSent, unansweredOf } from './sent.ts'
export { createSources } from './sources.ts'
