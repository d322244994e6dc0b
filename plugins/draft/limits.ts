/** How much one draft, and one site, may hold. */
export interface Limits {
  readonly pagesPerDraft: number
  readonly pageBytes: number
  /** Bytes of all pages of a draft. */
  readonly draftBytes: number
  readonly sessionsPerSite: number
  /** Site ids that have drafts, registered or not. */
  readonly sites: number
  /** Changes that are kept, for undo and for clients that come back after a while. */
  readonly changesPerDraft: number
  /** Bytes of the changes that are kept; the newest one is kept however large it is. */
  readonly changeBytesPerDraft: number
  /** Changes of one draft that share a transaction when they are asked for at the same time. */
  readonly changesPerTransaction: number
}
