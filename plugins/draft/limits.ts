/** How much one draft, and one site, may hold. */
export interface Limits {
  readonly pagesPerDraft: number
  readonly pageBytes: number
  readonly sessionsPerSite: number
  /** Site ids that have drafts, registered or not. */
  readonly sites: number
  /** Changes that are kept, for undo and for clients that come back after a while. */
  readonly changesPerDraft: number
  /** Changes of one draft that share a transaction when they are asked for at the same time. */
  readonly changesPerTransaction: number
}
