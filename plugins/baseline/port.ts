/** What sites have: their answers, what these mean, and what is known of the sites. */
export {
  type Baseline,
  type Baselines,
  baselines,
  type BaselineSource,
  type KnownSource,
  type ReadOptions,
  type SiteReader,
  type Volatile,
} from './baselines.ts'
export { createSiteReader, named } from './reader.ts'
export { type Deployment, noteFill, siteRecords } from './record.ts'
export { siteOriginNotAllowed } from './refusals.ts'
export {
  forgetSent,
  laterIds,
  laterIdsBy,
  laterIdsOn,
  recordLaterIds,
  recordSent,
  renamesOn,
  sentPublishes,
  settleSent,
  unansweredOf,
} from './sent.ts'
export { createSiteOrigins, createSources, type SiteOrigins } from './sources.ts'
export type { Reopen } from './failed-deployments.ts'
