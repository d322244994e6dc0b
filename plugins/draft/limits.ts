/** How much one draft, and one site, may hold. */
export interface Limits {
  readonly pagesPerDraft: number
  readonly pageBytes: number
  readonly sessionsPerSite: number
  /** Changes that are kept, for undo and for clients that come back after a while. */
  readonly changesPerDraft: number
}
